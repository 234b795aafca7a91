"""`sistel check`: what is wrong with a file, and the proof sheet of a right one."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

import sistel
from sistel.cli import check
from sistel.errors import Language

from .conftest import environment
from .test_streams import in_terminal


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_check_of_a_right_file(run, files: Path, lang: Language):
    result = run("check", "changing.xml", "--lang", lang, "--states", "1", "--structure", "tightening")
    assert (result.status, result.err) == (0, "")
    reading, _, proofs = result.out.partition(
        "errors 0, warnings 0\n" if lang == "en" else "ошибок 0, предупреждений 0\n"
    )
    assert reading.count("✓") == 9
    assert "✗" not in proofs and proofs.count("✓") > 40
    assert ("proofs hold" if lang == "en" else "все проверки сошлись") in proofs
    data = run("check", "changing.xml", "--json", "--reading").data
    assert data["right"] is True and data["proofs"] is None
    assert {row["state"] for row in data["checks"]} == {"passed"}


def test_check_of_a_wrong_file(run, files: Path):
    result = run("check", "broken.xml")
    assert result.status == 1
    assert "broken.xml:2:" in result.err
    assert "✗ words" in result.out
    data = run("check", "broken.xml", "--json").data
    assert data["right"] is False
    states = {row["key"]: row["state"] for row in data["checks"]}
    assert states["xml"] == "passed" and states["words"] == "failed"
    assert len(data["diagnostics"]) >= 2


WRONG = {
    "names": '<system><body name="a" mass="1" com="1,0"/><links><lock name="l" of="b"/></links></system>',
    "dimensions": '<system><body name="a" mass="1 mm" com="1,0"/></system>',
    "tree": '<system><body name="a" base="b" mass="1"/><body name="b" base="a" mass="1"/></system>',
    "masses": '<system space="spatial"><body name="a" mass="1" inertia="1, 1, 9"/></system>',
    "values": '<system><body name="a" joint="revolute" mass="1" com="1,0" min="5" max="1"/></system>',
}


@pytest.mark.parametrize("key", WRONG)
def test_check_says_what_is_wrong(run, files: Path, key: str):
    (files / "wrong.xml").write_text(WRONG[key])
    data = run("check", "wrong.xml", "--json").data
    states = {row["key"]: row["state"] for row in data["checks"]}
    assert states[key] in ("failed", "warned"), data
    assert states["xml"] == "passed"


@pytest.mark.parametrize(("height", "warned"), [(-40, True), (-50, False), (-60, False)])
def test_check_warns_of_a_start_from_which_no_run_goes(run, files: Path, height: int, warned: bool):
    (files / "start.xml").write_text(
        '<system name="s"><world><box name="o" size="200, 100" place="0, 50"/></world><body name="b" joint="free" mass="1"'
        ' inertia="0.01"><box name="c" size="100, 100"/></body><links><contact name="k" of="c" to="o" friction="0.3"/>'
        f'</links><start b="0, {height}, 0"/></system>'
    )
    result = run("check", "start.xml", "--reading")
    assert result.status == 0
    assert ("overlap at the start, by 0.01 m" in result.err) is warned
    assert ("перекрываются" in run("check", "start.xml", "--reading", "--lang", "ru").err) is warned


def test_check_warns(run, files: Path):
    (files / "warned.xml").write_text('<system class="closed chain"><body name="a" mass="1" com="1,0"/></system>')
    result = run("check", "warned.xml", "--reading")
    assert result.status == 0
    assert "! classes" in result.out
    assert "warning" in result.err


@pytest.mark.parametrize(("text", "failed"), [("", "file"), ("<system><body", "xml"), ("<html/>", "words")])
def test_check_stops_where_it_must(run, files: Path, text: str, failed: str):
    (files / "bad.xml").write_text(text)
    rows = run("check", "bad.xml", "--json").data["checks"]
    states = [row["state"] for row in rows]
    assert next(row["key"] for row in rows if row["state"] == "failed") == failed
    assert len(states) == 9
    # The reader of XML mends what it can, so that the words are looked at as well.
    assert failed == "xml" or set(states[states.index("failed") + 1 :]) == {"skipped"}


def test_checks_claim_different_codes():
    claimed = [code for row in check.BUILDING for code in row.codes]
    assert len(claimed) == len(set(claimed))


# --- the proof sheet --------------------------------------------------------------------------------------------------

SMALL = '<system name="small"><body name="a" joint="revolute" mass="1" com="90,0"/></system>'


@pytest.fixture
def small(files: Path) -> Path:
    path = files / "small.xml"
    path.write_text(SMALL)
    return path


def test_the_sheet_as_json(run, small: Path):
    result = run("check", "small.xml", "--json", "--states", "2", "--seed", "3")
    assert (result.status, result.err) == (0, "")
    sheet = result.data["proofs"]
    assert result.data["fingerprint"] == sheet["fingerprint"] == sistel.load(small).fingerprint
    assert (sheet["holds"], sheet["seed"], sheet["name"]) == (True, 3, "small")
    assert [section["structure"] for section in sheet["sections"]] == [None, "only"]
    rows = {row["key"]: row for section in sheet["sections"] for row in section["proofs"]}
    assert rows["inverse-lagrange"]["states"] == 2
    assert 0 <= rows["inverse-lagrange"]["error"] <= rows["inverse-lagrange"]["tolerance"] < 1e-13
    assert rows["mass-positive"]["at_least"] is True


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_a_proof_that_fails(run, small: Path, monkeypatch: pytest.MonkeyPatch, lang: Language):
    """Weight acts a little too strongly: that is one line of the sheet, and the exit status."""
    monkeypatch.setattr(
        "sistel.proofs._subject.Subject.gravity",
        property(lambda subject: subject.call("gravity_forces", subject.q) * (1 + 1e-6)),
    )
    result = run("check", "small.xml", "--lang", lang, "--html", "sheet.html")
    assert result.status == 1
    failed = [line for line in result.out.splitlines() if line.startswith("✗")]
    # M a is compared with inverse dynamics less weight.
    names = {"en": ["gravity forces", "mass matrix"], "ru": ["силы против тяжести", "матрица масс"]}[lang]
    assert len(failed) == 3 and names[0] in failed[0] and names[1] in failed[1] and " > " in failed[0]
    page = (small.parent / "sheet.html").read_text(encoding="utf-8")
    assert page.count('<tr class="fails">') == 2
    data = run("check", "small.xml", "--json").data
    assert data["right"] is True and data["proofs"]["holds"] is False


def test_the_page(run, small: Path):
    result = run("check", "small.xml", "--html", "sheet.html", "--lang", "ru")
    assert result.status == 0
    page = (small.parent / "sheet.html").read_text(encoding="utf-8")
    assert "Протокол проверки" in page and "Proof sheet" in page and "все проверки сошлись: 28" in page
    assert 'id="in-ru" checked' in page


def test_the_page_of_a_wrong_file(run, files: Path):
    assert run("check", "broken.xml", "--html", "sheet.html").status == 1
    page = (files / "sheet.html").read_text(encoding="utf-8")
    assert "errors in the file" in page and "broken.xml:2:" in page


def test_a_page_that_cannot_be_written(run, small: Path):
    result = run("check", "small.xml", "--html", "nowhere/sheet.html", "--reading")
    assert (result.status, result.out) == (1, "")
    assert "nowhere/sheet.html" in result.err and "cannot be written" in result.err


def test_links_that_do_not_meet(run, files: Path):
    (files / "far.xml").write_text(
        '<system><body name="a" joint="revolute" mass="1" com="9,0"/><links><closure name="far" joint="revolute" '
        'body="a" at="100, 0" to="0" at-to="500, 0"/></links></system>'
    )
    result = run("check", "far.xml")
    assert result.status == 1
    assert "✗ closure" in result.out and "0.4" in result.out


@pytest.mark.parametrize(
    "words",
    [
        ["--states", "0"],
        ["--states", "1001"],
        ["--states", "many"],
        ["--seed", "-1"],
        ["--seed", "²"],
        ["--structure", "onl"],
        ["--reading", "--seed", "2"],
        ["--html"],
    ],
)
@pytest.mark.parametrize("lang", ["en", "ru"])
def test_wrong_calls(run, small: Path, words: list[str], lang: Language):
    result = run("check", "small.xml", *words, "--lang", lang)
    assert (result.status, result.out) == (2, "")


def test_one_structure(run, files: Path):
    data = run("check", "changing.xml", "--structure", "approach", "--states", "1", "--json").data
    assert [section["structure"] for section in data["proofs"]["sections"]] == [None, "approach"]


def test_progress_is_for_terminals_and_leaves_no_trace(small: Path, monkeypatch: pytest.MonkeyPatch, capsys):
    class Terminal:
        def __init__(self) -> None:
            self.seen = ""

        def isatty(self) -> bool:
            return True

        def write(self, text: str) -> None:
            self.seen += text

        def flush(self) -> None: ...

    from sistel.cli._console import Console
    from sistel.errors import Text

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr(check.Progress, "WAIT", -1.0)
    bar = check.Progress(Console("ru", False))
    bar(5, 10, Text("mass matrix", "матрица масс"))
    assert "5/10  матрица масс" in terminal.seen
    bar.clear()
    assert terminal.seen.endswith("\r\x1b[K")
    terminal.seen = ""
    for quiet in (Console("en", True),):
        check.Progress(quiet)(5, 10, Text("a", "б"))
    monkeypatch.setenv("NO_COLOR", "1")
    check.Progress(Console("en", False))(5, 10, Text("a", "б"))
    assert terminal.seen == ""


def test_interruption_is_quiet(files: Path):
    """Ctrl-C amid the proofs: status 130, and nothing else is said."""
    rows = "".join(f'<body name="b{i}" joint="revolute" place="{i},0" mass="1" com="0,9"/>' for i in range(390))
    (files / "wide.xml").write_text(f"<system>{rows}</system>")
    code = (
        "import sys, sistel.proofs._prove as p\n"
        "tell = p._Ticks.__call__\n"
        "def ticks(self, claims):\n"
        "    print('go', flush=True)\n"
        "    return tell(self, claims)\n"
        "p._Ticks.__call__ = ticks\n"
        "from sistel.cli import main\n"
        "sys.exit(main(['check', 'wide.xml', '--states', '1000']))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(), cwd=files
    )
    assert process.stdout is not None and process.stdout.readline() == b"go\n"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, b"", b"")


def test_colours_of_the_sheet(small: Path):
    seen = in_terminal("check", "small.xml", cwd=small.parent, columns=100).decode()
    assert "\x1b[32m✓\x1b[0m \x1b[1minverse dynamics" in seen and "\x1b[1;32m✓ all 28 proofs hold" in seen
    assert "\x1b" not in in_terminal("check", "small.xml", cwd=small.parent, NO_COLOR="1").decode()
