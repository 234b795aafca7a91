"""Whole motions in an engine that may live in an environment of its own: a process that answers questions.

    python motions.py ENGINE

A question is a line of JSON, {"system": …, "accuracy": …, "dense": …}; the answer too: the processor's time of one
warm run [s], and its result, which is the state at the end or the times of the strikes. Needs nothing of sistel. What
engines are given here is derived by hand; Drake has its walkers among its own examples.
"""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Callable
from typing import Any

G = 9.81
STEPS = 25
COMPASS = {"alpha": 0.27127461798032137111, "stance": 1.0928668105800975611, "swing": 0.37613459353077487117}
SLOPE = 0.0525
PERIOD = 0.73446062133643889202
WHEEL_RATE, WHEEL_PERIOD, WHEEL_SLOPE = 1.09546283964765682837, 1.03454981142327932896, 0.08

Case = Callable[[], list[float]]


# --- heyoka --------------------------------------------------------------------------------------------------------


def compass_strike(y: Any) -> None:
    """Angular momentum about the new foot, and of the leg that leaves about the hip, are those before the strike.

    Legs are 1 m long.
    """
    m, mH, a, b = 5.0, 10.0, 0.5, 0.5
    stance, swing, w1, w2 = y.tolist()
    c = math.cos(stance - swing)
    A, B, C = m * a * a + mH + m, m * b * b, m * b
    whole = mH * c * w1 + m * a * (c * w1 - b * w2) + m * a * w1 * (c - b)
    left = -m * a * b * w1
    rate = (whole - (B - C * c) * left / B) / (A - C * c + (B - C * c) * C * c / B)
    y[:] = (swing, stance, rate, (left + C * c * rate) / B)


class Heyoka:
    """The Taylor integrator of Biscani and Izzo (2021)."""

    def __init__(self) -> None:
        import heyoka  # type: ignore[import-not-found]

        self.hy = heyoka
        self.version = heyoka.__version__

    def integrator(self, system: str, accuracy: float, **settings: Any) -> Any:
        return getattr(self, "_" + system)(accuracy, **settings)

    def case(self, system: str, accuracy: float, dense: bool) -> Case:
        peer = self.integrator(system, accuracy, compact_mode=False)
        start = peer.state.copy()

        def cart_pole() -> list[float]:
            peer.state[:] = start
            peer.time = 0.0
            self.output = peer.propagate_until(10.0, c_output=dense)[-2]
            return list(peer.state)

        def compass_walker() -> list[float]:
            peer.state[:] = start
            peer.time = 0.0
            peer.reset_cooldowns()
            self.strikes: list[float] = []
            self.output = peer.propagate_until(PERIOD * (STEPS + 0.5), c_output=dense)[-2]
            return self.strikes

        return {"cart_pole": cart_pole, "compass_walker": compass_walker}[system]

    def compile(self, system: str, accuracy: float) -> float:
        """Processor's time of deriving and compiling, with nothing remembered [s]."""
        self.hy.llvm_state.clear_memcache()
        if hasattr(self.hy.llvm_state, "set_diskcache_enabled"):
            self.hy.llvm_state.set_diskcache_enabled(False)
        start = time.process_time()
        self.integrator(system, accuracy, compact_mode=False)
        return time.process_time() - start

    def _cart_pole(self, accuracy: float, **settings: Any) -> Any:
        hy = self.hy
        x, th, v, w = hy.make_vars("x", "th", "v", "w")
        M, m, h = 1.0, 0.1, 0.5
        J = m / 3
        s, c = hy.sin(th), hy.cos(th)
        f = m * h * s * w * w
        turned = ((M + m) * m * G * h * s - m * h * c * f) / ((M + m) * J - (m * h * c) ** 2.0)
        equations = [(x, v), (th, w), (v, (f - m * h * c * turned) / (M + m)), (w, turned)]
        return hy.taylor_adaptive(equations, [0.0, 0.1, 0.0, 0.0], tol=accuracy, **settings)

    def _compass_walker(self, accuracy: float, **settings: Any) -> Any:
        hy = self.hy
        th1, th2, w1, w2 = hy.make_vars("th1", "th2", "w1", "w2")
        m, mH, a, b = 5.0, 10.0, 0.5, 0.5
        A, B, C = m * a * a + mH + m, m * b * b, m * b
        s, c = hy.sin(th1 - th2), hy.cos(th1 - th2)
        r1 = C * s * w2 * w2 + G * (m * a + mH + m) * hy.sin(th1 + SLOPE)
        r2 = -C * s * w1 * w1 - m * G * b * hy.sin(th2 + SLOPE)
        d = A * B - (C * c) ** 2.0
        equations = [(th1, w1), (th2, w2), (w1, (B * r1 + C * c * r2) / d), (w2, (C * c * r1 + A * r2) / d)]

        def strike(peer: Any, sign: int) -> bool:
            y = peer.state
            if y[0] > y[1]:  # the swing leg is ahead
                self.strikes.append(peer.time)
                compass_strike(y)
            return True

        event = hy.t_event(th1 + th2, callback=strike, direction=hy.event_direction.positive)
        start = [-COMPASS["alpha"], COMPASS["alpha"], COMPASS["stance"], COMPASS["swing"]]
        return hy.taylor_adaptive(equations, start, tol=accuracy, t_events=[event], **settings)


# --- Drake ---------------------------------------------------------------------------------------------------------


class Drake:
    """Two examples of Drake, which come with events of their own."""

    def __init__(self) -> None:
        from importlib.metadata import version

        from pydrake import examples  # type: ignore[import-not-found]
        from pydrake.systems import analysis  # type: ignore[import-not-found]

        self.examples, self.analysis = examples, analysis
        self.version = version("drake")

    def case(self, system: str, accuracy: float, dense: bool) -> Case:
        return getattr(self, "_" + system)(accuracy)

    def compile(self, system: str, accuracy: float) -> float:
        """Drake's examples are compiled already."""
        return 0.0

    def _simulator(self, plant: Any, accuracy: float) -> Any:
        simulator = self.analysis.Simulator(plant)
        simulator.get_mutable_integrator().set_target_accuracy(accuracy)
        simulator.get_mutable_context().SetAccuracy(accuracy)  # of the search for events
        return simulator

    def _compass_walker(self, accuracy: float) -> Case:
        plant = self.examples.CompassGait()
        simulator = self._simulator(plant, accuracy)
        context = simulator.get_mutable_context()
        parameters = context.get_mutable_numeric_parameter(0)
        parameters.set_mass_hip(10.0)
        parameters.set_mass_leg(5.0)
        parameters.set_length_leg(1.0)
        parameters.set_center_of_mass_leg(0.5)
        parameters.set_gravity(G)
        parameters.set_slope(SLOPE)
        fresh = context.Clone()

        def run() -> list[float]:
            context.SetTimeStateAndParametersFrom(fresh)
            context.SetTime(0.0)
            state = context.get_mutable_continuous_state_vector()
            # Angles from the vertical, and to the other side.
            state.SetFromVector(
                [
                    COMPASS["alpha"] * -1 + SLOPE,
                    COMPASS["alpha"] + SLOPE,
                    COMPASS["stance"],
                    COMPASS["swing"],
                ]
            )
            simulator.Initialize()
            simulator.AdvanceTo(PERIOD * (STEPS + 0.5))
            stance, swing, w1, w2 = context.get_continuous_state_vector().CopyToVector().tolist()
            toe = context.get_discrete_state_vector().CopyToVector().tolist()[0]
            return [toe, stance, swing, w1, w2]

        return run

    def _rimless_wheel(self, accuracy: float) -> Case:
        plant = self.examples.RimlessWheel()
        simulator = self._simulator(plant, accuracy)
        context = simulator.get_mutable_context()
        fresh = context.Clone()

        def run() -> list[float]:
            context.SetTimeStateAndParametersFrom(fresh)
            context.SetTime(0.0)
            state = context.get_mutable_continuous_state_vector()
            state.SetFromVector([WHEEL_SLOPE - math.pi / 8, WHEEL_RATE])
            simulator.Initialize()
            simulator.AdvanceTo(WHEEL_PERIOD * (STEPS + 0.5))
            angle, rate = context.get_continuous_state_vector().CopyToVector().tolist()
            toe = context.get_discrete_state_vector().CopyToVector().tolist()[0]
            return [toe, angle, rate]

        return run


ENGINES = {"heyoka": Heyoka, "drake": Drake}


def main() -> None:
    # What engines print belongs to people; the answers go where the parent listens.
    answers, sys.stdout = sys.stdout, sys.stderr
    try:
        engine = ENGINES[sys.argv[1]]()
    except ImportError as error:
        print(json.dumps({"missing": str(error)}), file=answers, flush=True)
        return
    print(json.dumps({"version": engine.version}), file=answers, flush=True)
    cases: dict[tuple[str, float, bool], Case] = {}
    for line in sys.stdin:
        question = json.loads(line)
        system, accuracy = question["system"], question["accuracy"]
        if question.get("compile"):
            answer = {"seconds": engine.compile(system, accuracy)}
        else:
            key = system, accuracy, bool(question.get("dense"))
            if key not in cases:
                cases[key] = engine.case(*key)
                cases[key]()
            start = time.process_time()
            result = cases[key]()
            answer = {"seconds": time.process_time() - start, "result": result}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
