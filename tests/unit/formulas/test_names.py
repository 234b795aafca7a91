"""Any name that a file may use becomes a legal symbol in every language."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import sistel
from sistel.formulas._symbols import Identifiers, ascii_name, split_name

HOSTILE = ("масса_1", "phi", "θ2", "lambda", "if", "sin", "math", "diff", "q1", "v1", "x_1_2", "naïve", "длина.стержня")
"""Cyrillic and Greek, words of the languages, and names that coordinates would have."""


def system(names: tuple[str, ...]) -> sistel.System:
    called = [f"тело - a_{i}/.x" for i in range(len(names))]
    bases = ["0", *called]
    bodies = "".join(
        f'<body name="{own}" base="{base}" joint="revolute" mass="{name}" com="0, 1 m"/>'
        for own, base, name in zip(called, bases, names, strict=False)
    )
    parameters = "".join(
        f'<parameter name="{name}" value="{i + 1} kg" about="*/ &quot;&quot;&quot; \\end &lt;b&gt; {name}"/>'
        for i, name in enumerate(names)
    )
    return sistel.parse(f'<system name="*/ &quot;&quot;&quot; \\x $ &lt;script&gt;">{parameters}{bodies}</system>')


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("m", ("m", ())),
        ("m1", ("m", ("1",))),
        ("mH", ("m", ("H",))),
        ("theta_rate", ("θ", ("rate",))),
        ("phi2", ("φ", ("2",))),
        ("масса_1", ("масса", ("1",))),
        ("L1_femur", ("L", ("1", "femur"))),
        ("slope", ("slope", ())),
        ("left leg.l", ("left", ("leg", "l"))),
        ("_", ("x", ())),
    ],
)
def test_names_become_letters_with_subscripts(name: str, expected: tuple[str, tuple[str, ...]]) -> None:
    assert split_name(name) == expected


@pytest.mark.parametrize("name", [*HOSTILE, "", "123", "щё", "a" * 500, "\u202e\x00", "𝔐", "日本"])
def test_identifiers_are_plain(name: str) -> None:
    assert re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,40}", ascii_name(name))


def test_identifiers_are_given_once() -> None:
    names = Identifiers()
    given = [names.take(name) for name in ("m", "m", "м", "lambda", "sin", "l", "L")]
    assert len(set(given)) == len(given)
    assert "lambda" not in given and "sin" not in given


def test_python_and_c_take_hostile_names() -> None:
    subject = system(HOSTILE[:3])
    equations = subject.equations()
    names: dict[str, Any] = {}
    exec(compile(equations.to_python(), "x", "exec"), names)
    state = [[0.1, 0.2, 0.3], [0.4, 0.5, 0.6], [0.7, 0.8, 0.9]]
    assert names["inverse_dynamics"](*state) == pytest.approx(list(subject.inverse_dynamics(*state)), rel=1e-13)
    assert equations.to_c().isascii()


def test_words_of_the_languages_are_avoided() -> None:
    equations = system(HOSTILE[3:6]).equations()
    compile(equations.to_python(), "x", "exec")
    texts = [symbol.text for symbol in equations.symbols.values()]
    assert len(set(texts)) == len(texts)
    clash = system(HOSTILE[8:11]).equations()
    texts = [symbol.text for symbol in clash.symbols.values()]
    assert len(set(texts)) == len(texts)
    compile(clash.to_python(), "x", "exec")


@pytest.mark.parametrize("names", [HOSTILE[:3], HOSTILE[3:6], HOSTILE[10:13]])
def test_markup_is_well_formed(names: tuple[str, ...]) -> None:
    equations = system(names).equations()
    for text in (equations.to_mathml(), equations.to_html(lang="en")):
        assert "<script" not in text
    ElementTree.fromstring(equations.to_mathml())
    latex = equations.to_latex()
    assert_balanced(latex)


def assert_balanced(latex: str) -> None:
    """Braces, environments and mathematical modes are closed in the order they were opened."""
    depth = 0
    stack: list[str] = []
    pattern = r"\\begin\{(\w+\*?)\}|\\end\{(\w+\*?)\}|\\[\[(]|\\[\])]|\\.|[{}$&%#_^]"
    for found in re.finditer(pattern, latex):
        token = found[0]
        if found[1]:
            stack.append(found[1])
        elif found[2]:
            assert stack.pop() == found[2]
        elif token in (r"\(", r"\["):
            stack.append(token)
        elif token in (r"\)", r"\]"):
            assert stack.pop() == {r"\)": r"\(", r"\]": r"\["}[token]
        elif token in ("{", "}"):
            depth += 1 if token == "{" else -1
            assert depth >= 0
        else:
            assert token not in ("$", "%", "#")
            if token in ("_", "^"):
                assert any(mode in stack for mode in (r"\(", r"\[", "align*", "pmatrix"))
    assert depth == 0 and not stack


@pytest.mark.parametrize("name", ["cart_pendulum", "chain5", "spinning_top"])
def test_latex_of_the_gallery_is_balanced(name: str, models_dir: Path) -> None:
    equations = sistel.load(models_dir / f"{name}.xml").equations()
    assert_balanced(equations.to_latex())
    assert_balanced(equations.to_latex(lang="ru", document=False))


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_latex_compiles(models_dir: Path) -> None:
    for subject in (sistel.load(models_dir / "cart_pendulum.xml"), system(HOSTILE[:3])):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "x.tex").write_text(subject.equations().to_latex(), encoding="utf-8")
            command = ["pdflatex", "-halt-on-error", "-interaction=batchmode", "x.tex"]
            subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)


@pytest.mark.skipif(shutil.which("maxima") is None, reason="Maxima is not installed")
def test_maxima_takes_hostile_names(tmp_path: Path) -> None:
    file = tmp_path / "x.mac"
    file.write_text(system(HOSTILE[3:5]).equations().to_maxima(lang="ru"), encoding="utf-8")
    done = subprocess.run(
        ["maxima", "--very-quiet", "--batch-string", f'batchload("{file.as_posix()}");'],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert "residual: [0, 0]" in done.stdout
