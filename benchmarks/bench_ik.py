"""Inverse kinematics: microseconds a pose and success, batched and single, beside Robotics Toolbox for Python.

The poses are those of random postures within the limits, so all can be reached. Every answer is checked by forward
kinematics before anything is timed. Robotics Toolbox is run by an interpreter of its own (`--peer PYTHON`, one that has
`roboticstoolbox`), in turns with ours, on its own Panda, whose kinematics are those of models/panda_like.xml (checked):
`ets.ik_LM`, its compiled Levenberg–Marquardt, with its usual tolerance, E = ½eᵀe < 1e-6, its usual 30 iterations and
100 searches, from random seeds; ours begins at the start of the file. Ours is timed at that tolerance (1e-3 rad and
1e-3 m together make E = 1e-6) and at its own, 1e-8, in one thread as the peer is; "threads" is with all cores. "closed"
are closed forms, all branches, where the arm has them.

EAIK, compiled closed forms by subproblems, is raced where it can be imported (`pip install eaik`): all branches of both
sides, without limits, since it knows none, of the Puma 560 and of the UR10 (models/ur5_like.xml with its lengths), with
the call from Python on both sides. Rounds alternate; a ratio is the median of theirs.
"""

from __future__ import annotations

import json
import math
import re
import statistics
import subprocess
import sys
import time
from typing import Any

import numpy as np
from _bench import RESULTS, ROOT, machine, parser, write

import sistel
from sistel.arms import axes_at_zero, chain_to

ARMS = (
    ("panda_like", "tool", "pose"),
    ("ur5_like", "tool", "pose"),
    ("puma560", "tool", "pose"),
    ("arm5", "инструмент", "pointing"),
)
UR10 = {"d1": 127.3, "a2": 612, "a3": 572.3, "d4": 163.941, "d5": 115.7, "d6": 92.2}
"""Lengths that the maker publishes [mm]."""
PEER = """
import json, sys, time, warnings
warnings.filterwarnings("ignore")
import numpy as np, roboticstoolbox as rtb
ets = rtb.models.Panda().ets()
print(json.dumps({"version": rtb.__version__}), flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if "q" in asked:
        answer = [ets.eval(np.array(q)).tolist() for q in asked["q"]]
    else:
        poses, times, good = [np.array(x) for x in asked["poses"]], [], 0
        for x in poses:
            t = time.perf_counter()
            found = ets.ik_LM(x, tol=1e-6)
            times.append(time.perf_counter() - t)
            good += bool(found.success if hasattr(found, "success") else found[1])
        answer = {"seconds": sum(times) / len(times), "median": sorted(times)[len(times) // 2], "good": good}
    print(json.dumps(answer), flush=True)
"""


class Peer:
    """Robotics Toolbox in a process of its own."""

    def __init__(self, python: str) -> None:
        """Start it."""
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([python, "-c", PEER], stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)
        self.version = self._read()["version"]

    def ask(self, **what: Any) -> Any:
        """Have it compute something."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(what).encode() + b"\n")
        self.process.stdin.flush()
        return self._read()

    def _read(self) -> Any:
        assert self.process.stdout is not None
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise SystemExit("the peer has ended: does its interpreter have roboticstoolbox?")
            if line.startswith((b"{", b"[")):
                return json.loads(line)


def reachable(arm: sistel.System, frame: str, count: int) -> tuple[Any, Any]:
    """Random postures within the limits, and their poses."""
    low = np.maximum([body.joint.minimum[0] for body in arm.bodies], -math.pi)
    high = np.minimum([body.joint.maximum[0] for body in arm.bodies], math.pi)
    q = np.random.default_rng(1).uniform(low, high, (count, arm.nq))
    return q, arm.pose(q, frame)


def one_arm(name: str, frame: str, task: Any, count: int, rounds: int) -> dict[str, float]:
    """Success, the worst entry of a pose that was reached, iterations, and seconds a pose."""
    arm = sistel.load(ROOT / "models" / f"{name}.xml")
    X = reachable(arm, frame, count)[1]
    found = arm.inverse_kinematics(X, frame, task=task)
    there, columns = arm.pose(found.q, frame), slice(0, 4) if task == "pose" else slice(2, 4)
    worst = float(np.abs(there - X)[found.success][:, :, columns].max())
    assert worst <= 2e-8, worst
    batch = quickest(lambda: arm.inverse_kinematics(X, frame, task=task), rounds) / len(X)
    one = quickest(lambda: arm.inverse_kinematics(X, frame, task=task, threads=1), rounds) / len(X)
    closed = math.nan
    if name != "panda_like":  # whose seven joints have no closed form
        exact = arm.inverse_kinematics(X, frame, "analytic", task=task)
        assert exact.success.all() and np.abs(arm.pose(exact.q, frame) - X)[:, :, columns].max() < 1e-12
        closed = quickest(lambda: arm.inverse_kinematics(X, frame, "analytic", task=task), rounds) / len(X)
    some = list(X[:200])
    single = quickest(lambda: [arm.inverse_kinematics(x, frame, task=task) for x in some], rounds) / len(some)
    return {
        "success": float(found.success.mean()),
        "worst": worst,
        "iterations": float(np.median(found.iterations)),
        "batched": one,
        "threads": batch,
        "closed": closed,
        "single": single,
    }


def quickest(call: Any, rounds: int) -> float:
    times = []
    for _ in range(rounds):
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    return min(times)


def main() -> None:
    """Time all arms, then the Panda beside the peer."""
    options = parser(__doc__, 5)
    options.add_argument("--peer", help="an interpreter that has roboticstoolbox")
    options.add_argument("--poses", type=int, default=10_000, help="poses of every arm")
    options.add_argument("--targets", type=int, default=100_000, help="poses of the race with EAIK")
    given = options.parse_args()
    results: dict[str, Any] = {"machine": machine(), "arms": {}}
    heads = (("success", 8), ("worst", 9), ("iterations", 10), ("µs a pose", 9), ("threads", 8), ("closed", 7))
    print(f"{'arm':12} " + " ".join(f"{head:>{width}}" for head, width in (*heads, ("single", 7))))
    for name, frame, task in ARMS:
        results["arms"][name] = row = one_arm(name, frame, task, given.poses, given.rounds)
        print(
            f"{name:12} {row['success']:8.4f} {row['worst']:9.1e} {row['iterations']:10.0f} "
            f"{1e6 * row['batched']:9.2f} {1e6 * row['threads']:8.2f} {1e6 * row['closed']:7.1f} "
            f"{1e6 * row['single']:7.1f}"
        )
    try:
        import eaik
    except ImportError:
        print("\nEAIK is not installed (pip install eaik): its race is left out")
    else:
        del eaik
        results["closed"] = closed_races(given.targets, given.rounds)
    if given.peer:
        results["peer"] = race(Peer(given.peer), given.rounds)
    write(results, given.json or RESULTS / "ik.json")


def ur10() -> sistel.System:
    """The UR5-like arm with the lengths of the UR10."""
    text = (ROOT / "models" / "ur5_like.xml").read_text(encoding="utf-8")
    for name, length in UR10.items():
        text, count = re.subn(f'(<parameter name="{name}" value=)"[^"]*"', rf'\g<1>"{length} mm"', text)
        assert count == 1, name
    return sistel.parse(text)


def eaik_arm(arm: sistel.System, frame: str) -> Any:
    """The same arm for EAIK: a frame at every joint, all coordinates zero, whose z is its axis; then the tool."""
    from eaik.IK_Homogeneous import HomogeneousRobot

    axes, home = axes_at_zero(*chain_to(arm.model, frame))
    frames = np.tile(np.eye(4), (len(axes) + 1, 1, 1))
    for X, (point, axis, _) in zip(frames, axes, strict=False):
        x = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
        x /= np.linalg.norm(x)
        X[:3, :3], X[:3, 3] = np.stack([x, np.cross(axis, x), axis], axis=1), point
    frames[-1] = home
    return HomogeneousRobot(frames)


def closed_races(count: int, rounds: int) -> dict[str, Any]:
    """Closed forms in turns with EAIK: µs a pose of both, and how many times as fast ours are."""
    from importlib.metadata import version

    print(f"\nEAIK {version('eaik')}, all branches, {count:,} poses; µs a pose, ours and theirs, times as fast")
    found: dict[str, Any] = {"version": version("eaik")}
    for name, arm in (("UR10", ur10()), ("Puma 560", sistel.load(ROOT / "models" / "puma560.xml"))):
        X = arm.pose(np.random.default_rng(1).uniform(-math.pi, math.pi, (count, 6)), "tool")
        found[name] = one_closed_race(arm, eaik_arm(arm, "tool"), X, rounds)
        for way, row in found[name]["ways"].items():
            print(f"{name:9} {way:16} {1e6 * row['own']:6.2f} {1e6 * row['theirs']:6.2f} {row['ratio']:6.2f}")
        print(f"{'':9} branches a pose {found[name]['branches']:.3f}, of theirs {found[name]['branches_theirs']:.3f}")
    return found


def one_closed_race(arm: sistel.System, peer: Any, X: Any, rounds: int) -> dict[str, Any]:
    """One arm, verified by forward kinematics on both sides before anything is timed."""

    def many(threads: int) -> Any:
        return arm.inverse_kinematics(X, "tool", "analytic", several=True, limits=False, threads=threads)

    def one(x: Any) -> Any:
        return arm.inverse_kinematics(x, "tool", "analytic", several=True, limits=False).solutions

    own = many(1).solutions
    theirs = [each.Q[~np.array(each.is_LS)] for each in peer.IK_batched(X, 1)]  # without those that do not reach
    for solutions in (own, theirs):
        wanted = np.repeat(X, [len(each) for each in solutions], axis=0)
        errors = np.abs(arm.pose(np.concatenate(solutions), "tool") - wanted).max(axis=(1, 2))
        assert np.quantile(errors, 0.999) < 1e-8, errors.max()
        assert solutions is theirs or errors.max() < 1e-11, errors.max()
    assert np.mean([len(a) >= len(b) for a, b in zip(own, theirs, strict=True)]) > 0.999
    some, cores = list(X[:5000]), machine()["cores"]
    ways = {
        "one thread": (lambda: many(1), lambda: peer.IK_batched(X, 1), len(X)),
        f"threads: {cores}": (lambda: many(cores), lambda: peer.IK_batched(X, cores), len(X)),
        "single": (lambda: [one(x) for x in some], lambda: [peer.IK(x).Q for x in some], len(some)),
    }
    times: dict[str, list[tuple[float, float]]] = {way: [] for way in ways}
    for _ in range(rounds):
        for way, (ours, other, rows) in ways.items():
            times[way].append((quickest(ours, 1) / rows, quickest(other, 1) / rows))
    rows = {
        way: {
            "own": min(a for a, _ in each),
            "theirs": min(b for _, b in each),
            "ratio": statistics.median(b / a for a, b in each),
        }
        for way, each in times.items()
    }
    branches, branches_theirs = (float(np.mean([len(each) for each in side])) for side in (own, theirs))
    return {"ways": rows, "branches": branches, "branches_theirs": branches_theirs}


def race(peer: Peer, rounds: int) -> dict[str, Any]:
    """The Panda in turns with the peer."""
    arm = sistel.load(ROOT / "models" / "panda_like.xml")
    q, X = reachable(arm, "tool", 1000)
    assert np.abs(np.array(peer.ask(q=q[:20].tolist())) - X[:20]).max() < 1e-12, "another arm"
    poses, some = X[:200].tolist(), list(X[:200])
    good = peer.ask(poses=X.tolist())["good"] / len(X)
    ways = {"batched, E < 1e-6": (X, 1e-3), "batched, 1e-8": (X, 1e-8), "single, E < 1e-6": (some, 1e-3)}
    ways["single, 1e-8"] = (some, 1e-8)
    times: dict[str, list[float]] = {name: [] for name in ways}
    theirs, medians = [], []
    for _ in range(rounds):
        answer = peer.ask(poses=poses)
        theirs.append(answer["seconds"])
        medians.append(answer["median"])
        for name, (targets, tolerance) in ways.items():
            begin = time.perf_counter()
            if isinstance(targets, list):
                found: Any = [arm.inverse_kinematics(x, "tool", tolerance=tolerance).success for x in targets]
            else:
                found = arm.inverse_kinematics(targets, "tool", tolerance=tolerance, threads=1).success
            times[name].append((time.perf_counter() - begin) / len(targets))
            assert np.mean(found) >= 0.999
    print(f"\nRobotics Toolbox {peer.version}, ik_LM, Panda: {1e6 * min(theirs):.0f} µs a pose in the mean, ", end="")
    print(f"{1e6 * min(medians):.0f} in the median, success {good:.4f}")
    for name, own in times.items():
        print(f"{name:18} {1e6 * min(own):6.2f} µs  {min(theirs) / min(own):6.1f} times as fast")
    own_times = {name: min(own) for name, own in times.items()}
    return {"version": peer.version, "seconds": min(theirs), "median": min(medians), "success": good, "own": own_times}


if __name__ == "__main__":
    sys.exit(main())
