"""tools/assets: what is missing is told, and a machine without npm goes on where it may."""

from __future__ import annotations

import importlib.util
import json
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def assets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The tool, at work in another folder."""
    loader = SourceFileLoader("tools_assets", str(ROOT / "tools" / "assets"))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[loader.name] = module
    loader.exec_module(module)
    for name, path in (("WEB", ""), ("PACKAGES", "node_modules"), ("X_ITE", "node_modules/x_ite/dist")):
        monkeypatch.setattr(module, name, tmp_path / path)
    monkeypatch.setattr(module, "FILES", tmp_path / "files")
    (tmp_path / "package-lock.json").write_text("{}")
    return module


def fake_npm(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    program = folder / "bin" / "npm"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent))


def test_without_npm(assets: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("PATH", "")
    assert assets.main([]) == 1
    assert assets.main(["--lenient"]) == 0
    said = capsys.readouterr().err
    assert "npm is not installed" in said and "make setup" in said
    assert not assets.FILES.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script stands for npm")
def test_without_network(
    assets: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fake_npm(tmp_path, monkeypatch, "echo 'npm error code ENOTFOUND' >&2; exit 1")
    assert assets.main(["--lenient"]) == 0
    assert "could not fetch" in (said := capsys.readouterr().err) and "ENOTFOUND" in said
    assert not (assets.PACKAGES / ".sistel").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script stands for npm")
def test_packages_are_fetched_once(assets: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_npm(tmp_path, monkeypatch, 'echo "$1" >> calls')
    assets.PACKAGES.mkdir()
    assets.fetch()
    assets.fetch()
    assert (tmp_path / "calls").read_text() == "ci\n"
    (tmp_path / "package-lock.json").write_text('{"other": 1}')
    assets.fetch()
    assert (tmp_path / "calls").read_text() == "ci\nci\n"


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script stands for npm")
def test_tools_of_development_are_fetched_when_asked_for(
    assets: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_npm(tmp_path, monkeypatch, 'for last; do :; done; echo "$last" >> calls')
    assets.PACKAGES.mkdir()
    assets.fetch()
    assets.fetch(tools=True)
    # Who has everything needs nothing more.
    assets.fetch()
    assets.fetch(tools=True)
    assert (tmp_path / "calls").read_text() == "--omit=dev\n--loglevel=error\n"


def test_scripts_know_their_sources(assets: ModuleType, tmp_path: Path) -> None:
    source = tmp_path / "src" / "page" / "boot.ts"
    source.parent.mkdir(parents=True)
    source.write_text("export {};")
    (tmp_path / "build.mjs").write_text("")
    (tmp_path / "svelte-plugin.mjs").write_text("")
    (tmp_path / "pieces.mjs").write_text("")
    assert not assets.current()
    assets.FILES.mkdir()
    (assets.FILES / "LICENSES.txt").write_text("")
    (assets.FILES / assets.DIGEST).write_text(assets.digest())
    assert assets.current()
    source.rename(source.with_name("start.ts"))
    assert not assets.current()


def test_another_library_is_not_adapted_blindly(assets: ModuleType, tmp_path: Path) -> None:
    source = tmp_path / "x_ite.min.mjs"
    once = "".join(before for before, _ in assets.CHANGES)
    source.write_text(once)
    assets.write_adapted(source, tmp_path / "made.mjs", assets.CHANGES)
    assert (tmp_path / "made.mjs").read_text() == "".join(after for _, after in assets.CHANGES)
    for other in ("export default 1;", 2 * once):
        source.write_text(other)
        with pytest.raises(SystemExit, match="not the one that was adapted"):
            assets.write_adapted(source, tmp_path / "made.mjs", assets.CHANGES)


def test_the_lock_names_no_hosts() -> None:
    """Packages come from wherever the user's npm takes them, and are known by their sums."""
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text(encoding="utf-8"))
    packages = {name: about for name, about in lock["packages"].items() if name}
    assert len(packages) >= 4
    for about in packages.values():
        assert "resolved" not in about and about["integrity"].startswith("sha512-")
    about = json.loads((ROOT / "web" / "package.json").read_text(encoding="utf-8"))
    wanted = about["dependencies"] | about["devDependencies"]
    assert {name: packages[f"node_modules/{name}"]["version"] for name in wanted} == wanted
