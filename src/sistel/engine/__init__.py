"""Everything that the equations of an automaton compute, compiled when it is first asked for: their one owner."""

from __future__ import annotations

from sistel.engine._engine import Engine, LiveEngine
from sistel.engine._structure import SINGULAR, StructureEngine
from sistel.engine._together import Together

__all__ = ["SINGULAR", "Engine", "LiveEngine", "StructureEngine", "Together"]
