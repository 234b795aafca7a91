"""Blocks with memory: integrators, lags, delays, rates."""

from __future__ import annotations

from sistel.model.blocks._law import Block, Given, Law, Memory, within


def _start(given: Given) -> str:
    return "start" if "start" in given else "0"


def _integrator(given: Given) -> Law:
    """Its output is what it has gathered before the tick: it breaks loops."""
    gain = "gain * " if "gain" in given else ""
    like = f"{gain}(in) * " + ("period" if given.clocked else "1 s")
    if not given.clocked:
        rate = f"{gain}(in)"
        if "limit" in given:
            rate = f"select((sum >= limit and {rate} > 0) or (sum <= -limit and {rate} < 0), 0, {rate})"
        return Law("sum", {"sum": Memory(like=like, following=rate, start=_start(given))})
    now = within(f"sum + {gain}(in) * period", given)
    if "reset" in given:
        now = f"select(reset, {_start(given)}, {now})"
    return Law("sum", {"sum": Memory(like=like, following=now, start=_start(given))})


def _derivative(given: Given) -> Law:
    return Law(
        "select(ticks > 0.5, (in - last) / period, 0)",
        {"last": Memory(like="in", following="in", start=_start(given))},
    )


def _lag(given: Given) -> Law:
    """First order: time · y' = in − y; between ticks the input is taken as held, and the solution is exact."""
    if not given.clocked:
        return Law("last", {"last": Memory(like="in", following="(in - last) / time", start=_start(given))})
    now = "in + (last - in) * exp(-period / time)"
    return Law("last", {"last": Memory(like="in", following=now, start=_start(given))})


def _delay(given: Given) -> Law:
    """The input of some ticks before."""
    count = given.counts.get("ticks", 1)
    stores = {"s1": Memory(like="in", following="in", start=_start(given))}
    for i in range(2, count + 1):
        stores[f"s{i}"] = Memory(like="in", following=f"s{i - 1}", start=_start(given))
    return Law(f"s{count}", stores)


def _rate_limiter(given: Given) -> Law:
    now = "last + clamp(in - last, -rate * period, rate * period)"
    return Law(now, {"last": Memory(like="in", following=now, start=_start(given))})


def _mean(given: Given) -> Law:
    """Moving mean of the last ticks."""
    count = given.counts.get("ticks", 2)
    stores = {"s1": Memory(like="in", following="in", start=_start(given))}
    for i in range(2, count):
        stores[f"s{i}"] = Memory(like="in", following=f"s{i - 1}", start=_start(given))
    total = " + ".join(("in", *stores))
    return Law(f"({total}) / {count}", stores)


BLOCKS = (
    Block(key="integrator", needs=("in",), takes=("gain", "start", "limit", "low", "high", "reset"), law=_integrator),
    Block(key="derivative", needs=("in",), law=_derivative, clocked=True),
    Block(key="lag", needs=("in", "time"), takes=("start",), law=_lag),
    Block(key="delay", needs=("in",), takes=("ticks", "start"), law=_delay, clocked=True),
    Block(key="rate-limiter", needs=("in", "rate"), takes=("start",), law=_rate_limiter, clocked=True),
    Block(key="mean", needs=("in", "ticks"), takes=("start",), law=_mean, clocked=True),
)
