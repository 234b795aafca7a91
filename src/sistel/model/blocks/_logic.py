"""Blocks of logic: relays, triggers, counters, timers, switches. A truth is remembered as 1 or 0."""

from __future__ import annotations

from functools import partial

from sistel.model.blocks._law import Block, Given, Law, Memory, joined, of_inputs


def _xor(given: Given) -> Law:
    return Law("(in_0 and not in_1) or (in_1 and not in_0)")


_SWITCHED = "select(in >= high, 1, select(in <= low, 0, last))"


def _switched(given: Given) -> tuple[str, dict[str, Memory]]:
    """1 once the input has risen to `high`, 0 once it has fallen to `low`; and what remembers it."""
    start = "start" if "start" in given else "0"
    if given.clocked:
        return _SWITCHED, {"last": Memory(like="", following=_SWITCHED, start=start)}
    jumps = (("in >= high and last < 0.5", "1"), ("in <= low and last > 0.5", "0"))
    return "last", {"last": Memory(like="", following="0", start=start, jumps=jumps)}


def _hysteresis(given: Given) -> Law:
    now, stores = _switched(given)
    return Law(f"{now} > 0.5", stores)


def _relay(given: Given) -> Law:
    """One of two values: `on` once the input rises to `high`, `off` once it falls to `low`."""
    now, stores = _switched(given)
    return Law(f"select({now} > 0.5, on, off)", stores)


def _trigger(given: Given) -> Law:
    """Set and reset; reset wins."""
    now = "select(reset, 0, select(set, 1, last))"
    return Law(f"{now} > 0.5", {"last": Memory(like="", following=now)})


def _sample(given: Given) -> Law:
    """Keeps the input of the last tick at which the condition held."""
    now = "select(when, in, last)"
    return Law(now, {"last": Memory(like="in", following=now, start="start" if "start" in given else "0")})


def _edge(given: Given) -> Law:
    return Law("(in) and last < 0.5", {"last": Memory(like="", following="select(in, 1, 0)")})


def _counter(given: Given) -> Law:
    now = "last + select((in) and before < 0.5, 1, 0)"
    if "reset" in given:
        now = f"select(reset, 0, {now})"
    return Law(now, {"last": Memory(like="", following=now), "before": Memory(like="", following="select(in, 1, 0)")})


def _timer(given: Given) -> Law:
    """For how long the condition has held."""
    now = "select(in, last + period, 0)"
    return Law("select(in, last, 0)", {"last": Memory(like="period", following=now)})


BLOCKS = (
    of_inputs("and", partial(joined, "and")),
    of_inputs("or", partial(joined, "or")),
    Block(key="not", needs=("in",), law=lambda given: Law("not (in)")),
    Block(key="xor", needs=("in",), law=_xor),
    Block(key="switch", needs=("when", "in"), law=lambda given: Law("select(when, in_0, in_1)")),
    Block(key="hysteresis", needs=("in", "low", "high"), takes=("start",), law=_hysteresis),
    Block(key="relay", needs=("in", "low", "high", "on", "off"), takes=("start",), law=_relay),
    Block(key="trigger", needs=("set", "reset"), law=_trigger, clocked=True),
    Block(key="sample", needs=("in", "when"), takes=("start",), law=_sample, clocked=True),
    Block(key="edge", needs=("in",), law=_edge, clocked=True),
    Block(key="counter", needs=("in",), takes=("reset",), law=_counter, clocked=True),
    Block(key="timer", needs=("in",), law=_timer, clocked=True),
)
