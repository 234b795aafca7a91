"""tools/check: all steps run, the summary names those that failed, the exit status follows."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[3]
posix = pytest.mark.skipif(sys.platform == "win32", reason="shell scripts stand for programs")


@pytest.fixture(scope="module")
def check() -> ModuleType:
    loader = SourceFileLoader("tools_check", str(ROOT / "tools" / "check"))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[loader.name] = module
    loader.exec_module(module)
    return module


def step(check: ModuleType, name: str, code: str) -> object:
    return check.Step(name, (sys.executable, "-c", code))


def test_all_steps_run_and_the_summary_names_failures(check: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    steps = [
        step(check, "first", "print('out of first'); raise SystemExit(1)"),
        step(check, "tests", "print('=== \\x1b[32m3 passed\\x1b[0m, 1 skipped in 0.12s ===')"),
        check.Step("absent", ("no-such-command-anywhere",)),
    ]
    assert check.main([], steps) == 1
    output = capsys.readouterr().out
    assert "out of first" in output
    summary = output[output.index("── summary") :].splitlines()
    assert summary[1].startswith("FAILED  first")
    assert summary[2].startswith("ok      tests")
    assert summary[2].endswith("3 passed, 1 skipped in 0.12s")
    assert summary[3].startswith("FAILED  absent")
    assert summary[4] == "2 of 3 checks failed: first, absent"


def test_steps_run_beside_others(check: ModuleType, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Each of two waits for the other to have begun: one after another they would wait in vain."""
    code = (
        "import pathlib, time; here = pathlib.Path({folder!r}); (here / {own!r}).touch()\n"
        "for _ in range(600):\n"
        "    if (here / {other!r}).exists(): print('met ' + {other!r}); break\n"
        "    time.sleep(0.05)\n"
        "else: raise SystemExit(1)"
    )
    steps = [
        check.Step(own, (sys.executable, "-c", code.format(folder=str(tmp_path), own=own, other=other)), beside=beside)
        for own, other, beside in (("a", "b", True), ("b", "a", False))
    ]
    assert check.main([], steps) == 0
    output = capsys.readouterr().out
    assert output.index("met a") < output.index("── a:") < output.index("met b")  # held back until the others are done
    assert "all 2 checks passed" in output


def test_chosen_steps(check: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    steps = [step(check, "bad", "raise SystemExit(1)"), step(check, "good", "pass")]
    assert check.main(["good"], steps) == 0
    assert "all 1 checks passed" in capsys.readouterr().out
    with pytest.raises(SystemExit) as caught:
        check.main(["other"], steps)
    assert caught.value.code == 2


APT = """#!/bin/sh
echo "$*" >> "{folder}/calls"
[ "$1" = update ] && {{ touch "{folder}/lists/mirror_Packages"; exit 0; }}
shift 4
for package; do [ -e "{folder}/has/$package" ] || {{ echo "E: Unable to locate package $package" >&2; exit 100; }}; done
for package; do printf '#!/bin/sh\n' > "{folder}/bin/$package"; chmod 755 "{folder}/bin/$package"; done
[ -e "{folder}/bin/poppler-utils" ] && ln -sf poppler-utils "{folder}/bin/pdftotext"
[ -e "{folder}/bin/maxima-share" ] || exit 0
mkdir -p "{folder}/{library}" && touch "{folder}/{library}/trgsmp.mac"
"""
"""An apt-get that notes how it is called, has the packages of one folder, and installs empty programs."""


@pytest.fixture
def machine(check: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine of root's with a shell, that apt-get, packages for all programs, and none of them installed."""
    for folder in ("bin", "has", "lists"):
        (tmp_path / folder).mkdir()
    for program in check.PROGRAMS:
        (tmp_path / "has" / program.package).touch()
    for command in ("sh", "touch", "chmod", "mkdir", "ln"):
        (tmp_path / "bin" / command).symlink_to(shutil.which(command) or "")
    apt = tmp_path / "bin" / "apt-get"
    apt.write_text(APT.format(folder=tmp_path, library=LIBRARY))
    apt.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(check, "LISTS", tmp_path / "lists")
    monkeypatch.setattr(check, "SYSTEM", tmp_path)
    monkeypatch.setattr(check.os, "geteuid", lambda: 0)
    return tmp_path


def calls(machine: Path) -> list[str]:
    return (machine / "calls").read_text().splitlines() if (machine / "calls").exists() else []


LIBRARY = "usr/share/maxima/5.46.0/share/trigonometry"
ALL = "chromium chromium-headless-shell firefox-esr maxima maxima-share xsltproc fop poppler-utils zsh fish"
FETCH = "install -y -qq --no-install-recommends"


@posix
def test_missing_programs_are_installed(
    check: ModuleType, machine: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a fresh machine the lists come first; what is there is not asked for again."""
    check.provide_programs()
    assert calls(machine) == ["update -qq", f"{FETCH} {ALL}"]
    assert all(shutil.which(program.package) for program in check.PROGRAMS)
    assert "skipped" not in capsys.readouterr().out
    check.provide_programs()
    assert len(calls(machine)) == 2 and capsys.readouterr().out == ""
    (machine / "bin" / "maxima").unlink()
    check.provide_programs()
    assert calls(machine)[2:] == [f"{FETCH} maxima maxima-share"]


@posix
def test_what_cannot_be_had_does_not_keep_the_rest_away(
    check: ModuleType, machine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (machine / "has" / "firefox-esr").unlink()
    (machine / "lists" / "old_Packages.lz4").touch()
    check.provide_programs()
    assert calls(machine) == [f"{FETCH} {ALL}", "update -qq", *(f"{FETCH} {package}" for package in ALL.split())]
    assert shutil.which("xsltproc") and not shutil.which("firefox-esr")
    (line,) = [line for line in capsys.readouterr().out.splitlines() if "skipped" in line]
    assert line == (
        "firefox-esr is not installed, so tests of pages in a second browser are skipped: "
        "E: Unable to locate package firefox-esr"
    )


@posix
@pytest.mark.parametrize(
    ("programs", "words"), [((), "not root, and there is no sudo"), (("sudo",), "a password is required")]
)
def test_who_may_not_install_is_told(
    programs: tuple[str, ...],
    words: str,
    check: ModuleType,
    machine: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(check.os, "geteuid", lambda: 1000)
    for name in programs:
        (machine / "bin" / name).write_text("#!/bin/sh\necho 'sudo: a password is required' >&2; exit 1\n")
        (machine / "bin" / name).chmod(0o755)
    check.provide_programs()
    said = capsys.readouterr().out
    assert calls(machine) == [] and said.count(words) == len(check.PROGRAMS) == said.count("is not installed, so ")
    assert all(f"{program.package} is not installed, so {program.without}: " in said for program in check.PROGRAMS)


@posix
def test_without_apt(check: ModuleType, machine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (machine / "bin" / "apt-get").unlink()
    check.provide_programs()
    assert capsys.readouterr().out.count("there is no apt-get here, install it by hand") == len(check.PROGRAMS)


def test_the_steps_are_those_of_the_project(check: ModuleType) -> None:
    assert [step.name for step in check.STEPS] == [
        "ruff",
        "format",
        "mypy",
        "imports",
        "private imports",
        "web",
        "web tests",
        "reading",
        "tests",
        "coverage markup",
        "coverage model",
        "wheel",
    ]


def test_a_few_failures_are_tried_again_and_many_are_not(check: ModuleType) -> None:
    tests = check.Step("tests", (sys.executable, "-c", "raise SystemExit(1)"), again=(sys.executable, "-c", ""))
    few, many = (check.Result(tests, 1, 1.0, f"{count} failed, 9 passed in 1s") for count in (3, 29))
    assert check.once_more(tests, few).status == 0 and "3 failed" in check.once_more(tests, few).closing
    assert check.once_more(tests, many) is many
