"""`sistel orient`: axial orientations of a gripper."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import TYPE_CHECKING, cast

from sistel.cli._arguments import Argument, Call, CallError, Usage, wrong_call
from sistel.cli._console import Console
from sistel.cli._described import examples, options
from sistel.errors import Diagnostic, Language, SistelError, Text, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sistel.plain import JsonObject
    from sistel.pose import Phrase
    from sistel.views import Drawing
    from sistel.views.orientations import Theme

WORDS = ("table", "group", "product", "nearest", "angles", "grammar", "dialogue")
VOICE = {"grammar": (".grxml", ".xml"), "dialogue": (".vxml", ".xml")}
"""Words whose answer is a file for speech, and what such files are called."""
FORMATS = (".svg", ".png", ".pdf")
_WAY = re.compile(
    r"(?:из|от)(?:\s+положения)?\s+(.+?),?\s+(?:в|к)(?:\s+положени[ею])?\s+((?:пальц|больш|[0-9]).*)|from\s+(.+?),?\s+to\s+((?:fingers?|thumb|[0-9]).*)",
    re.IGNORECASE,
)
"""A transition in one sentence, as the grammar of speech has it, and a little shorter."""
_OWN = {
    "icosahedron": ("group",),
    "quaternion": ("nearest",),
    "matrix": ("nearest",),
    "angles": ("nearest",),
    "axis": ("nearest",),
}
"""Options that belong to some of the words only."""

USAGE = Usage(
    about=Text(
        "Tells everything about axial orientations of a gripper. A code has two digits: where the fingers and where "
        "the thumb point (1 right, 2 left, 3 up, 4 down, 5 towards us, 6 away from us). Words do as well: "
        '"fingers up, thumb left". One of them is described; of two, the turn from the first to the second.\n'
        "Or one of these words. table: all 24 by octants; group: orders, classes and subgroups; product: the table of "
        "products, of all codes or of one group (Gx, Gy, Gz, H(15)); nearest: the code nearest to any orientation; "
        "angles: what Euler, Bryant, aircraft and ship angles mean; grammar: the 24 phrases and the 576 transitions "
        "for recognisers of speech (SRGS); dialogue: a talk about them (VoiceXML); both in the language of --lang.",
        "Рассказывает всё об осевых ориентациях схвата. В коде две цифры: куда направлены пальцы и куда большой "
        "(1 вправо, 2 влево, 3 вверх, 4 вниз, 5 на нас, 6 от нас). Можно и словами: «пальцы вверх, большой влево». "
        "Одна ориентация описывается, для двух даётся поворот из первой во вторую.\n"
        "Или одно из слов. table: все 24 по октантам; group: порядки, классы и подгруппы; product: таблица "
        "произведений всех кодов или одной группы (Gx, Gy, Gz, H(15)); nearest: ближайший код к любой ориентации; "
        "angles: что означают углы Эйлера, Брайнта, самолётные и корабельные; grammar: 24 фразы и 576 переходов для "
        "распознавателей речи (SRGS); dialogue: разговор о них (VoiceXML); обе — на языке --lang.",
    ),
    arguments=(
        Argument(
            key="what",
            name=Text("WHAT", "ЧТО"),
            help=Text(
                "a code, a phrase, two of them, or table, group, product, nearest, angles, grammar, dialogue",
                "код, фраза, две таких или table, group, product, nearest, angles, grammar, dialogue",
            ),
            offers=WORDS,
            many=True,
        ),
    ),
    options=options(
        """
        --output -o PICTURE | РИСУНОК
            draw it instead: .svg, .png, .pdf, or - for standard output; product .html; grammar .grxml; dialogue .vxml
            нарисовать: .svg, .png, .pdf или - — стандартный вывод; product .html; grammar .grxml; dialogue .vxml
        --theme = auto|light|dark
            of the picture; auto: as the reader's screen
            рисунка; auto: как экран читателя
        --icosahedron
            with group: the 60 rotations of an icosahedron instead
            для group: 60 поворотов икосаэдра вместо 24
        --quaternion W,X,Y,Z
            with nearest: of any length
            для nearest: любой длины
        --matrix R11,R12,…
            with nearest: nine numbers, row by row
            для nearest: девять чисел по строкам
        --angles ORDER:A,B,C | ПОРЯДОК:A,B,C
            with nearest: degrees; the order as zxz, or euler, bryant, aircraft, ship
            для nearest: градусы; порядок вида zxz или euler, bryant, aircraft, ship
        --axis X,Y,Z,ANGLE | X,Y,Z,УГОЛ
            with nearest: axis of any length, angle in degrees
            для nearest: ось любой длины, угол в градусах
        """
    ),
    examples=examples(
        """
        sistel orient 36
            everything about a code
            всё об одном коде
        sistel orient 13 64
            the turn between two codes
            поворот между двумя кодами
        sistel orient "fingers down, thumb left"
            the same as 42
            то же, что 42
        sistel orient table -o octants.svg
            all 24, drawn
            все 24, рисунком
        sistel orient group -o lattice.svg
            all 30 subgroups
            все 30 подгрупп
        sistel orient product Gx
            turns about the axis x
            повороты вокруг оси x
        sistel orient grammar --lang ru -o codes.grxml
            the phrases for a recogniser of speech
            фразы для распознавателя речи
        sistel orient nearest --angles zxz:10,80,95
            angles in degrees
            углы в градусах
        """
    ),
    exclusive=(("--quaternion", "--matrix", "--angles", "--axis"),),
)


def run(call: Call, console: Console) -> int:
    """Tell or draw what was asked for."""
    words = call.all("what")
    word = words[0] if words[0] in WORDS else ""
    for option, owners in _OWN.items():
        if call.given(option) and word not in owners:
            wrong_call(
                "misplaced-option",
                Text(
                    f"--{option} goes with `sistel orient {owners[0]}`", f"--{option} — для `sistel orient {owners[0]}`"
                ),
            )
    _check_picture(call, word)
    try:
        return _TASKS[word](words[1:] if word else words, call, console)
    except CallError:
        raise
    except SistelError as problem:
        if all(diagnostic.code in ("no-picture", "cannot-write") for diagnostic in problem.diagnostics):
            raise
        # There is no model here that could be wrong: it is the call.
        raise CallError(problem.diagnostics) from None


def _check_picture(call: Call, word: str) -> None:
    target = call.value("output")
    if target is None:
        if call.given("theme"):
            wrong_call("missing-option", Text("--theme needs --output", "ключу --theme нужен --output"))
        return
    known = VOICE.get(word, (*FORMATS, ".html") if word == "product" else FORMATS)
    if target != "-" and PurePath(target).suffix.casefold() not in known:
        wrong_call(
            "unknown-format",
            Text(f'it is not written to "{target}"', f"в «{target}» это не записать")
            if word in VOICE
            else Text(f'no picture is written to "{target}"', f"в «{target}» рисунок не записать"),
            expected=Text(f"{', '.join(known)}, or -", f"{', '.join(known)} или -"),
        )


def _surplus(words: Sequence[str]) -> None:
    if words:
        wrong_call("surplus-argument", Text(f'"{words[0]}" is one word too many', f"лишнее слово «{words[0]}»"))


# --- codes and phrases -----------------------------------------------------------------------------------------------


def _orientations(words: Sequence[str], call: Call, console: Console) -> int:
    from sistel.cli import _orient

    said = _split(words)
    if len(said) == 2 and call.given("output"):
        wrong_call(
            "surplus-option",
            Text("one orientation is drawn, not a turn between two", "рисуется одна ориентация, а не поворот"),
        )
    found = [_read(word) for word in said]
    guesses = [guess for phrase in found for guess in _orient.guess_data(phrase)]
    for guess in guesses:
        en = f'"{guess["word"]}" is taken for "{guess["taken_for"]}"'
        console.message(Text(en, f"«{guess['word']}» понято как «{guess['taken_for']}»"))
    if call.given("output"):
        from sistel.views.orientations import draw_gripper

        theme = _theme(call)
        return _deliver(call, console, lambda: draw_gripper(found[0].code, console.lang, theme=theme))
    if len(found) == 1:
        data = _orient.code_data(found[0].code, console.lang)
        text = _orient.code_text(data, console.lang)
    else:
        data = _orient.between_data(found[0].code, found[1].code, console.lang)
        text = _orient.between_text(data, console.lang)
    return _say(console, data | ({"guesses": guesses} if guesses else {}), text)


def _split(words: Sequence[str]) -> list[str]:
    """One orientation or two: codes and quoted phrases stand for themselves, single words make up one phrase."""
    way = _WAY.fullmatch(" ".join(words).strip())
    if way is not None:
        return [part for part in way.groups() if part is not None]
    if any(_is_code(word) or " " in word.strip() for word in words):
        if len(words) <= 2:
            return list(words)
        if all(map(_is_code, words)):
            _surplus(words[2:])
    return [" ".join(words)]


def _is_code(word: str) -> bool:
    return word.isascii() and word.strip().isdigit()


def _read(word: str) -> Phrase:
    from sistel.pose import Phrase, axial_rotation, read_phrase

    if _is_code(word):
        # Far more digits than a code has are not worth a number.
        code = int(word) if len(word) < 10 else 0
        axial_rotation(code)
        return Phrase(code)
    try:
        return read_phrase(word)
    except SistelError as problem:
        hint = did_you_mean(word, WORDS)
        if hint is None:
            raise
        first = problem.diagnostics[0]
        raise CallError([Diagnostic(first.code, "error", first.message, None, first.expected, hint)]) from None


# --- table, group, product, angles -----------------------------------------------------------------------------------


def _table(words: Sequence[str], call: Call, console: Console) -> int:
    from sistel.cli import _orient
    from sistel.views.orientations import draw_octants, octants_text

    _surplus(words)
    if call.given("output"):
        return _deliver(call, console, lambda: draw_octants(console.lang, theme=_theme(call)))
    return _say(console, _orient.table_data(console.lang), octants_text(console.lang, width=console.width))


def _group(words: Sequence[str], call: Call, console: Console) -> int:
    from sistel.cli import _orient
    from sistel.pose import axial_group, icosahedral_group
    from sistel.views.orientations import draw_lattice

    _surplus(words)
    group = icosahedral_group() if call.given("icosahedron") else axial_group()
    if call.given("output"):
        return _deliver(call, console, lambda: draw_lattice(group, console.lang, theme=_theme(call)))
    data = _orient.group_data(group)
    return _say(console, data, _orient.group_text(data, console.lang, console.width))


def _product(words: Sequence[str], call: Call, console: Console) -> int:
    from sistel.cli import _orient
    from sistel.pose import CODES
    from sistel.views.orientations import draw_products, group_members, products_page, products_text

    _surplus(words[1:])
    members = group_members(words[0]) if words else CODES
    title = words[0] if words else ""
    if call.given("output"):

        def make() -> str:
            if PurePath(call.required("output")).suffix.casefold() == ".html":
                return products_page(members, console.lang, title=title)
            return draw_products(members, console.lang, title=title, theme=_theme(call))

        return _deliver(call, console, make)
    return _say(console, _orient.product_data(members), products_text(members))


def _angles(words: Sequence[str], call: Call, console: Console) -> int:
    from sistel.views.orientations import ANGLES, draw_angles

    _surplus(words[1:])
    if call.given("output"):
        if not words:
            wrong_call(
                "missing-argument",
                Text("a picture shows one set of angles", "рисунок показывает один набор углов"),
                expected=Text(", ".join(ANGLES), ", ".join(ANGLES)),
            )
        return _deliver(call, console, lambda: draw_angles(words[0], console.lang, theme=_theme(call)))
    if words:
        draw_angles(words[0])  # refuses names that are none
    rows: list[JsonObject] = [
        {
            "name": name,
            "title": each.title.say(console.lang),
            "order": each.order,
            "letters": list(each.letters),
            "words": [word.say(console.lang) for word in each.words],
        }
        for name, each in ANGLES.items()
        if not words or name == words[0]
    ]
    lines = []
    for row in rows:
        about = Text("about", "вокруг").say(console.lang)
        named = [f" ({word})" for word in row["words"]] or [""] * 3
        steps = [
            f"{letter}{said} {about} {axis}{prime}"
            for letter, said, axis, prime in zip(row["letters"], named, row["order"], ("", "′", "″"), strict=True)
        ]
        lines.append(f"{row['name']:9} {row['title']}: {', '.join(steps)}\n")
    return _say(console, {"angles": rows}, "".join(lines))


# --- speech ----------------------------------------------------------------------------------------------------------


def _grammar(words: Sequence[str], call: Call, console: Console) -> int:
    from sistel.views.voice import draw_grammar

    return _spoken(words, call, console, draw_grammar)


def _dialogue(words: Sequence[str], call: Call, console: Console) -> int:
    from sistel.views.voice import draw_dialogue

    return _spoken(words, call, console, draw_dialogue)


def _spoken(words: Sequence[str], call: Call, console: Console, draw: Callable[[Language], str]) -> int:
    _surplus(words)
    if call.given("theme"):
        wrong_call("misplaced-option", Text("--theme is for pictures", "--theme — для рисунков"))
    text = draw(console.lang)
    if call.given("output"):
        return _deliver(call, console, lambda: text)
    return _say(console, {"text": text}, text)


# --- the nearest code ------------------------------------------------------------------------------------------------


def _nearest(words: Sequence[str], call: Call, console: Console) -> int:
    from sistel.cli._orient_nearest import nearest_data, nearest_text, quaternion_of

    _surplus(words)
    given = next((name for name in ("quaternion", "matrix", "angles", "axis") if call.given(name)), None)
    if given is None:
        wrong_call(
            "missing-option",
            Text("nearest to which orientation?", "ближайший к какой ориентации?"),
            expected=Text("--quaternion, --matrix, --angles or --axis", "--quaternion, --matrix, --angles или --axis"),
        )
    text = call.required(given)
    name, numbers = "", text
    if given == "angles":
        name, colon, numbers = text.partition(":")
        if not colon:
            wrong_call(
                "bad-angles",
                Text(f'--angles "{text}" names no order of axes', f"--angles «{text}» не называет порядок осей"),
                expected=Text("zxz:10,20,30", "zxz:10,20,30"),
            )
    q = quaternion_of(given, name.strip().casefold(), _numbers(given, numbers))
    if call.given("output"):
        from sistel.views.orientations import draw_gripper

        return _deliver(call, console, lambda: draw_gripper(q, console.lang, theme=_theme(call)))
    data = nearest_data(q, console.lang)
    return _say(console, data, nearest_text(data, console.lang))


def _numbers(option: str, text: str) -> list[float]:
    found = []
    for piece in re.split(r"\s*[,;]\s*|\s+", text.strip()):
        try:
            found.append(float(piece.replace("−", "-")))
        except ValueError:
            shown = piece if len(piece) <= 40 else f"{piece[:40]}…"
            wrong_call(
                "not-a-number",
                Text(f'"{shown}" in --{option} is not a number', f"«{shown}» в --{option} — не число"),
            )
    return found


# --- handing over ----------------------------------------------------------------------------------------------------


def _theme(call: Call) -> Theme:
    target = call.value("output") or "-"
    pixels = PurePath(target).suffix.casefold() in (".png", ".pdf")
    # A picture of pixels does not know its reader's screen.
    return cast("Theme", call.value("theme") or ("light" if pixels else "auto"))


def _deliver(call: Call, console: Console, make: Callable[[], Drawing | str]) -> int:
    """Write a picture where it was asked for."""
    target = call.required("output")
    picture = str(make())
    if target == "-":
        if console.json:
            console.document({"output": target, "text": picture})
        else:
            console.write(picture)
        return 0
    if PurePath(target).suffix.casefold() in (".png", ".pdf"):
        from sistel.views.schemes import save_picture

        save_picture(picture, target)
    else:
        from sistel.markup import write_text

        _written(lambda: write_text(target, picture))
    if console.json:
        console.document({"output": target})
    else:
        console.written(target)
    return 0


def _written(write: Callable[[], None]) -> None:
    """A file that cannot be written is no wrong call."""
    try:
        write()
    except SistelError as problem:
        codes = [Diagnostic("cannot-write", each.severity, each.message, each.span, each.expected, each.hint)
                 for each in problem.diagnostics]  # fmt: skip
        raise SistelError(codes) from None


def _say(console: Console, data: JsonObject, text: str) -> int:
    if console.json:
        console.document(data)
    else:
        console.write(text)
    return 0


_TASKS: dict[str, Callable[[Sequence[str], Call, Console], int]] = {
    "": _orientations,
    "table": _table,
    "group": _group,
    "product": _product,
    "nearest": _nearest,
    "angles": _angles,
    "grammar": _grammar,
    "dialogue": _dialogue,
}
