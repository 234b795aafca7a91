"""Finished chunks know which they are: what is in the place of one and is not it is said, and done again."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sistel
from sistel.ensembles import Ensemble
from sistel.simulation.run._archives import checksum

CHUNKS = 3


@pytest.fixture(scope="module")
def system(models_dir: Path) -> sistel.System:
    return sistel.load(models_dir / "double_pendulum.xml")


def go(system: sistel.System, folder: Path, until: float = 0.2, **options: Any) -> Ensemble:
    name = system.model.coordinate_names[0]
    values = {name: np.linspace(0.0, 1.0, 4 * CHUNKS)}
    return system.ensemble(until, initial=values, chunk=4, threads=1, keep=folder, **options)


def part(folder: Path, index: int) -> Path:
    return folder / f"part-{index:06d}.npz"


def only(found: Ensemble) -> str:
    (warning,) = found.warnings
    assert (warning.code, warning.severity) == ("strange-chunk", "warning") and warning.message.ru
    assert warning.message.en in repr(found)
    return warning.message.en


def test_what_is_its_own_is_taken(system: sistel.System, tmp_path: Path) -> None:
    first = go(system, tmp_path)
    stamps = [part(tmp_path, index).stat().st_mtime_ns for index in range(CHUNKS)]
    again = go(system, tmp_path)
    assert np.array_equal(first.state, again.state) and not first.warnings and not again.warnings
    assert stamps == [part(tmp_path, index).stat().st_mtime_ns for index in range(CHUNKS)]


def test_swapped_chunks_are_done_again(system: sistel.System, tmp_path: Path) -> None:
    first = go(system, tmp_path).state.copy()
    shutil.copy(part(tmp_path, 1), part(tmp_path, 0))
    found = go(system, tmp_path)
    assert np.array_equal(found.state, first)
    assert only(found).endswith(
        "results that are in the place of others are not taken, and their runs are done again (chunks 0)"
    )
    assert not go(system, tmp_path).warnings  # it is mended


def test_chunks_of_another_ensemble(system: sistel.System, tmp_path: Path) -> None:
    first = go(system, tmp_path / "a").state.copy()
    go(system, tmp_path / "b", until=0.1)
    for index in (0, 2):
        shutil.copy(part(tmp_path / "b", index), part(tmp_path / "a", index))
    found = go(system, tmp_path / "a")
    assert (
        np.array_equal(found.state, first) and "of another ensemble" in only(found) and "(chunks 0, 2)" in only(found)
    )


def rewrite(path: Path, change: Any) -> None:
    with np.load(path) as archive:
        kept = {key: archive[key] for key in archive.files}
    meta = json.loads(str(kept["meta"]))
    change(meta, kept)
    kept["meta"] = np.array(json.dumps(meta, ensure_ascii=False))
    np.savez(path, **kept)


def _number(meta: Any, kept: Any) -> None:
    kept["state"] = kept["state"] + 1e-9


def _names(meta: Any, kept: Any) -> None:
    meta["structures"] = ["nowhere"]


def _sum(meta: Any, kept: Any) -> None:
    del kept["checksum"]


@pytest.mark.parametrize("change", [_number, _names, _sum])
def test_changed_numbers_are_seen(system: sistel.System, tmp_path: Path, change: Any) -> None:
    first = go(system, tmp_path).state.copy()
    rewrite(part(tmp_path, 1), change)
    found = go(system, tmp_path)
    assert np.array_equal(found.state, first) and "damaged" in only(found)


@pytest.mark.parametrize("damage", [b"", b"no zip", None])
def test_damaged_files(system: sistel.System, tmp_path: Path, damage: bytes | None) -> None:
    first = go(system, tmp_path).state.copy()
    path = part(tmp_path, 2)
    path.write_bytes(path.read_bytes()[:-40] if damage is None else damage)
    found = go(system, tmp_path)
    assert np.array_equal(found.state, first) and "damaged" in only(found)


def test_a_folder_of_an_earlier_version(system: sistel.System, tmp_path: Path) -> None:
    """Its chunks do not know which they are: all are done again, with a word."""
    first = go(system, tmp_path).state.copy()
    for index in range(CHUNKS):

        def old(meta: Any, kept: Any) -> None:
            for name in ("ensemble", "code", "index", "begin", "end"):
                del meta[name]
            del kept["checksum"]
            meta["format"] = 1

        rewrite(part(tmp_path, index), old)
    manifest = tmp_path / "ensemble.json"
    manifest.write_text(json.dumps(json.loads(manifest.read_text()) | {"format": 1, "code": "another", "sistel": "0"}))
    found = go(system, tmp_path)
    assert np.array_equal(found.state, first)
    assert "written by an earlier version" in only(found) and "(chunks 0, 1, 2)" in only(found)
    assert not go(system, tmp_path).warnings


def test_results_that_change_afterwards_are_refused(system: sistel.System, tmp_path: Path) -> None:
    """They are read when they are asked for: by then they may be others."""
    found = go(system, tmp_path)
    shutil.copy(part(tmp_path, 1), part(tmp_path, 0))
    with pytest.raises(sistel.SistelError, match="has been changed since it was written"):
        _ = found.state


CHANGES: dict[str, Any] = {
    "another kind": lambda kept: kept.update(outcome=kept["outcome"].astype(float)),
    "another shape": lambda kept: kept.update(sequence=kept["sequence"].T.copy()),
    "numbers of no structure": lambda kept: kept.update(structure=kept["structure"] + np.int16(99)),
    "an unknown outcome": lambda kept: kept.update(outcome=kept["outcome"] + np.uint8(99)),
    "no structures": lambda kept: kept.update(meta=_without(kept["meta"])),
}


def _without(meta: Any) -> Any:
    said = json.loads(str(meta))
    del said["structures"]
    return np.array(json.dumps(said))


@pytest.mark.parametrize("name", CHANGES)
def test_a_true_sum_of_nonsense_is_done_again(name: str, system: sistel.System, tmp_path: Path) -> None:
    first = go(system, tmp_path).state.copy()
    with np.load(part(tmp_path, 1)) as archive:
        kept = {key: archive[key] for key in archive.files if key != "checksum"}
    CHANGES[name](kept)
    np.savez(part(tmp_path, 1), **kept, checksum=np.array(checksum(kept)))
    found = go(system, tmp_path)
    assert np.array_equal(found.state, first) and "damaged" in only(found)
