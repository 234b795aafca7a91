"""Another name for a thing, everywhere where it is named, or a reason why not."""

from __future__ import annotations

import re

from sistel.errors import Source, Span, Text, refuse
from sistel.markup import LONGEST_NAME
from sistel.markup.expressions import Name, print_expression
from sistel.studio.service._edits import Edit, applied, escaped
from sistel.studio.service._names import SPACES, Bindings, Declared, bindings
from sistel.studio.service._read import built

_WORD = re.compile(r"[^\W\d][\w.-]*")
_FORBIDDEN = re.compile(r"[,;()'\"«»<>=\x00-\x1f]")


def renamed(path: str, text: str, at: int, name: str) -> list[Edit]:
    """The changes that give the thing named at a place another name.

    Raises:
        SistelError: There is nothing with a name, the new one is none, or it is taken.
    """
    names = bindings(path, text)
    found = names.at(at)
    if found is None:
        refuse(
            "nothing-here",
            Text("there is nothing here that has a name of its own", "здесь нет ничего, что имеет своё имя"),
            hint=Text("put the cursor on a name", "поставьте курсор на имя"),
        )
    thing, _ = found
    return edits_for(path, text, names, thing, name)


def edits_for(path: str, text: str, names: Bindings, thing: Declared, name: str) -> list[Edit]:
    """The changes that give a thing another name."""
    new = " ".join(name.split())
    _check_name(thing, new)
    if new == thing.name:
        return []
    if thing.numbered:
        refuse(
            "only-a-number",
            Text(f"the body {thing.name} has no name, only a number", f"у тела {thing.name} нет имени, только номер"),
            span=thing.span,
            hint=Text("give it an attribute with a name", "дайте ему атрибут с именем"),
        )
    _check_free(names, thing, new)
    _check_blanks(text, names, thing, new)
    edits = [_edit(text, thing.span, new, expression=False)]
    edits += [_edit(text, mention.span, new, expression=mention.expression) for mention in names.of(thing)]
    done = sorted(set(edits))
    _check_result(path, text, done, thing, new)
    return done


def _edit(text: str, span: Span, new: str, *, expression: bool) -> Edit:
    quote = "'" if text.rfind("='", 0, span.start) > text.rfind('="', 0, span.start) else '"'
    word = print_expression(Name(new, Span(Source("<name>", new), 0, len(new)))) if expression else new
    return Edit(span.start, span.end, escaped(word, quote))


def _check_name(thing: Declared, new: str) -> None:
    bad = _FORBIDDEN.search(new)
    if not new or len(new) > LONGEST_NAME or bad is not None:
        refuse(
            "bad-name",
            Text(f'"{new[:60]}" is no name', f"«{new[:60]}» — не имя"),
            span=thing.span,
            expected=Text(
                f"1 to {LONGEST_NAME} letters, digits, blanks and - _ . /",
                f"от 1 до {LONGEST_NAME} букв, цифр, пробелов и - _ . /",
            ),
        )


def _check_free(names: Bindings, thing: Declared, new: str) -> None:
    space = SPACES.get(thing.kind)
    for other in names.declared:
        same = other.kind == thing.kind or (space is not None and SPACES.get(other.kind) == space)
        if other.name == new and same and other.home == thing.home:
            refuse(
                "name-taken",
                Text(f'the name "{new}" is taken', f"имя «{new}» уже занято"),
                span=thing.span,
                related=[(other.span, Text("here", "здесь"))],
                hint=Text("give each its own name", "дайте каждому своё имя"),
            )


def _check_blanks(text: str, names: Bindings, thing: Declared, new: str) -> None:
    """Where a name is the name of an attribute, as in the start of a file, it is a single word."""
    if _WORD.fullmatch(new):
        return
    for mention in names.of(thing):
        if not mention.expression and text[mention.span.start - 1] in " \t\r\n":
            refuse(
                "no-blanks",
                Text(
                    f'"{new}" cannot name an attribute, as "{thing.name}" does',
                    f"«{new}» не может быть именем атрибута, как «{thing.name}»",
                ),
                span=thing.span,
                expected=Text("one word of letters, digits, - and _", "одно слово из букв, цифр, - и _"),
                related=[(mention.span, Text("the attribute", "атрибут"))],
            )


def _check_result(path: str, text: str, edits: list[Edit], thing: Declared, new: str) -> None:
    """Refuse a name that would break what is sound: one that hides another, or is joined by something else."""
    before = built(path, text)
    if before.model is None:
        return
    after = built(path, applied(text, edits))
    if after.model is None:
        first = next(each for each in after.found if each.severity == "error")
        refuse(
            "name-in-the-way",
            Text(
                f'with the name "{new}" the file would have an error: {first.message.en}',
                f"с именем «{new}» в файле была бы ошибка: {first.message.ru}",
            ),
            span=thing.span,
            hint=Text("choose another name", "выберите другое имя"),
        )
