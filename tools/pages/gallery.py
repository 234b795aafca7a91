"""The page of the gallery: what every file of models/ describes, in the file's own words."""

from __future__ import annotations

import re
from pathlib import Path

from markdown_text import escape

import sistel

MODELS = Path(__file__).resolve().parents[2] / "models"
SUFFIXES = (".xml", ".urdf", ".mjcf")
COMMENT = re.compile(r"<!--(.*?)-->", re.DOTALL)


def page(lang: str) -> str:
    """The gallery in Markdown."""
    paths = [path for path in sorted(MODELS.iterdir()) if path.suffix in SUFFIXES]
    paths += sorted(MODELS.glob("*/mission.xml"))  # with parts in files beside it
    systems = [(path, sistel.load(path)) for path in paths]
    lines = ["# " + _say(lang, "Gallery", "Галерея"), ""]
    lines += [
        _say(
            lang,
            f"The folder `models/` holds {len(systems)} systems. Tests, pages and benchmarks use them; they are also a "
            "good place to copy from: `sistel models` lists them, `sistel new NAME` makes a copy. Each file speaks for "
            "itself, in the language that it is written in.",
            f"В папке `models/` {_count(len(systems), 'система', 'системы', 'систем')}. На них работают тесты, "
            "страницы и замеры; они же служат образцами: `sistel models` перечисляет их, `sistel new ИМЯ` делает "
            "копию. Каждый файл говорит сам за себя, на том языке, на котором написан.",
        ),
        "",
    ]
    for planar, title in ((True, ("In the plane", "На плоскости")), (False, ("In space", "В пространстве"))):
        lines += ["## " + _say(lang, *title), ""]
        for path, system in systems:
            if system.planar is planar:
                lines += _entry(lang, path, system)
    return "\n".join(lines) + "\n"


def _entry(lang: str, path: Path, system: sistel.System) -> list[str]:
    up = "../../" if lang == "ru" else "../"
    freedoms = sorted({structure.dof for structure in system.structures})
    span = f"{freedoms[0]}" if len(freedoms) == 1 else f"{freedoms[0]}–{freedoms[-1]}"
    bodies, structures = len(system.bodies), len(system.structures)
    if lang == "ru":
        facts = [system.structure_class, _count(bodies, "тело", "тела", "тел"), f"степеней свободы: {span}"]
        facts += [_count(structures, "структура", "структуры", "структур")] if structures > 1 else []
    else:
        facts = [system.structure_class, f"{bodies} {'body' if bodies == 1 else 'bodies'}"]
        facts.append(f"{span} degree{'s' if span != '1' else ''} of freedom")
        facts += [f"{structures} structures"] if structures > 1 else []
    name = path.relative_to(MODELS).as_posix()
    line = f"[`{name}`]({up}models/{name}) · " + " · ".join(facts)
    return [f"### {system.name}", "", line, "", *_about(system.source.text), ""]


def _about(text: str) -> list[str]:
    """The first paragraph of the first comment, safe for Markdown except for its backticks."""
    found = COMMENT.search(text)
    if found is None:
        return []
    paragraph = re.split(r"\n\s*\n", found.group(1).strip())[0]
    return [escape(" ".join(paragraph.split()))]


def _say(lang: str, en: str, ru: str) -> str:
    return ru if lang == "ru" else en


def _count(number: int, one: str, few: str, many: str) -> str:
    """A number with its Russian noun."""
    if number % 10 == 1 and number % 100 != 11:
        return f"{number} {one}"
    return f"{number} {few if number % 10 in (2, 3, 4) and number % 100 not in (12, 13, 14) else many}"
