"""Damaged files: whatever comes out is a system or a list of diagnostics. `tools/fuzz` runs many more of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.mutants import mutants, originals
from support.thorough import cases

from sistel.errors import Diagnostics, SistelError
from sistel.markup.xml import decode
from sistel.system import parse


@pytest.mark.parametrize("seed", range(4))
def test_damage_gives_a_system_or_diagnostics(seed: int, models_dir: Path) -> None:
    outcomes = {"system": 0, "diagnostics": 0}
    count = cases(150, 300)
    for data in mutants(originals(models_dir), seed, count):
        diagnostics = Diagnostics()
        source = decode(data, str(models_dir / "mutant.xml"), diagnostics)
        try:
            diagnostics.raise_if_failed()
            assert source is not None
            system = parse(source.text, source.path)
        except SistelError as error:
            assert error.diagnostics
            assert error.render("en") and error.render("ru")
            outcomes["diagnostics"] += 1
            continue
        assert parse(system.to_xml("ru"), source.path).fingerprint == system.fingerprint
        outcomes["system"] += 1
    # Both must happen, or the damage is too light or too heavy to test anything.
    assert min(outcomes.values()) > count // 30, outcomes
