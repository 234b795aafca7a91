"""Whole motions against other simulators, at equal error: the processor's time of a warm `simulate` with its run.

Every side takes its loosest setting that meets the error. Engines of other environments: --python drake=/path/to/bin/
python, likewise heyoka and numba. With --write the outcome goes to benchmarks/simulation.json and into the pages of the
documentation; with --only, the rows of those peers are written anew and the others stay.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from _bench import RESULTS, ROOT, human, machine, parser, write
from _motion_peers import Hand, MuJoCoRunner, Worker
from _motion_starts import starts
from _motion_tables import PAGES, fill
from _motions import MOTIONS, Runner, Sistel, choose
from _native import Missing

OUTCOME = ROOT / "benchmarks" / "simulation.json"
LONG = 0.1
"""A run that takes longer than this has few rounds [s]."""


@dataclass(frozen=True)
class Race:
    """A motion, who races sistel over it, the error that both meet, and how many times sistel aims to be faster."""

    motion: str
    peer: str
    error: float
    aim: float | None = None


RACES = (
    Race("compass_walker", "mujoco", 1e-5, 1000),
    Race("rimless_wheel", "mujoco", 5e-5, 1000),
    Race("bouncing_ball", "mujoco", 5e-4, 1000),
    Race("bouncing_ball", "mujoco, one step", 5e-4),
    Race("written_ball", "mujoco, one step", 5e-4),
    Race("cart_pole", "mujoco", 1e-8, 100),
    Race("chain5", "mujoco", 1e-7, 15),
    Race("compass_walker", "drake", 2.5e-6, 10),
    Race("point_wheel", "drake", 2.5e-6),
    Race("compass_walker", "heyoka", 1e-9, 1),
    Race("cart_pole", "heyoka", 1e-9, 1),
    Race("compass_walker", "heyoka, dense", 1e-9, 1),
    Race("cart_pole", "heyoka, dense", 1e-9, 1),
    Race("compass_walker", "hand", 1e-9, 1 / 1.5),
    Race("cart_pole", "hand", 1e-9, 1 / 1.5),
)


def peers(pythons: Mapping[str, str]) -> dict[str, Callable[[], Any]]:
    """Who races, by name."""
    return {
        "mujoco": MuJoCoRunner,
        "mujoco, one step": lambda: MuJoCoRunner("one step"),
        "drake": lambda: Worker("drake", pythons.get("drake")),
        "heyoka": lambda: Worker("heyoka", pythons.get("heyoka")),
        "heyoka, dense": lambda: Worker("heyoka", pythons.get("heyoka"), dense=True),
        "hand": Hand,
    }


def race(ours: Runner, theirs: Runner, entry: Race, rounds: int) -> dict[str, Any] | None:
    """The least times of both in the same rounds, at settings that meet the error."""
    motion = MOTIONS[entry.motion]
    chosen = [choose(side, motion, entry.error) for side in (ours, theirs)]
    if chosen[0] is None or chosen[1] is None:
        who = "sistel" if chosen[0] is None else entry.peer
        print(f"  {motion.title}: {who} does not reach {entry.error:g}", flush=True)
        return None
    settings, errors = zip(chosen[0], chosen[1], strict=True)
    once: Callable[..., tuple[float, float]] = getattr(theirs, "once", theirs.run)
    best = [math.inf, math.inf]
    for number in range(rounds):
        for _ in range(5):
            best[0] = min(best[0], ours.run(motion, settings[0])[0])
        best[1] = min(best[1], once(motion, settings[1])[0])
        if best[1] > LONG and number >= 4:
            break
    return {
        "motion": entry.motion,
        "peer": entry.peer,
        "version": theirs.version,
        "target": entry.error,
        "aim": entry.aim,
        "seconds": best,
        "errors": list(errors),
        "settings": [ours.word(settings[0]), theirs.word(settings[1])],
        "ratio": best[1] / best[0],
    }


def show(found: Mapping[str, Any]) -> None:
    """One race, for a person."""
    ours, theirs = found["seconds"]
    behind = "" if found["aim"] is None or found["ratio"] >= found["aim"] else "  ← behind"
    aim = "" if found["aim"] is None else f", aim {found['aim']:.3g}×"
    title = f"{MOTIONS[found['motion']].title}, error {found['target']:g}"
    print(f"  {title}: sistel {human(ours)}, {found['peer']} {human(theirs)}")
    print(f"     {found['ratio']:.3g}× faster{aim}{behind}")
    print(
        f"     {found['settings'][0]}: {found['errors'][0]:.1e}; {found['settings'][1]}: {found['errors'][1]:.1e}",
        flush=True,
    )


def run(rounds: int, only: Sequence[str], pythons: Mapping[str, str]) -> dict[str, Any]:
    """The outcome of all races that can be held here."""
    ours = Sistel()
    outcome: dict[str, Any] = {"machine": machine(), "races": []}
    for name, make in peers(pythons).items():
        if only and name not in only:
            continue
        print(f"\n── {name}", flush=True)
        try:
            theirs = make()
        except Missing as missing:
            print(f"left out: {missing}")
            continue
        for entry in RACES:
            if entry.peer == name:
                found = race(ours, theirs, entry, rounds)
                if found is not None:
                    outcome["races"].append(found)
                    show(found)
    if not only or "starts" in only:
        print("\n── starts", flush=True)
        outcome["starts"] = starts(pythons, max(3, rounds // 10))
    return outcome


def merged(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """Some races held again, in the order of all."""
    rows = {(row["motion"], row["peer"]): row for part in (old, new) for row in part["races"]}
    order = [(entry.motion, entry.peer) for entry in RACES]
    found = {"machine": new["machine"], "races": [rows[key] for key in order if key in rows]}
    starts = new.get("starts", old.get("starts"))
    return found if starts is None else {**found, "starts": starts}


def write_pages(outcome: Mapping[str, Any]) -> None:
    """The tables of the documentation, anew."""
    for lang, path in PAGES.items():
        path.write_text(fill(path.read_text(encoding="utf-8"), outcome, lang), encoding="utf-8")


def rounded(value: Any) -> Any:
    """Four digits of every number: what is left is noise."""
    if isinstance(value, dict):
        return {name: rounded(part) for name, part in value.items()}
    if isinstance(value, list):
        return [rounded(part) for part in value]
    return float(f"{value:.4g}") if isinstance(value, float) else value


def main() -> int:
    arguments = parser(__doc__, rounds=60)
    arguments.add_argument(
        "--write", action="store_true", help="write benchmarks/simulation.json and the tables of docs/"
    )
    arguments.add_argument(
        "--tables", action="store_true", help="only write the tables, from benchmarks/simulation.json"
    )
    arguments.add_argument(
        "--only", action="append", choices=[*peers({}), "starts"], help="one peer; may be repeated (all)"
    )
    arguments.add_argument("--python", action="append", default=[], metavar="ENGINE=PATH", help="another interpreter")
    options = arguments.parse_args()
    if options.tables:
        write_pages(json.loads(OUTCOME.read_text(encoding="utf-8")))
        return 0
    pythons = dict(entry.split("=", 1) for entry in options.python)
    outcome = rounded(run(options.rounds, options.only or [], pythons))
    if options.write and options.only and OUTCOME.exists():
        outcome = merged(json.loads(OUTCOME.read_text(encoding="utf-8")), outcome)
    default: Path = OUTCOME if options.write else RESULTS / "simulation.json"
    write(outcome, options.json or default)
    if options.write:
        write_pages(outcome)
    return 0


if __name__ == "__main__":
    sys.exit(main())
