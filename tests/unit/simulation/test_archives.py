"""Runs in archives: what is read is what was written, or it is refused in words."""

from __future__ import annotations

import io
import json
import os
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sistel
from sistel.errors import Text
from sistel.simulation import Run
from sistel.simulation.run._archives import checksum


@pytest.fixture(scope="module")
def system(models_dir: Path) -> sistel.System:
    return sistel.load(models_dir / "hopper.xml")


@pytest.fixture
def saved(system: sistel.System, tmp_path: Path) -> Path:
    system.simulate(0.3).save(tmp_path / "hop.npz")
    return tmp_path / "hop.npz"


def rewritten(source: Path, name: str, change: Any, *, summed: bool) -> Path:
    """The archive with something changed; with a checksum of its own, or that of before."""
    with np.load(source) as archive:
        kept = {key: archive[key] for key in archive.files}
    meta = json.loads(str(kept["meta"]))
    change(meta, kept)
    kept["meta"] = np.array(json.dumps(meta, ensure_ascii=False))
    if summed:
        kept.pop("checksum", None)
        kept["checksum"] = np.array(checksum(kept))
    target = source.with_name(f"{name}.npz")
    np.savez(target, **kept)
    return target


def test_what_is_untouched_is_read(saved: Path, system: sistel.System) -> None:
    again = rewritten(saved, "again", lambda meta, kept: None, summed=False)
    for path in (saved, again):
        for found in (Run.load(path), Run.load(path, system)):
            assert np.array_equal(found.q, system.simulate(0.3).q) and not found.warnings


def _digit(meta: Any, kept: Any) -> None:
    kept["coefficients_0"] = kept["coefficients_0"].copy()
    kept["coefficients_0"][0, 0, 0] += 1e-9


def _event(meta: Any, kept: Any) -> None:
    meta["events"][0]["time"] += 1e-9


def _table(meta: Any, kept: Any) -> None:
    kept["q"] = kept["q"] + 1.0


def _system(meta: Any, kept: Any) -> None:
    meta["xml"] = meta["xml"].replace('mass="10"', 'mass="11"')


def _without(meta: Any, kept: Any) -> None:
    del kept["checksum"]


@pytest.mark.parametrize("change", [_digit, _event, _table, _system, _without])
def test_what_was_changed_is_refused(saved: Path, change: Any) -> None:
    path = rewritten(saved, "changed", change, summed=False)
    with pytest.raises(sistel.SistelError, match="does not hold a run that is whole: its numbers are not those"):
        Run.load(path)


def test_another_system_inside_is_refused(saved: Path) -> None:
    """Even with a good checksum: the system must be the one that was simulated."""
    path = rewritten(saved, "other", _system, summed=True)
    with pytest.raises(sistel.SistelError, match="the system in the file is not the one that was simulated"):
        Run.load(path)


def test_archives_of_earlier_versions_are_read(saved: Path, system: sistel.System) -> None:
    def old(meta: Any, kept: Any) -> None:
        del kept["checksum"], meta["warnings"]

    found = Run.load(rewritten(saved, "old", old, summed=False))
    assert np.array_equal(found.q, system.simulate(0.3).q) and not found.warnings

    def older(meta: Any, kept: Any) -> None:
        old(meta, kept)
        meta["sistel"], meta["fingerprint"] = "0.0.1", "counted otherwise"

    found = Run.load(rewritten(saved, "older", older, summed=False))
    assert [warning.code for warning in found.warnings] == ["unproved-system"]


def test_a_system_that_reads_other_files_is_refused(saved: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.xml").write_text("<system/>")

    def including(meta: Any, kept: Any) -> None:
        meta["xml"] = '<system name="a"><include file="secret.xml" name="b"/></system>'

    with pytest.raises(sistel.SistelError):
        Run.load(rewritten(saved, "including", including, summed=True))


def test_warnings_come_back(system: sistel.System, tmp_path: Path) -> None:
    run = system.simulate(0.3)
    span = system.model.bodies[1].span
    for time in (0.1, 0.2, 0.25):
        run.noted.add("passed", time, Text("the leg is too long", "нога длинна"), span, hint=Text("cut it", "режьте"))
    run.noted.add("other", 0.05, Text("b", "б"))
    run.save(tmp_path / "hop.npz")
    found = Run.load(tmp_path / "hop.npz")
    assert [(each.code, each.time, each.count, each.message, each.hint) for each in found.warnings] == [
        ("other", 0.05, 1, Text("b", "б"), None),
        ("passed", 0.1, 3, Text("the leg is too long", "нога длинна"), Text("cut it", "режьте")),
    ]
    assert found.warnings[1].place == str(span) and found.warnings[1].span is not None
    assert found.warnings[1].span.text == system.source.line(span.line)[span.column - 1 :][: span.end - span.start]
    assert [len(times) for _, times in found.noted.until(0.2).seen()] == [2, 1]
    assert found.warnings[1].diagnostic().render("en")
    found.save(tmp_path / "again.npz")
    assert [str(each) for each in Run.load(tmp_path / "again.npz").warnings] == [str(each) for each in found.warnings]


def test_bombs_are_not_unpacked(tmp_path: Path, saved: Path) -> None:
    """Ten gigabytes of zeros in ten megabytes: refused by what the directory of the file says."""
    with pytest.raises(sistel.SistelError, match=r"takes more than 0\.000953674 MiB of memory"):
        Run.load(saved, memory=1000.0)
    bomb = tmp_path / "bomb.npz"
    head = io.BytesIO()
    np.lib.format.write_array_header_1_0(head, {"descr": "<f8", "fortran_order": False, "shape": (2**20,)})
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("meta.npy", head.getvalue() + bytes(2**23))
        for number in range(8):
            archive.writestr(f"times_{number}.npy", head.getvalue() + bytes(2**23))
    with pytest.raises(sistel.SistelError, match="takes more than 64 MiB"):
        Run.load(bomb, memory=2.0**26)


def test_heads_that_lie_about_sizes(tmp_path: Path) -> None:
    """An array of 2⁶⁰ numbers that is not there, one of objects, and one without end."""
    for shape, kind in (((2**60,), "<f8"), ((2**62, 2**62), "<f8"), ((1,), "|O"), ((-1,), "<f8"), ((0, 2**60), "<f8")):
        head = io.BytesIO()
        np.lib.format.write_array_header_1_0(head, {"descr": kind, "fortran_order": False, "shape": shape})
        with zipfile.ZipFile(tmp_path / "lie.npz", "w") as archive:
            archive.writestr("meta.npy", head.getvalue() + b"12345678")
        with pytest.raises(sistel.SistelError, match="does not hold a run"):
            Run.load(tmp_path / "lie.npz")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes here")
def test_pipes_and_devices_are_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.npz")
    for path in (tmp_path / "pipe.npz", Path("/dev/zero"), Path("/proc/self/environ")):
        with pytest.raises(sistel.SistelError, match="not a regular file"):
            Run.load(path)


def test_a_directory_before_the_beginning_is_no_fault_of_the_disk(saved: Path, tmp_path: Path) -> None:
    data = bytearray(saved.read_bytes())
    at = data.rindex(b"PK\x05\x06")
    data[at + 12 : at + 16] = (0x7FFFFFFF).to_bytes(4, "little")  # the length of the directory
    path = tmp_path / "far.npz"
    path.write_bytes(data)
    with pytest.raises(sistel.SistelError, match="does not hold a run") as caught:
        Run.load(path)
    assert "нет расчёта" in caught.value.render("ru")


def _no_number(meta: Any, kept: Any) -> None:
    kept["coefficients_0"] = kept["coefficients_0"] * np.nan


def _backwards(meta: Any, kept: Any) -> None:
    kept["times_0"] = kept["times_0"][::-1].copy() + np.arange(len(kept["times_0"]))[::-1, None]
    kept["times_0"][0, 1] = -1.0


def _another_end(meta: Any, kept: Any) -> None:
    kept["last"] = kept["last"][::-1].copy()


def _gap(meta: Any, kept: Any) -> None:
    kept["times_0"] = kept["times_0"].copy()
    kept["times_0"][:, 1] *= 0.5


def _long_word(meta: Any, kept: Any) -> None:
    meta["longest"] = "long"


def _tolerance(meta: Any, kept: Any) -> None:
    meta["tolerance"] = -1.0


def _impulses(meta: Any, kept: Any) -> None:
    meta["events"].append(
        {"time": "x", "transition": "a", "before": "b", "after": "c", "energy_loss": None, "impulses": {"l": [[], "x"]}}
    )


@pytest.mark.parametrize("change", [_no_number, _backwards, _another_end, _gap, _long_word, _tolerance, _impulses])
def test_a_true_sum_of_nonsense_is_no_run(saved: Path, change: Any) -> None:
    with pytest.raises(sistel.SistelError, match="does not hold a run"):
        Run.load(rewritten(saved, "nonsense", change, summed=True))
