"""What the index says of a system."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath

from sistel.errors import Text
from sistel.model import Model
from sistel.records import record
from sistel.views import summarize
from sistel.views.text._numbers import clean
from sistel.views.text._tables import joint_words

KEPT = 60
"""Letters of the name of a file."""


@record
class Card:
    """A system in the index of a site."""

    slug: str
    """What its files are called, without their suffixes."""
    name: str
    names: Text
    """The same in both languages, where it is known in both."""
    source: str
    """The file that it was read from, for people."""
    about: str
    structure_class: str
    class_words: Text
    planar: bool
    bodies: int
    dof: tuple[int, ...]
    """Degrees of freedom of its structures, each number once."""
    structures: int
    """How many the description names; contacts and stops make more by themselves."""
    changes: bool
    """Whether its structure can change."""
    words: str
    """What a search looks at, in both languages."""
    page: bool = True
    """Whether it has a page."""
    contacts: bool = False
    """Whether bodies of it touch something."""
    control: bool = False
    """Whether schemes or charts control it."""
    moving: bool = False
    """Whether it has a picture that moves."""
    run: bool = False
    """Whether its page has a motion."""


def card_of(
    model: Model,
    slug: str,
    source: str,
    about: str = "",
    *,
    names: Text | None = None,
    page: bool,
    moving: bool,
    run: bool,
) -> Card:
    """The card of a system.

    Args:
        model: The system.
        slug: What its files are called.
        source: The file that it was read from.
        about: A sentence for people; that of the description itself comes first.
        names: What it is called in both languages; as in its file unless told otherwise.
        page: Whether it has a page.
        moving: Whether it has a picture that moves.
        run: Whether its page has a motion.
    """
    en, ru = summarize(model, "en"), summarize(model, "ru")
    joints = dict.fromkeys((row.joint, row.axis) for row in en.bodies)
    said = clean(model.about or about)
    called = names or Text(clean(model.name), clean(model.name))
    words: list[str] = [
        clean(model.name),
        called.en,
        called.ru,
        source,
        said,
        en.structure_class,
        en.class_words,
        ru.class_words,
    ]
    words += ["planar", "плоская"] if model.planar else ["spatial", "пространственная"]
    words += [joint_words(joint, axis, lang) for joint, axis in joints for lang in ("en", "ru")]
    words += [clean(body.name) for body in model.bodies[:100]]
    controlled = any(not scheme.asks for scheme in model.schemes)
    if controlled:
        words += ["control", "управление"]
    if model.contacts:
        words += ["contacts", "контакты"]
    changes = len(model.structures) > 1 or bool(model.contacts) or bool(model.stops)
    if changes:
        words += ["structures", "структуры", *(clean(structure.name) for structure in model.structures[:100])]
    return Card(
        slug=slug,
        name=clean(model.name),
        names=called,
        source=source,
        about=said,
        structure_class=en.structure_class,
        class_words=Text(en.class_words, ru.class_words),
        planar=model.planar,
        bodies=len(model.bodies),
        dof=tuple(sorted({structure.dof for structure in model.structures})),
        structures=len(model.structures),
        changes=changes,
        contacts=bool(model.contacts),
        control=controlled,
        words=plain(" ".join(words)),
        page=page,
        moving=moving,
        run=run,
    )


def plain(text: str) -> str:
    """Words as a search compares them: small letters, and one of each pair that people do not tell apart."""
    return " ".join(dict.fromkeys(text.casefold().replace("ё", "е").replace("_", " ").split()))


def slugs(sources: Iterable[str]) -> list[str]:
    """Names of files for systems, by what they were read from: letters and digits alone, and each once."""
    found: list[str] = []
    taken: set[str] = set()
    for source in sources:
        stem = PurePath(source).with_suffix("").as_posix()
        wanted = "".join(sign if sign.isalnum() or sign == "_" else "-" for sign in stem).strip("-")[-KEPT:] or "system"
        slug, count = wanted, 1
        # Some systems of files do not tell capitals apart.
        while slug.casefold() in taken:
            count += 1
            slug = f"{wanted}-{count}"
        taken.add(slug.casefold())
        found.append(slug)
    return found
