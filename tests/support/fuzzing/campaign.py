"""Many damaged files, one after another: which to damage next, what came of them, and the faults in short form."""

from __future__ import annotations

import random
import re
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from support.fuzzing import damage
from support.fuzzing.judge import Fault, Outcome
from support.fuzzing.specimens import Kind, specimens
from support.fuzzing.stages import Rates, Ways
from support.fuzzing.workers import Worker, worker

MOST_FINDS = 300
"""Of one kind: files that showed something new are damaged further."""
BLOCK = 50
"""Files between two looks at what was new."""
_MINOR = re.compile(r'\s+[^\s<>/="\']+\s*=\s*"[^"]*"')


@dataclass(slots=True)
class Report:
    """What came of all."""

    count: int = 0
    stages: Counter[str] = field(default_factory=Counter)
    """Files that came to a stage, by kind and stage."""
    refused: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    first: dict[str, tuple[str, str, bytes, Fault]] = field(default_factory=dict)
    """Kind, suffix and bytes of the first file with a fault, and the fault."""
    features: set[str] = field(default_factory=set)
    deaths: int = 0
    seconds: float = 0.0
    """Of the processors of the children."""
    slowest: float = 0.0


class Campaign:
    """Draws mutants, hands them to a worker, and remembers what was new."""

    def __init__(self, root: Path, folder: Path, seed: int, rates: Rates, *, only: str = "") -> None:
        """Write what is to be damaged into `folder`; `only` these kinds, where some are named."""
        self.seed, self.report = seed, Report()
        self.worker: Worker = worker(root, folder, rates)
        made = folder / "made"
        made.mkdir(parents=True, exist_ok=True)
        kinds = [*specimens(root, made), *_ensembles(root, made)]
        self.kinds = [kind for kind in kinds if not only or kind.name in only.split(",")]
        self.finds: dict[tuple[str, bool], list[bytes]] = {
            (kind.name, good): [] for kind in self.kinds for good in (False, True)
        }
        """Files that showed something new, by kind and whether they were read."""

    def mutants(self, begin: int, count: int) -> Iterator[tuple[int, Kind, bytes]]:
        """Damaged files; what was found before decides with the seed which are drawn."""
        shares = [kind.share for kind in self.kinds]
        for index in range(begin, begin + count):
            rng = random.Random(f"{self.seed}:{index}")
            kind = rng.choices(self.kinds, shares)[0]
            whole = kind.files
            # What is read is worth more than what is refused in a new way.
            finds = self.finds[kind.name, rng.randrange(4) > 0]
            origin = rng.choice(finds) if finds and rng.randrange(3) == 0 else rng.choice(whole)
            yield index, kind, damage.damaged(origin, whole, kind.damage, rng)

    def run(self, count: int, begin: int = 0, progress: Any = None) -> Report:
        """Try that many."""
        report = self.report
        for first in range(begin, begin + count, BLOCK):
            block = list(self.mutants(first, min(BLOCK, begin + count - first)))
            outcomes = self.worker.process_all([(kind.name, kind.suffix, data) for _, kind, data in block])
            for (index, kind, data), outcome in zip(block, outcomes, strict=True):
                self._note(kind, data, outcome)
                if progress is not None:
                    progress(index, report)
        report.deaths = self.worker.deaths
        self.worker.close()
        return report

    def _note(self, kind: Kind, data: bytes, outcome: Outcome) -> None:
        report = self.report
        report.count += 1
        report.seconds += outcome.seconds
        report.slowest = max(report.slowest, outcome.seconds)
        report.stages.update({f"{kind.name}: {stage}" for stage in outcome.stages if stage != "begin"})
        if outcome.refused:
            report.refused[f"{kind.name}: {outcome.refused}"] += 1
        features = {f"{kind.name} {feature}" for feature in outcome.features}
        new = features - report.features
        report.features |= features
        finds = self.finds[kind.name, outcome.refused not in ("load", "reload", "continue")]
        if new and len(data) <= 2 * max(map(len, kind.files)) and not outcome.faults:
            finds.append(data)
            # The oldest have been damaged most.
            del finds[:-MOST_FINDS]
        for fault in outcome.faults:
            report.faults[fault.key] += 1
            report.first.setdefault(fault.key, (kind.name, kind.suffix, data, fault))

    def shrink(self, key: str, seconds: float = 40.0) -> bytes:
        """A short file with the same fault: pieces are left out as long as it stays."""
        kind, suffix, data, _ = self.report.first[key]
        end = time.monotonic() + seconds
        changed = True
        while changed and time.monotonic() < end:
            changed = False
            for piece in _shorter(kind, data):
                if time.monotonic() > end:
                    break
                if any(fault.key == key for fault in self.worker.process(kind, suffix, piece).faults):
                    data, changed = piece, True
                    break
        self.worker.close()
        return data


def _shorter(kind: str, data: bytes) -> Iterator[bytes]:
    if kind in ("run", "part", "stl", "glb"):
        return
    text = data.decode("utf-8", errors="surrogateescape")
    spans = [(begin, end) for begin, _, end in damage._elements(text)] + [m.span() for m in _MINOR.finditer(text)]
    spans += [m.span() for m in re.finditer(r"<!--.*?-->|[^\n]*\n", text, re.S)]
    for begin, end in sorted(spans, key=lambda span: span[0] - span[1]):
        yield (text[:begin] + text[end:]).encode("utf-8", errors="surrogateescape")


def _ensembles(root: Path, folder: Path) -> list[Kind]:
    """Chunks of an ensemble, and the file that tells which one it is."""
    place = folder / "chunks"
    place.mkdir(exist_ok=True)
    kept, _ = Ways(root, place, Rates()).reference()
    parts = tuple(path.read_bytes() for path in sorted(kept.glob("part-*.npz")))
    part = Kind(name="part", suffix=".npz", damage=damage.archive, share=30, files=parts)
    return [
        part,
        replace(
            part,
            name="manifest",
            suffix=".json",
            damage=damage.tree,
            share=10,
            files=((kept / "ensemble.json").read_bytes(),),
        ),
    ]
