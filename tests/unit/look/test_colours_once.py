"""Colours are written down once: everything else says which token it means."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sistel.look import TOKENS, painted, properties, style_sheet

ROOT = Path(__file__).resolve().parents[3]
LITERAL = re.compile(
    r"#(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{8}|[0-9a-fA-F]{3,4})(?![0-9a-zA-Z_-])|\b(?:rgba?|hsla?|oklch|lab)\("
)
TRIPLE = re.compile(
    r"(?:emissive|diffuse|specular|sky|ground)Color='?[\"]?:? ?['\"]?(?:0?\.\d+|[01]) (?:0?\.\d+|[01]) "
)
"""Colours of X3D, written into a text."""
EXCEPTIONS = {
    "src/sistel/look/_tokens.py": "their home",
    "src/sistel/look/_style.py": "shadows, which are tokens too",
    "src/sistel/views/schemes/scheme.xsl": "a stylesheet that people take along; a test below compares it with the tokens",
    "src/sistel/views/x3d/_colours.py": "the colour words of CSS, for colours that files give",
    "src/sistel/views/prototypes/_static.py": "the shine of plastics",
    "src/sistel/views/reports/_typst.py": "only the word of the other language",
    "src/sistel/views/charts/palette.py": "a colour map with its own measure, and more categories than there are tokens",
}
PLACES = ("src/sistel/**/*.py", "src/sistel/**/*.css", "src/sistel/**/*.xsl", "src/sistel/**/*.html", "web/src/**/*.ts")


def written(path: Path) -> list[str]:
    """Colours in a file, with their lines; private names of JavaScript and references of XML are none."""
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if path.suffix == ".ts" and re.search(r"this\.#|^\s*(?:async |static |readonly )*#\w+", line):
            continue
        bare = re.sub(r"&#x?[0-9a-fA-F]+;|def \w*rgba?\(|\.rgba?\(|url\(#", "", line)
        if LITERAL.search(bare) or TRIPLE.search(bare):
            found.append(f"{number}: {line.strip()[:100]}")
    return found


def test_no_colour_stands_elsewhere() -> None:
    wrong = []
    for pattern in PLACES:
        for path in sorted(ROOT.glob(pattern)):
            name = path.relative_to(ROOT).as_posix()
            if "/assets/files/" in name or name in EXCEPTIONS:
                continue
            wrong += [f"{name}:{place}" for place in written(path)]
    assert not wrong, "colours are tokens (CONTRIBUTING.md, “The web”):\n" + "\n".join(wrong)


def test_the_search_finds_colours(tmp_path: Path) -> None:
    for text in ("a{color:#1a2b3c}", "a{color:#fff}", "a{box-shadow:0 0 1px rgb(0 0 0/.1)}", "skyColor='0.1 0.2 0.3'"):
        (tmp_path / "a.css").write_text(text)
        assert written(tmp_path / "a.css"), text
    for text in ("a{color:var(--ink)}", "&#160;", "href='#place'", "writer.rgba(node)"):
        (tmp_path / "a.css").write_text(text)
        assert not written(tmp_path / "a.css"), text


def test_the_stylesheet_that_goes_along_has_the_tokens() -> None:
    text = (ROOT / "src/sistel/views/schemes/scheme.xsl").read_text(encoding="utf-8")
    used = set(re.findall(r"#[0-9a-f]{6}", text))
    known = {colour for pair in TOKENS.values() for colour in pair}
    assert len(used) > 10 and used <= known


@pytest.mark.parametrize("name", ["sistel.css", "icon.svg", "logo.svg"])
def test_the_documentation_has_the_tokens(name: str) -> None:
    used = LITERAL.findall((ROOT / "docs" / "theme" / "assets" / name).read_text(encoding="utf-8"))
    assert used and {*used} <= {colour for pair in TOKENS.values() for colour in pair}


@pytest.mark.parametrize("path", sorted(ROOT.glob("src/sistel/**/*.css")), ids=lambda path: path.name)
def test_every_property_is_there(path: Path) -> None:
    """A misspelt token would be no colour at all, without a word."""
    if "assets" in path.parts:
        return
    said = path.read_text(encoding="utf-8")
    scripts = "".join(each.read_text(encoding="utf-8") for each in ROOT.glob("web/src/**/*.ts"))
    # Scripts set what only they know: the colour of a structure, a place.
    set_there = re.findall(r"setProperty\(\s*[\"'`](--[\w-]+)", scripts)
    known = {*re.findall(r"(--[\w-]+)\s*:", style_sheet() + said), *set_there}
    assert set(re.findall(r"var\((--[\w-]+)", said)) <= known


def test_so_it_is_in_scripts() -> None:
    known = set(re.findall(r"(--[\w-]+)\s*:", style_sheet(*(p.read_text() for p in ROOT.glob("src/sistel/**/*.css")))))
    for path in ROOT.glob("web/src/**/*.ts"):
        text = path.read_text(encoding="utf-8")
        used = set(re.findall(r"var\((--[\w-]+)[,)]", text))
        assert used <= known | {"--own"} | set(re.findall(r"(--[\w-]+)[\"':]", text)), path.name


def test_pictures_have_plain_colours() -> None:
    rules = ".a{fill:var(--paper);stroke-width:2}.b{stroke:var(--bad)}.c{font-size:3px}"
    assert "var(" not in painted(rules)
    assert painted(rules, "light") == ".a{fill:#ffffff;stroke-width:2}.b{stroke:#b3261e}.c{font-size:3px}"
    both = painted(rules)
    day, night = both.split("@media (prefers-color-scheme:dark){")
    assert day == painted(rules, "light")
    # Said again by night is what has a colour, and nothing else.
    assert night == f"\n.a{{fill:{TOKENS['paper'][1]}}}\n.b{{stroke:{TOKENS['bad'][1]}}}\n}}\n"
    with pytest.raises(KeyError):
        painted(".a{fill:var(--no-such)}")


def test_properties_for_day_and_night() -> None:
    text = properties()
    for name, (day, night) in TOKENS.items():
        assert text.count(f"--{name}:{day};") >= 1 and text.count(f"--{name}:{night};") >= 2
    assert "theme-dark" not in text and "theme-dark" in properties(switched=True)
