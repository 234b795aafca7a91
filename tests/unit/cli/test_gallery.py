"""`sistel gallery`: what it writes, what it says, and what it does with files that are wrong."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import sistel
from sistel.cli import _site, _site_store, gallery
from sistel.cli._site_motions import exercised

PENDULUM = """<!-- A pendulum for tests. It swings. -->
<system name="{name}"><body name="rod" joint="revolute" mass="1" com="0,300" inertia="0.01"/><start rod="40"/></system>"""
FRAME = """<system name="no mass"><body name="rod" joint="revolute"/></system>"""


@pytest.fixture
def pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages take seconds each, and have tests of their own: here it is enough that they are asked for."""
    import sistel.views.page

    def page(model, run=None, **_):
        return f"<html>{model.name}, {0.0 if run is None else run.end:g} s</html>"

    monkeypatch.setattr(sistel.views.page, "draw_page", page)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    made = []
    for name in ("one", "two"):
        path = tmp_path / f"{name}.xml"
        path.write_text(PENDULUM.format(name=name), encoding="utf-8")
        made.append(str(path))
    return made


def test_a_site(run, files: list[str], tmp_path: Path, pages: None):
    site = tmp_path / "deep" / "site"
    found = run("gallery", *files, "-o", str(site), "--until", "300 ms", "--jobs", "1", "--lang", "en")
    assert "2 pages, 2 with a motion" in found.err
    assert (site / "models" / "one.html").read_text(encoding="utf-8") == "<html>one, 0.3 s</html>"
    assert (site / "thumbs" / "two.svg").read_text(encoding="utf-8").count("<svg") == 1
    assert "<animate" in (site / "thumbs" / "two.moving.svg").read_text(encoding="utf-8")
    index = (site / "index.html").read_text(encoding="utf-8")
    assert index.count('class="card"') == 2 and "A pendulum for tests" in index
    assert not list(site.rglob(".*"))  # no drafts are left


def test_still_pages(run, files: list[str], tmp_path: Path, pages: None):
    site = tmp_path / "site"
    found = run("gallery", files[0], "-o", str(site), "--still", "--json")
    data = json.loads(found.out)
    assert [(row["name"], row["page"], row["motion"]) for row in data["models"]] == [("one", "models/one.html", False)]
    assert not (site / "thumbs" / "one.moving.svg").exists()
    assert "0 s" in (site / "models" / "one.html").read_text(encoding="utf-8")


def test_what_is_wrong_is_told_and_the_rest_is_made(run, files: list[str], tmp_path: Path, pages: None):
    broken, still = tmp_path / "broken.xml", tmp_path / "still.xml"
    broken.write_text("<system><bodi/></system>", encoding="utf-8")
    still.write_text(FRAME, encoding="utf-8")
    site = tmp_path / "site"
    absent = str(tmp_path / "absent.xml")
    found = run("gallery", broken, *files, still, absent, "-o", site, "--until", "0.1", "--jobs", "1")
    assert found.status == 1
    assert "broken.xml:1:10" in found.err
    assert "absent.xml" in found.err
    assert "still.xml" in found.err and (site / "models" / "still.html").exists()
    index = (site / "index.html").read_text(encoding="utf-8")
    assert index.count('class="card"') == 3


def test_a_page_that_cannot_be_made(run, files: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """With the motion, then without it, then not at all: each is told."""
    import sistel.views.page
    from sistel.errors import Diagnostic, SistelError, Text

    def refuse(model, run=None, **_):
        if run is not None or model.name == "two":
            raise SistelError([Diagnostic("a", "error", Text("because of the test", "из-за теста"))])
        return "<html></html>"

    monkeypatch.setattr(sistel.views.page, "draw_page", refuse)
    site = tmp_path / "site"
    (site / "models").mkdir(parents=True)
    (site / "models" / "two.html").write_text("old")
    found = run("gallery", *files, "-o", str(site), "--until", "0.1", "--jobs", "1", "--lang", "en")
    assert "one.xml: its page has no motion: because of the test" in found.err
    assert "two.xml: it has no page" in found.err
    assert (site / "models" / "one.html").exists() and not (site / "models" / "two.html").exists()
    index = (site / "index.html").read_text(encoding="utf-8")
    assert 'href="models/one.html"' in index and 'href="models/two.html"' not in index


def test_a_simulation_that_takes_too_long_is_cut(run, files: list[str], tmp_path: Path, pages: None, monkeypatch):
    monkeypatch.setattr(_site, "PATIENCE", -1.0)
    found = run("gallery", files[0], "-o", str(tmp_path / "site"), "--until", "5000", "--lang", "en")
    assert "took too long" in found.err


def test_a_failure_of_the_program_itself_concerns_one_system(run, files: list[str], tmp_path: Path, monkeypatch):
    import sistel.views.page

    def fail(model, run=None, **_):
        if model.name == "two":
            raise ZeroDivisionError("of the test")
        return "<html></html>"

    monkeypatch.setattr(sistel.views.page, "draw_page", fail)
    found = run("gallery", *files, "-o", str(tmp_path / "site"), "--until", "0.1", "--jobs", "1")
    assert found.status == 70
    assert "two.xml: sistel itself failed (ZeroDivisionError: of the test)" in found.err
    assert (tmp_path / "site" / "models" / "one.html").exists()


def test_interruption_leaves_no_half_files(run, files: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def interrupt(job):
        raise KeyboardInterrupt

    monkeypatch.setattr(gallery, "make", interrupt)
    site = tmp_path / "site"
    found = run("gallery", *files, "-o", str(site), "--jobs", "1", "--lang", "en")
    assert found.status == 130
    assert "0 of 2 pages are made" in found.err
    assert not (site / "index.html").exists()


def test_an_interrupted_build_leads_to_what_is_there(run, files: list[str], tmp_path: Path, pages: None, monkeypatch):
    """And the next one makes the rest."""
    site, make = tmp_path / "site", gallery.make

    def interrupt(job):
        if job.slug == "two":
            raise KeyboardInterrupt
        return make(job)

    monkeypatch.setattr(gallery, "make", interrupt)
    call = ("gallery", *files, "-o", str(site), "--until", "0.1", "--jobs", "1", "--lang", "en")
    found = run(*call)
    assert found.status == 130 and "1 of 2 pages are made" in found.err
    index = (site / "index.html").read_text(encoding="utf-8")
    assert 'href="models/one.html"' in index and "two" not in index
    made = []
    monkeypatch.setattr(gallery, "make", lambda job: made.append(job.slug) or make(job))
    found = run(*call)
    assert found.status == 0 and made == ["two"] and "2 pages, 2 with a motion, 1 as they were" in found.err
    # Interrupted again, with everything out of date: the pages of before are still found.
    monkeypatch.setattr(gallery, "make", interrupt)
    monkeypatch.setattr(_site_store, "program_digest", lambda: "another")
    assert run(*call).status == 130
    assert (site / "index.html").read_text(encoding="utf-8").count('href="models/') == 2


@pytest.fixture
def built(run, files: list[str], tmp_path: Path, pages: None, monkeypatch: pytest.MonkeyPatch):
    """A site of two pages; gives what builds it again, and tells which pages were made then."""
    site, make, made = tmp_path / "site", gallery.make, []
    monkeypatch.setattr(gallery, "make", lambda job: made.append(job.slug) or make(job))

    def build(*more: str, models: list[str] = files) -> list[str]:
        made.clear()
        found = run("gallery", *models, "-o", str(site), "--until", "0.1", "--jobs", "1", "--lang", "en", *more)
        assert found.status == 0
        return sorted(made)

    assert build() == ["one", "two"]
    return build


def test_what_has_not_changed_is_not_made_again(built, tmp_path: Path):
    site = tmp_path / "site"
    index = (site / "index.html").read_bytes()
    assert built() == []
    assert (site / "index.html").read_bytes() == index


def test_what_has_changed_is_made_again(built, files: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    site = tmp_path / "site"
    model = Path(files[0])
    model.write_text(model.read_text(encoding="utf-8").replace("0,300", "0,301"), encoding="utf-8")
    assert built() == ["one"]
    (site / "models" / "two.html").write_text("by another hand")
    assert built() == ["two"]
    (site / "thumbs" / "two.svg").unlink()
    assert built() == ["two"]
    assert built("--until", "0.2") == ["one", "two"]
    assert built("--until", "0.2") == []
    monkeypatch.setattr(_site_store, "program_digest", lambda: "another state of the program")
    assert built("--until", "0.2") == ["one", "two"]


def test_what_a_model_names_counts_too(built, files: list[str], tmp_path: Path):
    part, model = tmp_path / "part.xml", tmp_path / "whole.xml"
    body = '<body name="rod" joint="revolute" mass="{}" com="0,300" inertia="0.01"/>'
    part.write_text(f'<system name="part">{body.format(1)}</system>', encoding="utf-8")
    model.write_text('<system name="whole"><include file="part.xml"/></system>', encoding="utf-8")
    models = [*files, str(model)]
    assert built(models=models) == ["whole"]
    assert built(models=models) == []
    part.write_text(f'<system name="part">{body.format(2)}</system>', encoding="utf-8")
    assert built(models=models) == ["whole"]


def test_pages_of_models_that_are_gone_go_too(built, files: list[str], tmp_path: Path):
    site = tmp_path / "site"
    (site / "models" / "mine.html").write_text("of the user")
    assert built(models=files[:1]) == []
    assert sorted(path.name for path in (site / "models").iterdir()) == ["mine.html", "one.html"]
    assert "two" not in (site / "index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("text", ["", "[]", '{"pages": [{}]}', '{"pages": [{"job": {"slug": "one"}}]}', "\x00"])
def test_a_damaged_store_counts_as_none(built, tmp_path: Path, text: str):
    (tmp_path / "site" / "made.json").write_text(text, encoding="utf-8")
    assert built() == ["one", "two"]


def test_a_store_leads_to_no_other_folder(built, files: list[str], tmp_path: Path):
    store = tmp_path / "site" / "made.json"
    data = json.loads(store.read_text(encoding="utf-8"))
    data["pages"][1]["files"] = {"../one.xml": "", "models/../../two.xml": "", "models/two.html": ""}
    store.write_text(json.dumps(data), encoding="utf-8")
    assert built(models=files[:1]) == []
    assert all(Path(file).exists() for file in files)
    assert not (tmp_path / "site" / "models" / "two.html").exists()


@pytest.mark.parametrize(
    "words",
    [
        ["one.xml"],
        ["one.xml", "-o", "site", "--until", "0"],
        ["one.xml", "-o", "site", "--until", "nan"],
        ["one.xml", "-o", "site", "--jobs", "0"],
        ["one.xml", "-o", "site", "--jobs", "many"],
    ],
)
def test_wrong_calls(run, words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    found = run("gallery", *words)
    assert found.status == 2 and found.err
    assert not (tmp_path / "site").exists()


def test_help_shows_that_there_may_be_many_files(run):
    assert "[FILE…]" in run("gallery", "--help", "--lang", "en").out
    assert "[ФАЙЛ…]" in run("gallery", "--help", "--lang", "ru").out


def test_completion_goes_on_after_the_first_file(run):
    bash, zsh = (run("completion", shell).out for shell in ("bash", "zsh"))
    case = bash[bash.index("    gallery)") :].partition(";;\n    schema)")[0]
    assert "*) files=yes ;;" in case
    assert "'*:FILE:_files'" in zsh


@pytest.mark.slow
def test_two_processes_make_the_same(run, files: list[str], tmp_path: Path):
    sites = [tmp_path / name for name in ("a", "b")]
    for site, jobs in zip(sites, ("1", "2"), strict=True):
        run("gallery", *files, "-o", str(site), "--until", "0.2", "--jobs", jobs, "--lang", "ru")
    found = [sorted(path.relative_to(site) for path in site.rglob("*") if path.is_file()) for site in sites]
    assert found[0] == found[1] and len(found[0]) == 8
    for path in found[0]:
        assert (sites[0] / path).read_bytes() == (sites[1] / path).read_bytes(), path


def test_parts_are_not_listed_and_all_others_have_names() -> None:
    from sistel.cli._gallery import entries, folder
    from sistel.cli._gallery_names import NAMES, PARTS, WALKING

    found = {entry.name for entry in entries()}
    where = folder()
    assert where is not None
    assert not PARTS & found and all((where / f"{name}.xml").is_file() for name in PARTS)
    assert set(NAMES) == found and found >= WALKING


@pytest.mark.parametrize(("name", "postures"), [("puma560", 4), ("scara", 0)])
def test_an_arm_that_nothing_drives_goes_through_its_postures_and_back(name: str, postures: int, models_dir: Path):
    known = sistel.load(models_dir / f"{name}.xml")
    arm, length = exercised(known)
    run = arm.simulate(length)
    start = np.array(known.model.start.q)
    assert np.abs(run.q - start).max(axis=0).min() > 0.01  # every joint moves, [rad] or [m]
    for rests in (run.q[0], run.q[-1]):
        assert np.allclose(rests, start, rtol=0, atol=1e-12)
    assert np.abs(run.v[[0, -1]]).max() < 1e-12
    assert len(known.model.postures) == postures
    for posture in known.model.postures:
        nearest = np.abs(run.q - np.array(posture.q)).max(axis=1).argmin()
        assert np.allclose(run.q[nearest], posture.q, rtol=0, atol=1e-9)
        assert np.abs(run.v[nearest]).max() < 1e-6
    for body in known.model.bodies:
        low, high = known.model.limits(body, 0)
        coordinate = run.q[:, body.first_q]
        assert low - 1e-12 <= coordinate.min() and coordinate.max() <= high + 1e-12


def test_an_arm_keeps_to_its_own_limits_of_speed(models_dir: Path, tmp_path: Path):
    text = (models_dir / "panda_like.xml").read_text(encoding="utf-8")
    slow = tmp_path / "slow.xml"
    slow.write_text(text.replace('speed="2.61 rad/s"', 'speed="0.2 rad/s"'), encoding="utf-8")
    arm, length = exercised(sistel.load(slow))
    table = arm.simulate(length).table(every=length / 400)
    speeds = np.abs(np.diff(table.values, axis=0) / np.diff(table.times)[:, None]).max(axis=0)
    assert (speeds[4:] <= 0.16 + 1e-9).all() and speeds[4:].max() > 0.159  # four fifths of the limit


def test_a_page_of_an_idle_arm_moves_as_long_as_it_needs_or_as_was_asked(
    run, models_dir: Path, tmp_path: Path, pages: None
):
    arm = str(models_dir / "scara.xml")
    for words, length in (([], 4.0), (["--until", "1.5"], 1.5), (["--still"], 0.0)):
        site = tmp_path / f"site {length:g}"
        run("gallery", arm, "-o", str(site), "--jobs", "1", *words)
        assert f", {length:g} s<" in (site / "models" / "scara.html").read_text(encoding="utf-8")
