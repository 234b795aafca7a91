"""A change of parameters: equations that follow them, beside a system built and compiled anew, and no change at all.

Every call takes values that were never used before, so nothing comes from the cache. The second table counts operations
of the flow of the first structure: in numbers, following all parameters of the file, and what is done once for a set.
"""

from __future__ import annotations

from itertools import count

import numpy as np
from _bench import measure, options, report

import sistel
from sistel.engine import LiveEngine
from sistel.expr import LIVE, split_prologue
from sistel.model import live_model

MODELS = (("cart_pole", "l", 1.0), ("compass_walker", "slope", 2.0), ("four_bar", "a", 0.5), ("walker", "M", 0.2))


def main() -> None:
    arguments = options(__doc__, rounds=3)
    cases, fresh = {}, count(1)
    for name, parameter, until in MODELS:
        system = sistel.load(f"models/{name}.xml")
        value = next(each.value for each in system.model.parameters if each.name == parameter)

        def other(value: float = value) -> float:
            return value * (1.0 + 1e-6 * next(fresh))

        one = other()
        live = system.simulate(until, parameters={parameter: one})
        anew = system.with_parameters({parameter: one}).simulate(until)
        assert np.abs(live.q[-1] - anew.q[-1]).max() < 1e-8

        cases[f"{name}: no change"] = lambda system=system, until=until: system.simulate(until)
        cases[f"{name}: followed"] = lambda system=system, until=until, parameter=parameter, other=other: (
            system.simulate(until, parameters={parameter: other()})
        )
        cases[f"{name}: anew"] = lambda system=system, until=until, parameter=parameter, other=other: (
            system.with_parameters({parameter: other()}).simulate(until)
        )
    report("parameters", measure(cases, rounds=arguments.rounds, calls=1), arguments.json)
    print()
    for name, _, _ in MODELS:
        system = sistel.load(f"models/{name}.xml")
        engine = LiveEngine(live_model(lambda value, system=system: system._rebuild(value, False)))
        structure = engine.model.structures[0]
        early, late = split_prologue(engine.structure(structure, True).variant.program, (LIVE,))
        fixed = engine.fixed.structure(engine.fixed.model.structures[0], True).variant.program
        print(f"{name}: in numbers {fixed.count()}; following {late.count()}; once a set {early.count()}")


if __name__ == "__main__":
    main()
