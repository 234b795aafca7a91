"""Regulators: P, PD, PI, PID, with limits and two ways to keep the integral from winding up.

Without `back` the integral stands still while the output is cut and the error would drive it further (clamping); with
`back` it follows what the cut takes away (back-calculation).
"""

from __future__ import annotations

from sistel.model.blocks._law import Block, Given, Law, Memory, within


def _slope(given: Given) -> tuple[str, dict[str, Memory]]:
    """The rate of the input: given, or the difference to the tick before."""
    if "rate" in given:
        return "(rate)", {}
    return "select(ticks > 0.5, (in - last) / period, 0)", {"last": Memory(like="in", following="in")}


def _regulator(integral: bool, derivative: bool) -> Block:
    def law(given: Given) -> Law:
        raw, stores = "kp * (in)", dict[str, Memory]()
        if derivative:
            slope, stores = _slope(given)
            raw += f" + kd * {slope}"
        if not integral:
            return Law(within(raw, given), stores)
        raw += " + sum"
        cut = within(raw, given)
        growth = "ki * (in)"
        if "back" in given:
            growth += f" + back * ({cut} - ({raw}))"
        elif "limit" in given:
            growth = f"select((({raw}) > limit and {growth} > 0) or (({raw}) < -limit and {growth} < 0), 0, {growth})"
        following = f"sum + ({growth}) * period" if given.clocked else growth
        stores = {**stores, "sum": Memory(like="kp * (in)", following=following)}
        return Law(cut, stores)

    key = "p" + "i" * integral + "d" * derivative
    needs = ("in", "kp", *("ki",) * integral, *("kd",) * derivative)
    takes = (*("rate",) * derivative, "limit", *("back",) * integral)
    return Block(key=key, needs=needs, takes=takes, law=law, flowing=("rate",) * derivative)


BLOCKS = tuple(_regulator(integral, derivative) for integral in (False, True) for derivative in (False, True))
