"""Everything along a trajectory of the Puma 560: how long it takes, and how near the torques are to another engine's.

Robotics Toolbox is run by an interpreter of its own (`--peer PYTHON`, one that has `roboticstoolbox`), on its own
`Puma560` with the same published parameters (Corke and Armstrong-Helouvry, ICRA 1994): `rne` for every row, friction
and rotors included. Its friction differs for turning backward, so speeds are positive here. Both are timed in turns,
the least of several rounds is told, and agreement is demanded before anything is timed.
"""

from __future__ import annotations

import json
import math
import subprocess
import time
from typing import Any

import numpy as np
from _bench import RESULTS, ROOT, machine, parser, write

import sistel
from sistel.motion import trajectories as tr

PEER = """
import json, sys, time, warnings
warnings.filterwarnings("ignore")
import numpy as np, roboticstoolbox as rtb
arm = rtb.models.DH.Puma560()
print(json.dumps({"version": rtb.__version__}), flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    q, v, a = (np.array(asked[key]) for key in "qva")
    begin = time.perf_counter()
    tau = np.array(arm.rne(q, v, a)).reshape(len(q), -1)
    print(json.dumps({"tau": tau.tolist(), "seconds": time.perf_counter() - begin}), flush=True)
"""
START, END = [0.0, 0.3, -2.8, -0.5, -0.6, -0.4], [1.1, 1.2, -1.2, 0.9, 0.8, 0.7]


def moves() -> dict[str, tr.Trajectory]:
    """Motions in which no joint turns back."""
    limits = tr.Limits(velocity=2.0, acceleration=6.0, jerk=60.0)
    return {
        "quintic": tr.polynomial_move(START, END, 1.5),
        "s-curve": tr.fastest_move(START, END, limits),
        "trapezoid": tr.fastest_move(START, END, tr.Limits(velocity=2.0, acceleration=6.0)),
    }


class Peer:
    """Robotics Toolbox in a process of its own."""

    def __init__(self, python: str) -> None:
        """Start it."""
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([python, "-c", PEER], stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)
        self.version = self._read()["version"]

    def ask(self, q: Any, v: Any, a: Any) -> dict[str, Any]:
        """Torques of its model, and how long they took [s]."""
        assert self.process.stdin is not None
        asked = {"q": q.tolist(), "v": v.tolist(), "a": a.tolist()}
        self.process.stdin.write((json.dumps(asked) + "\n").encode())
        self.process.stdin.flush()
        return self._read()

    def _read(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit("the peer has ended: does its interpreter have roboticstoolbox?")
        found: dict[str, Any] = json.loads(line)
        return found


def main() -> None:
    """Compare, time, and write what was found."""
    options = parser(__doc__, 5)
    options.add_argument("--peer", help="an interpreter that has roboticstoolbox")
    given = options.parse_args()
    arm = sistel.load(ROOT / "models" / "puma560.xml")
    peer = None if given.peer is None else Peer(given.peer)
    rows: dict[str, Any] = {}
    for name, move in moves().items():
        # Inside: at rest friction of either engine is that of a joint that does not know where to go.
        t = np.linspace(move.t0, move.t1, 203)[1:-1]
        way = arm.along(move, "tool", times=t, applied=True)
        row: dict[str, Any] = {"rows": len(t)}
        if peer is not None:
            tau = np.array(peer.ask(way.q, way.v, way.a)["tau"])
            row["difference"] = float(np.abs(tau - way.torques).max())
            if row["difference"] > 1e-10:
                raise SystemExit(f"{name}: torques differ by {row['difference']:.2g} N·m")
        ours, kernel, theirs = [math.inf] * 3
        for _ in range(given.rounds):
            begin = time.perf_counter()
            arm.along(move, "tool", times=t, applied=True)
            ours = min(ours, time.perf_counter() - begin)
            begin = time.perf_counter()
            arm.inverse_dynamics(way.q, way.v, way.a)
            kernel = min(kernel, time.perf_counter() - begin)
            if peer is not None:
                theirs = min(theirs, peer.ask(way.q, way.v, way.a)["seconds"])
        row |= {"along_seconds": ours, "inverse_dynamics_seconds": kernel}
        said = f"{name}: everything along {len(t)} rows {1e3 * ours:.1f} ms, torques alone {1e6 * kernel:.0f} µs"
        if peer is not None:
            row["rne_seconds"] = theirs
            said += f"; rne {1e3 * theirs:.1f} ms ({theirs / kernel:.0f} times), differ by {row['difference']:.2g} N·m"
        rows[name] = row
        print(said)
    results = {"machine": machine(), "peer": None if peer is None else peer.version, "moves": rows}
    write(results, given.json or RESULTS / "travel.json")


if __name__ == "__main__":
    main()
