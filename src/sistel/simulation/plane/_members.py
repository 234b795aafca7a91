"""Bodies that take part in what happens now, the contacts that join them, and what changes for these.

In the plane and in space alike: `show`, `look` and the other names that a shape of the world is behind mean those of
either. Written in the compiled subset of Python.
"""

from __future__ import annotations

from typing import Final

from sistel.automaton import STICK
from sistel.kernels.subset import Floats, shift
from sistel.mechanics import AWAY, WITHIN
from sistel.simulation.plane import tables as t
from sistel.simulation.plane._equations import CLOSED, HELD, IDLE
from sistel.simulation.plane._lives import box_apart, show
from sistel.simulation.plane._places import (
    AHEAD,
    add_near,
    closing_speed,
    key_of,
    look,
    meet_ground,
    meet_more,
    refresh,
    slid_off,
    there,
)
from sistel.simulation.plane.tables import World

DEEPEST: Final = 1e-8
"""How far behind a surface something that touches it may be [m]: much more than there ever is."""


def mark(world: World, body: int) -> None:
    """Let a body take part."""
    if body != 0 and world.member[body] == 0:
        world.member[body] = 1
        world.members[world.counts[t.MEMBERS]] = body
        world.counts[t.MEMBERS] = world.counts[t.MEMBERS] + 1


def no_members(world: World) -> None:
    """Nothing takes part."""
    for place in range(world.counts[t.MEMBERS]):
        world.member[world.members[place]] = 0
    world.counts[t.MEMBERS] = 0
    world.counts[t.ROWS] = 0


def member_of(world: World, whose: int) -> None:
    """The bodies of an element take part; all, where there is none."""
    no_members(world)
    if whose >= 0:
        f = world.elements[t.ELEMENT * whose + t.FIRST]
        mark(world, world.kinds[t.KINDS * f + t.A])
        mark(world, world.kinds[t.KINDS * f + t.B])
    else:
        for body in range(1, world.counts[t.BODIES]):
            mark(world, body)


def add_contact(world: World, f: int) -> None:
    """Let a feature take part in the problem at hand."""
    i = world.counts[t.ROWS]
    world.chosen[i] = f
    world.body_a[i] = world.kinds[t.KINDS * f + t.A]
    world.body_b[i] = world.kinds[t.KINDS * f + t.B]
    world.counts[t.ROWS] = i + 1


def gather(world: World, without: int) -> None:
    """All that touches the members, directly or through others, as contacts of a problem; but for one element."""
    place = 0
    while place < world.counts[t.MEMBERS]:
        body = world.members[place]
        show(world, body)
        reach_closed(world, body, without)
        reach_near(world, body, without)
        world.member[body] = 2
        place += 1


def reach_closed(world: World, body: int, without: int) -> None:
    """Let the closed contacts of a body take part, with what they join."""
    link = world.chain[body]
    while link >= 0:
        e = world.closed[link // 2]
        f = world.touched[e]
        other = world.kinds[t.KINDS * f + (t.B if link % 2 == 0 else t.A)]
        link = world.chained[link]
        if world.member[other] == 2 or e == without:
            continue
        show(world, other)
        if without < 0 or not slid_off(world, f):
            add_contact(world, f)
            mark(world, other)


def reach_near(world: World, body: int, without: int) -> None:
    """Let what touches a body and is open take part."""
    n = world.counts[t.BODIES]
    world.counts[t.NEAR] = 0
    if world.asleep[body] == 0:
        meet_ground(world, body)
        meet_more(world, body, 0, 0.0)
    for other in range(1, n):
        at = world.pairs[body * n + other]
        if at == 0 or world.member[other] == 2 or box_apart(world, body, other):
            continue
        if world.asleep[body] != 0 and world.asleep[other] != 0:
            continue
        show(world, other)
        meet(world, at)
        meet_more(world, body, other, 0.0)
    for place in range(world.counts[t.NEAR]):
        f = world.near[place]
        e = world.kinds[t.KINDS * f + t.OWNER]
        gone = world.counts[t.LETTING] != 0 and world.gone[e] == world.numbers[t.TIME]
        if e == without or world.status[e] >= CLOSED or gone:
            continue
        gap = look(world, f, shift(world.more, 6))
        if gap > world.numbers[t.NEARLY] or gap < -DEEPEST:
            continue
        if there(world, f, closing_speed(world, f), WITHIN, AHEAD) and not taken(world, e):
            add_contact(world, f)
            mark(world, world.kinds[t.KINDS * f + t.A])
            mark(world, world.kinds[t.KINDS * f + t.B])


def meet(world: World, at: int) -> None:
    """Look at all features of the elements in a list."""
    for place in range(world.lists[at]):
        element = shift(world.elements, t.ELEMENT * world.lists[at + 1 + place])
        for f in range(element[t.FIRST], element[t.FIRST] + element[t.COUNT]):
            add_near(world, f)


def taken(world: World, e: int) -> bool:
    """Whether an element has a contact in the problem already, among the last."""
    count = world.counts[t.ROWS]
    found = False
    for back in range(min(count, 16)):
        found = found or world.kinds[t.KINDS * world.chosen[count - 1 - back] + t.OWNER] == e
    return found


def island_of(world: World, body: int) -> None:
    """The bodies that closed contacts join a body with take part, and so do these contacts."""
    no_members(world)
    mark(world, body)
    place = 0
    while place < world.counts[t.MEMBERS]:
        one = world.members[place]
        link = world.chain[one]
        while link >= 0:
            f = world.touched[world.closed[link // 2]]
            other = world.kinds[t.KINDS * f + (t.B if link % 2 == 0 else t.A)]
            if world.member[other] != 2:
                add_contact(world, f)
                mark(world, other)
            link = world.chained[link]
        world.member[one] = 2
        place += 1


def show_island(world: World, body: int) -> None:
    """Let the island of a body take part, as it is now."""
    island_of(world, body)
    for place in range(world.counts[t.MEMBERS]):
        show(world, world.members[place])


def choose_axis(world: World) -> None:
    """The axis along which the centres of the members are farthest apart."""
    axes = world.counts[t.AXES]
    places = world.counts[t.PLACES]
    farthest = -1.0
    for axis in range(axes):
        low = 0.0
        high = 0.0
        for place in range(world.counts[t.MEMBERS]):
            at = world.place[places * world.members[place] + axis]
            low = at if place == 0 else min(low, at)
            high = at if place == 0 else max(high, at)
        if high - low > farthest:
            farthest = high - low
            world.counts[t.AXIS] = axis


def put_in_order(world: World) -> None:
    """Put contacts in order, so that those which share bodies are near each other."""
    count = world.counts[t.ROWS]
    choose_axis(world)
    for i in range(1, count):
        f = world.chosen[i]
        key = key_of(world, f)
        j = i - 1
        while j >= 0 and key_of(world, world.chosen[j]) > key:
            world.chosen[j + 1] = world.chosen[j]
            j -= 1
        world.chosen[j + 1] = f
    for i in range(count):
        world.body_a[i] = world.kinds[t.KINDS * world.chosen[i] + t.A]
        world.body_b[i] = world.kinds[t.KINDS * world.chosen[i] + t.B]


def assemble(world: World, what: int, whose: int, f: int) -> None:
    """All contacts that an element takes part with, as a problem."""
    member_of(world, whose)
    if what == t.GOES_AROUND:
        go_around(world, whose)
    if what == t.STRIKES and world.status[whose] < CLOSED:
        gather(world, whose)
        add_contact(world, f)
    else:
        gather(world, whose if what == t.LETS_GO or what == t.SLIDES_OFF else -1)
    put_in_order(world)


def go_around(world: World, e: int) -> None:
    """Let a round shape touch the side, face, edge or corner that it is about to touch."""
    element = shift(world.elements, t.ELEMENT * e)
    best = AWAY
    chosen = world.touched[e]
    for f in range(element[t.FIRST], element[t.FIRST] + element[t.COUNT]):
        gap = look(world, f, world.more)
        if abs(gap) < best and abs(gap) < 1e-9 and f != world.touched[e] and there(world, f, 0.0, 0.0, AHEAD):
            best = abs(gap)
            chosen = f
    world.touched[e] = chosen


def copy_rates(world: World, given: Floats, taken: Floats) -> None:
    """Copy the rates of the bodies that take part."""
    row = world.counts[t.RATE_ROW]
    for place in range(world.counts[t.MEMBERS]):
        first = row * world.members[place]
        for k in range(first, first + row):
            taken[k] = given[k]


def keep_rates(world: World) -> None:
    """Keep the rates of the bodies that take part."""
    copy_rates(world, world.rate, world.kept_rate)


def take_rates_back(world: World) -> None:
    """Take the rates that were kept."""
    copy_rates(world, world.kept_rate, world.rate)
    refresh_members(world)


def refresh_members(world: World) -> None:
    """Begin the series of the bodies that take part with their places and rates now."""
    for place in range(world.counts[t.MEMBERS]):
        refresh(world, world.members[place])


def lie_down(world: World, rests: bool) -> None:
    """Let the bodies that take part rest, or move."""
    row = world.counts[t.RATE_ROW]
    for place in range(world.counts[t.MEMBERS]):
        body = world.members[place]
        world.asleep[body] = 1 if rests else 0
        if rests:
            for k in range(row):
                world.rate[row * body + k] = 0.0
            refresh(world, body)


def open_members(world: World) -> None:
    """Open all elements of the bodies that take part: what is found closes them again."""
    for place in range(world.counts[t.MEMBERS]):
        link = world.chain[world.members[place]]
        while link >= 0:
            world.status[world.closed[link // 2]] = 0
            link = world.chained[link]


def list_closed(world: World) -> None:
    """List the elements that are closed: those of the problem, and of bodies that do not take part; link them."""
    n = 0
    for place in range(world.counts[t.CLOSED_COUNT]):
        e = world.closed[place]
        if world.status[e] >= CLOSED:
            f = world.touched[e]
            if world.member[world.kinds[t.KINDS * f + t.A]] == 0 and world.member[world.kinds[t.KINDS * f + t.B]] == 0:
                world.closed[n] = e
                n += 1
    for i in range(world.counts[t.ROWS]):
        if world.state[i] >= CLOSED:
            world.closed[n] = world.kinds[t.KINDS * world.chosen[i] + t.OWNER]
            n += 1
    world.counts[t.CLOSED_COUNT] = n
    for body in range(world.counts[t.BODIES]):
        world.chain[body] = -1
    for place in range(n):
        f = world.touched[world.closed[place]]
        for end in range(2):
            body = world.kinds[t.KINDS * f + (t.A if end == 0 else t.B)]
            world.chained[2 * place + end] = world.chain[body]
            world.chain[body] = 2 * place + end


def remember(world: World) -> None:
    """Keep the statuses before a passage."""
    world.counts[t.BEFORE] = world.counts[t.CLOSED_COUNT]
    for place in range(world.counts[t.CLOSED_COUNT]):
        e = world.closed[place]
        world.earlier[place] = e
        world.before[e] = world.status[e]


def shown_status(status: int) -> int:
    """A status as a run shows it."""
    return CLOSED + STICK if status >= HELD else status % IDLE


def write_change(world: World, e: int) -> None:
    """Write down what an element does, if that is something else than before."""
    if shown_status(world.before[e]) != shown_status(world.status[e]):
        n = world.counts[t.CHANGES]
        world.changes[2 * n] = e
        world.changes[2 * n + 1] = shown_status(world.status[e])
        world.counts[t.CHANGES] = n + 1


def write_changes(world: World) -> int:
    """Write down all changes of statuses; how many there are."""
    first = world.counts[t.CHANGES]
    for place in range(world.counts[t.BEFORE]):
        write_change(world, world.earlier[place])
    for place in range(world.counts[t.CLOSED_COUNT]):
        if world.before[world.closed[place]] < CLOSED:
            write_change(world, world.closed[place])
    for place in range(world.counts[t.BEFORE]):
        world.before[world.earlier[place]] = 0
    return world.counts[t.CHANGES] - first


FUNCTIONS: Final = (
    mark,
    no_members,
    member_of,
    add_contact,
    gather,
    reach_closed,
    reach_near,
    meet,
    taken,
    island_of,
    show_island,
    choose_axis,
    put_in_order,
    assemble,
    go_around,
    copy_rates,
    keep_rates,
    take_rates_back,
    refresh_members,
    lie_down,
    open_members,
    list_closed,
    remember,
    shown_status,
    write_change,
    write_changes,
)
