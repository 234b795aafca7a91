"""tools/wheel and hatch_build.py: no wheel without the libraries of pages, and words where something is not at hand."""

from __future__ import annotations

import importlib.util
import os
import runpy
import shutil
import subprocess
import sys
import zipfile
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[3]
BUILD = [sys.executable, "-m", "hatchling", "build", "-d", "dist", "-t"]


@pytest.fixture(scope="module")
def wheel() -> ModuleType:
    loader = SourceFileLoader("tools_wheel", str(ROOT / "tools" / "wheel"))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[loader.name] = module
    loader.exec_module(module)
    return module


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """As much of a clean checkout as a build looks at, without the libraries of pages."""
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE", ".gitignore", "tools/assets"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy2(ROOT / name, tmp_path / name)
    for name in (
        *("src/sistel/__init__.py", "src/sistel/_version.py", "models/pendulum.xml"),
        *("web/package-lock.json", "web/build.mjs", "web/pieces.mjs", "web/svelte-plugin.mjs", "web/src/page/boot.ts"),
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, tmp_path / name)
    return tmp_path


def without_npm() -> dict[str, str]:
    return {**os.environ, "PATH": "/nowhere"}


@pytest.mark.parametrize("target", ["wheel", "sdist"])
def test_no_wheel_without_libraries(target: str, clone: Path) -> None:
    """Where they are missing and cannot be gathered, the build says so in one sentence."""
    done = subprocess.run([*BUILD, target], cwd=clone, env=without_npm(), capture_output=True, text=True)
    assert done.returncode == 1 and not list(clone.glob("dist/*"))
    (line,) = done.stderr.strip().splitlines()
    assert line.startswith("sistel cannot be built: src/sistel/views/assets/files, which pages need, is not there")
    assert "npm is not installed" in line and line.endswith("Run `make setup` with npm at hand, and build again.")


def test_libraries_come_along(clone: Path) -> None:
    files = clone / "src" / "sistel" / "views" / "assets" / "files"
    files.mkdir(parents=True)
    for name in ("LICENSES.txt", "page.js"):
        (files / name).write_text(name)
    sources = runpy.run_path(str(clone / "tools" / "assets"))["digest"]()
    (files / "sources.sha256").write_text(sources)
    for target in ("sdist", "wheel"):
        subprocess.run([*BUILD, target], cwd=clone, env=without_npm(), check=True, capture_output=True)
    (made,) = clone.glob("dist/*.whl")
    names = zipfile.ZipFile(made).namelist()
    assert {f"sistel/views/assets/files/{name}" for name in ("LICENSES.txt", "page.js")} <= set(names)
    assert "sistel/gallery/pendulum.xml" in names


def test_scripts_of_other_sources_are_not_shipped(clone: Path) -> None:
    files = clone / "src" / "sistel" / "views" / "assets" / "files"
    files.mkdir(parents=True)
    for name in ("LICENSES.txt", "page.js"):
        (files / name).write_text(name)
    (files / "sources.sha256").write_text(runpy.run_path(str(clone / "tools" / "assets"))["digest"]())
    with (clone / "web" / "src" / "page" / "boot.ts").open("a") as source:
        source.write("// another line\n")
    done = subprocess.run([*BUILD, "wheel"], cwd=clone, env=without_npm(), capture_output=True, text=True)
    assert done.returncode == 1 and "sistel cannot be built" in done.stderr


def test_editable_installs_go_without(clone: Path) -> None:
    code = "import sys; from hatchling.build import build_editable; build_editable(sys.argv[1])"
    (clone / "dist").mkdir()
    subprocess.run([sys.executable, "-c", code, "dist"], cwd=clone, env=without_npm(), check=True, capture_output=True)
    assert list(clone.glob("dist/*.whl"))


def needy(folder: Path, *needs: str) -> Path:
    """A wheel with nothing but a description of what it needs."""
    path = folder / "needy-1-py3-none-any.whl"
    about = "".join(f"Requires-Dist: {need}\n" for need in needs)
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("needy-1.dist-info/METADATA", f"Metadata-Version: 2.1\nName: needy\nVersion: 1\n{about}\n")
    return path


def test_dependencies_are_those_of_the_wheel(wheel: ModuleType, tmp_path: Path) -> None:
    made = needy(tmp_path, "numpy >=1.26", "lxml>=5.2", "mypy>=1 ; extra == 'checks'")
    assert wheel.dependencies(made) == ["numpy>=1.26", "lxml>=5.2"]


def test_without_network(wheel: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    trial = wheel.Trial(tmp_path)
    trial.copy.mkdir()
    (trial.copy / "requirements-dev.lock").touch()
    with pytest.raises(wheel.Skipped, match=r"nothing-of-the-kind>=1 cannot be fetched; is there a network\?"):
        trial.used(needy(tmp_path, "nothing-of-the-kind >=1"))


def test_time_is_bounded(wheel: ModuleType, tmp_path: Path) -> None:
    trial = wheel.Trial(tmp_path)
    trial.start -= wheel.LIMIT - 0.2
    with pytest.raises(wheel.Skipped, match="90 s are over"):
        trial._call([sys.executable, "-c", "import time; time.sleep(60)"])
    with pytest.raises(wheel.Skipped, match="90 s are over"):
        trial._call([sys.executable, "-c", "pass"])


@pytest.mark.parametrize(
    ("raised", "status", "words"),
    [("Skipped", 0, "the wheel is not tried to the end: why"), ("Failed", 1, "the wheel is wrong: why")],
)
def test_what_is_told(
    raised: str,
    status: int,
    words: str,
    wheel: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def built(self: object) -> None:
        raise getattr(wheel, raised)("why")

    monkeypatch.setattr(wheel.Trial, "built", built)
    assert wheel.main([]) == status
    said = capsys.readouterr()
    assert words in said.out + said.err
