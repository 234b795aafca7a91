"""Passages of contacts without the interpreter: what strikes, the impact, what all elements do next, and on.

What `_contacts` decides in Python is decided here for the usual cases, on the same numbers and by the same rules; where
a case is not usual (impacts that follow from each other, hops that no step would see, no solution) nothing is changed,
and Python is asked. Written in the compiled subset of Python.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.automaton import FREE, MINUS, PLUS, ROUNDING, SLOWEST, STICK, TOUCHING
from sistel.kernels.subset import Floats, shift
from sistel.mechanics import AWAY
from sistel.simulation.contact import _beginning, _holding, _looking, _slipping, _striking, _trials
from sistel.simulation.contact import _scene as s
from sistel.simulation.contact._algebra import clear
from sistel.simulation.contact._beginning import begin_slips, give_time, slips_anew
from sistel.simulation.contact._gauss import NODES
from sistel.simulation.contact._holding import hold, settle_rows, stop_rows
from sistel.simulation.contact._looking import hangs, largest_size, look, slides, solve_motion
from sistel.simulation.contact._scene import Scene
from sistel.simulation.contact._slipping import fades, find_slips, nearly_still, set_ways, stop
from sistel.simulation.contact._striking import AGAIN, crowd, impact, remember
from sistel.simulation.contact._trials import CLOSED
from sistel.simulation.taylor import _loop
from sistel.simulation.taylor import outcomes as o
from sistel.simulation.taylor import tables as t
from sistel.simulation.taylor._loop import propagate
from sistel.simulation.taylor.tables import Tables

RESTING: Final = 1e-11
"""Part of the terms of velocities now that counts as none."""
SLOW: Final = 1e-13
"""Part of the largest velocity that contacts have had at events that counts as none."""
DEEP: Final = 1e-6
"""How far beyond its surface a point, or a joint beyond its stop, shows that an impact was missed [m or rad]."""
AHEAD: Final = 1e-3
"""Part of the radius of convergence at which undecided cases are looked at."""
SLOWEST_HOP: Final = 1e-7
"""Velocity from which on a hop is surely seen [m/s]."""
LOWEST_HOP: Final = 1e-22
"""Height of a hop, four times over, that is not seen [m]: see `NOWHERE` of the steps."""
MOST_AT_ONCE: Final = 100
"""Passages at one instant that count as chattering."""
ATTEMPTS: Final = 4


def decide_statuses(scene: Scene, count: int) -> float:
    """What elements do next, from the solution of their problem.

    Where slips in space begin: in which time they are so fast that they count; else 0 [s].
    """
    begins = 0.0
    problem = scene.problem
    counts = scene.counts
    sides = problem.sides
    for place in range(count):
        i = scene.chosen[place]
        status = problem.statuses[place]
        grip = status % CLOSED
        moves = False
        slips = False
        for side in range(sides):
            j = count * (1 + side) + place
            moves = moves or abs(problem.w[j]) > ROUNDING * problem.size[j]
            slips = slips or scene.slipping[sides * i + side] != 0.0
            scene.x[counts[s.ELEMENTS] * (1 + side) + i] = problem.x[j]
        scene.x[i] = problem.x[place]
        bare = problem.bare[place] != 0
        if sides == 2:
            for side in range(2):
                scene.ways[2 * i + side] = problem.found[2 * place + side]
            alone = scene.elements[s.ELEMENT * i + s.TANGENTS] == 1
            if alone and grip == PLUS and problem.found[2 * place] < 0.0:
                status = status - PLUS + MINUS
        # On the edge of its cone, but not moving: another contact holds it, or what follows decides.
        if slides(grip) and not slips and not moves and (status >= CLOSED or bare):
            status = (CLOSED if status >= CLOSED else 0) + STICK
        scene.next[i] = status
        if sides == 2 and slips_anew(scene, i):
            one = problem.w[count + place]
            two = problem.w[2 * count + place]
            begins = max(begins, 10.0 * SLOWEST / max(math.sqrt(one * one + two * two), 1e-300))
    return begins


def start_slips(tables: Tables, scene: Scene, count: int, attempt: int, gone: float, begins: float) -> None:
    """Let slips in space begin: `later` is the state after their first moment, or about, MOMENT_LENGTH its length.

    Args:
        tables: Those of the loop.
        scene: The elements.
        count: Those that take part.
        attempt: 0 where the problem was that of the state itself.
        gone: Time to where it was instead [s].
        begins: Time in which slips are so fast that they count [s].
    """
    k = scene.counts[s.ELEMENTS]
    r = 3 * k
    for i in range(r):
        scene.own_x[i] = scene.x[i]
        total = scene.data.a[i] if attempt == 0 else scene.here.a[i]
        for j in range(r):
            total += (scene.data.G[i * r + j] if attempt == 0 else scene.here.G[i * r + j]) * scene.x[j]
        scene.all_w[i] = total
    for i in range(tables.counts[t.SIZE]):
        scene.later[i] = scene.start[i]
    give_time(tables, scene, count, gone, begins)
    look(tables, scene, scene.later, True)
    for place in range(count):
        i = scene.chosen[place]
        if slips_anew(scene, i):
            # What has not come off the ground by then is held: others slip first.
            faster = set_slip(scene, i)
            scene.next[i] = CLOSED + (PLUS if faster else STICK)
    for i in range(tables.counts[t.SIZE]):
        scene.moved[i] = scene.later[i]
    length = begin_slips(tables, scene, count)
    scene.numbers[s.MOMENT_LENGTH] = length
    if length > 0.0:
        look(tables, scene, scene.later, True)
        for place in range(count):
            if scene.next[scene.chosen[place]] == CLOSED + PLUS:
                set_slip(scene, scene.chosen[place])
    else:
        for i in range(tables.counts[t.SIZE]):
            scene.later[i] = scene.moved[i]
    for i in range(r):
        scene.x[i] = scene.own_x[i]


def set_slip(scene: Scene, i: int) -> bool:
    """The direction of a slip in space at `here`; whether it has one."""
    k = scene.counts[s.ELEMENTS]
    one = scene.here.u[k + i]
    two = scene.here.u[2 * k + i]
    speed = math.sqrt(one * one + two * two)
    scene.ways[2 * i] = one / speed if speed > SLOWEST else 0.0
    scene.ways[2 * i + 1] = two / speed if speed > SLOWEST else 0.0
    return speed > SLOWEST


def stand_of(scene: Scene) -> int:
    """The number of the statuses `next` among those that are known; -1 where they are not."""
    k = scene.counts[s.ELEMENTS]
    for stand in range(scene.counts[s.KNOWN]):
        own = shift(scene.stands, stand * (k + s.STAND))
        same = True
        for i in range(k):
            if own[i] != scene.next[i]:
                same = False
                break
        if same:
            return stand
    return -1


def undecided(tables: Tables, scene: Scene, table: Floats) -> bool:
    """Whether the motion would end as soon as it begins; then `y` is the state that it comes to a moment later."""
    counts = tables.counts
    size = counts[t.SIZE]
    order = counts[t.ORDER]
    stride = counts[t.STRIDE]
    worst = 0.0
    for i in range(size - 1):
        worst = max(worst, abs(table[i * stride + order]) / max(abs(table[i * stride]), 1.0))
    radius = min(1.0, math.pow(max(worst, 1e-300), -1.0 / float(order))) if worst > 0.0 else 1.0
    h = AHEAD * radius
    first = size + scene.counts[s.FIRST_WATCHED]
    found = False
    for leaf in range(scene.counts[s.LEAVES]):
        row = shift(table, (first + leaf) * stride)
        change = 0.0
        for back in range(order):
            change = (change + row[order - back]) * h
        if abs(row[0]) <= 1e-3 * abs(change) and row[0] + change < 0.0:
            found = True
    if found:
        for i in range(size):
            row = shift(table, i * stride)
            total = row[order]
            for back in range(order):
                total = total * h + row[order - 1 - back]
            scene.y[i] = total
    return found


def find_hops(tables: Tables, scene: Scene, table: Floats) -> int:
    """Find elements that touch and would strike again before that could be seen, in `slow`; how many.

    -1 where one is inside its surface.
    """
    stride = tables.counts[t.STRIDE]
    first = tables.counts[t.SIZE] + scene.counts[s.FIRST_WATCHED]
    hops = 0
    for i in range(scene.counts[s.ELEMENTS]):
        scene.slow[i] = 0
    for leaf in range(scene.counts[s.LEAVES]):
        own = shift(scene.leaves, s.LEAF * leaf)
        i = own[s.WHOSE]
        if own[s.KIND] == 0 and touches_slowly(scene, i):
            row = shift(table, (first + leaf) * stride)
            if row[0] < -t.NEAR:
                return -1
            if row[0] <= t.NEAR:
                falls = row[1] < -t.NEAR
                if row[2] < 0.0:
                    falls = falls or row[1] <= t.NEAR or row[1] * row[1] <= LOWEST_HOP * -row[2]
                if falls and row[1] >= -SLOWEST_HOP:
                    scene.slow[i] = 1
                    hops += 1
    return hops


def end_hops(tables: Tables, scene: Scene, count: int) -> int:
    """Bring elements that hop unseen to rest on their surfaces, beside what holds, in the state `later`.

    They are among those that do not part then; how many these are.
    """
    counts = scene.counts
    data = scene.data
    k = counts[s.ELEMENTS]
    sides = counts[s.SIDES]
    nv = counts[s.RATES]
    n = 0
    for row in range(counts[s.ROWS]):
        if scene.p[row] != 0.0:
            scene.rows[n] = scene.places[row]
            n += 1
    for i in range(k):
        if scene.slow[i] != 0:
            scene.rows[n] = i
            n += 1
    stop_rows(scene, scene.rows, n, 1e-12)
    for i in range(tables.counts[t.SIZE]):
        scene.later[i] = scene.start[i]
    for j in range(n):
        for c in range(nv):
            at = counts[s.FIRST_RATE] + c
            scene.later[at] = scene.later[at] + data.P[scene.rows[j] * nv + c] * scene.problem.x[j]
    look(tables, scene, scene.later, False)
    for i in range(k):
        if scene.slow[i] == 0:
            continue
        one = data.u[k + i]
        two = data.u[2 * k + i] if sides == 2 else 0.0
        speed = math.sqrt(one * one + two * two)
        if speed > SLOWEST:
            scene.slipping[sides * i] = one / speed
            if sides == 2:
                scene.slipping[sides * i + 1] = two / speed
        known = False
        for place in range(count):
            known = known or scene.still[place] == i
        if not known:
            scene.still[count] = i
            count += 1
    return count


def touches_slowly(scene: Scene, i: int) -> bool:
    """Whether an element is open, touches, and does not surely leave."""
    if scene.elements[s.ELEMENT * i + s.NORMAL] < 0 or scene.next[i] >= CLOSED or scene.data.gap[i] > TOUCHING:
        return False
    return scene.data.gap[i] < -t.NEAR or scene.data.u[i] <= SLOWEST_HOP


def give_way(tables: Tables, scene: Scene, table: Floats) -> None:
    """Watch what is open and touches in space a little lower, see `Motions._give_way`."""
    lower = 0.0
    k = scene.counts[s.ELEMENTS]
    first = tables.counts[t.SIZE] + scene.counts[s.FIRST_WATCHED]
    for i in range(k):
        if scene.next[i] >= CLOSED:
            lower = max(lower, abs(scene.data.gap[i]))
    lower = min(3e-13, 2.0 * lower)
    for leaf in range(scene.counts[s.LEAVES]):
        own = shift(scene.leaves, s.LEAF * leaf)
        i = own[s.WHOSE]
        gap = scene.data.gap[i]
        if own[s.KIND] == 0 and scene.next[i] < CLOSED and gap <= TOUCHING and max(lower, -gap) > 1e-16:
            more = max(scene.p[own[s.PLACE]] + lower, -gap)
            if scene.p[own[s.PLACE]] == 0.0:
                # The series of a watched function that is computed already begins with this number, and nothing else.
                table[(first + leaf) * tables.counts[t.STRIDE]] += more
            else:
                tables.counts[t.KNOWN] = 0
            scene.p[own[s.PLACE]] = more


def same_numbers(scene: Scene) -> bool:
    """Whether the block p is what it was at the last look."""
    same = True
    for i in range(scene.counts[s.PARTS]):
        same = same and scene.p[i] == scene.last[i]
    return same


def choose(scene: Scene, count: int) -> int:
    """Choose those of the elements that do not part which have something to decide; how many."""
    k = scene.counts[s.ELEMENTS]
    r = k * (1 + scene.counts[s.SIDES])
    chosen = 0
    for i in range(k):
        scene.next[i] = FREE
        scene.struck[i] = 0
    for place in range(count):
        i = scene.still[place]
        if scene.elements[s.ELEMENT * i + s.NORMAL] < 0 and scene.data.G[(k + i) * r + k + i] <= 0.0:
            scene.struck[i] = 1  # what the structure holds anyway has nothing to decide
        else:
            scene.chosen[chosen] = i
            chosen += 1
    return chosen


def next_statuses(scene: Scene, chosen: int, attempt: int) -> float:
    """Decide what elements do next, from the state itself at the first attempt, else from `here`.

    -1 where there is no solution; else see `decide_statuses` for the answer.
    """
    k = scene.counts[s.ELEMENTS]
    sides = scene.counts[s.SIDES]
    for i in range(k):
        scene.next[i] = STICK if scene.struck[i] != 0 else FREE
    for i in range(k * (1 + sides)):
        scene.x[i] = 0.0
    for i in range(sides * k):
        scene.ways[i] = scene.slipping[i]
    if chosen == 0:
        return 0.0
    if attempt == 0:
        if not solve_motion(scene, scene.data, chosen, scene.statuses):
            return -1.0
    elif not solve_motion(scene, scene.here, chosen, scene.statuses):
        return -1.0
    if hangs(scene.problem, chosen):
        return -1.0  # what shares the load with what is for Python to say
    return decide_statuses(scene, chosen)


def take_stand(scene: Scene) -> int:
    """Fill the block p for the statuses `next`; which statuses these are, -1 for Python."""
    stand = stand_of(scene)
    if stand < 0:
        scene.counts[s.ASKED] = 1
        return -1
    if not hold(scene, stand):
        return -1
    if scene.counts[s.SIDES] == 2:
        set_ways(scene)
    return stand


def unseen_hops(tables: Tables, scene: Scene, table: Floats) -> int:
    """See `find_hops`; the series of the motion are computed only where something touches slowly."""
    near = False
    for i in range(scene.counts[s.ELEMENTS]):
        near = near or touches_slowly(scene, i)
    if not near:
        return 0
    if tables.counts[t.KNOWN] == 0:
        go_ahead(tables, scene, table)
    return find_hops(tables, scene, table)


def slides_on(tables: Tables, scene: Scene, began: bool, table: Floats) -> bool:
    """Whether all slips in space have directions, and a first moment of them can be written down; see `give_way`."""
    if began:
        look(tables, scene, scene.later, True)
        if fades(scene, scene.here, SLOWEST):
            return False
    elif fades(scene, scene.data, 2.0 * SLOWEST):
        return False
    give_way(tables, scene, table)
    # A moment is written down as a step of its own.
    room = tables.counts[t.STEPS] < tables.counts[t.ROOM]
    return room or not scene.numbers[s.MOMENT_LENGTH] > 0.0


def motion(tables: Tables, scene: Scene, count: int, table: Floats) -> int:
    """What elements that touch and do not part do from the state `later` on; which statuses that are, -1 for Python.

    The flow from there on is in the table where KNOWN says so. What would hop unseen is brought to rest, and does not
    part either; what is let go again and again goes on.
    """
    rounds = scene.counts[s.ELEMENTS]
    for turn in range(rounds):
        stand = try_motion(tables, scene, count, table)
        if stand < 0:
            return -1
        began = scene.counts[s.BEGAN] != 0
        hops = unseen_hops(tables, scene, table)
        if hops == 0 or (hops > 0 and turn + 1 == rounds):
            return stand if scene.counts[s.SIDES] == 1 or slides_on(tables, scene, began, table) else -1
        if hops < 0 or began or (scene.counts[s.SIDES] == 2 and fades(scene, scene.data, 2.0 * SLOWEST)):
            return -1
        count = end_hops(tables, scene, count)
    return -1


def try_motion(tables: Tables, scene: Scene, count: int, table: Floats) -> int:
    """The same, whether or not hops can be followed then; whether slips begin goes to BEGAN."""
    counts = scene.counts
    size = tables.counts[t.SIZE]
    chosen = choose(scene, count)
    for i in range(size):
        scene.start[i] = scene.later[i]
    tables.counts[t.KNOWN] = 0
    stand = -1
    began = False
    gone = 0.0
    for attempt in range(ATTEMPTS):
        before = began
        scene.numbers[s.MOMENT_LENGTH] = 0.0
        begins = next_statuses(scene, chosen, attempt)
        if begins < 0.0:
            return -1
        began = begins > 0.0
        if began:
            start_slips(tables, scene, chosen, attempt, gone, begins)
        stand = take_stand(scene)
        if stand < 0:
            return -1
        if attempt > 0 and not began and not before and same_numbers(scene):
            break  # what was looked at decides nothing else, and so would the next look
        if not began:
            for i in range(size):
                scene.later[i] = scene.start[i]
        if scene.numbers[s.MOMENT_LENGTH] == 0.0:
            settle_rows(scene)
        if attempt + 1 == ATTEMPTS or chosen == 0:
            tables.counts[t.KNOWN] = 0
            break
        go_ahead(tables, scene, table)
        if not undecided(tables, scene, table):
            break
        gone = scene.y[size - 1] - scene.start[size - 1]
        tables.kernel_at(counts[s.LOOK], 0, 1, counts[s.HERE_ARGUMENTS])
        for i in range(counts[s.PARTS]):
            scene.last[i] = scene.p[i]
    counts[s.BEGAN] = 1 if began else 0
    return stand


def go_ahead(tables: Tables, scene: Scene, table: Floats) -> None:
    """Series of the motion from the state `later` on with the block p."""
    if scene.counts[s.CHOOSE] != 0:
        for i in range(tables.counts[t.SIZE]):
            scene.y[i] = scene.later[i]
        tables.kernel_at(scene.counts[s.CHOOSE], 0, 1, scene.counts[s.CHOOSE_ARGUMENTS])
    tables.flow_at(tables.plans[t.FLOW], scene.later, scene.p, table, tables.scratch)
    tables.counts[t.KNOWN] = t.FORESEEN if scene.counts[s.CHOOSE] == 0 else 1


def look_back(tables: Tables, scene: Scene, alone: int) -> float:
    """The largest velocity that elements have had at events, with those of strikes that were taken since the last."""
    k = scene.counts[s.ELEMENTS]
    r = k * (1 + scene.counts[s.SIDES])
    fastest = scene.numbers[s.FASTEST]
    response = 0.0
    for i in range(r):
        response = max(response, scene.data.G[i * r + i])
    for event in range(alone):
        note = shift(tables.log, event * tables.counts[t.LOG] + 2)
        square = 0.0
        for i in range(6):
            square += note[i] * note[i]
        fastest = max(fastest, math.sqrt(square) * response)
    return max(fastest, largest_size(scene, scene.data))


def arrive(tables: Tables, scene: Scene) -> bool:
    """Look at the state at the end of a motion; False where something has gone through its surface."""
    k = scene.counts[s.ELEMENTS]
    own = shift(scene.stands, scene.counts[s.NOW] * (k + s.STAND))
    for i in range(k):
        scene.statuses[i] = own[i]
    for i in range(tables.counts[t.SIZE]):
        scene.later[i] = tables.y[i]
    look(tables, scene, tables.y, False)
    for i in range(k):
        scene.ended[i] = 0
        if scene.elements[s.ELEMENT * i + s.NORMAL] >= 0 and scene.data.gap[i] < -DEEP:
            return False
    return True


def end_slip(tables: Tables, scene: Scene, leaf: int) -> None:
    """End the slip of an element whose watched function has ended a motion, if that was it."""
    whose = scene.leaves[s.LEAF * leaf + s.WHOSE]
    grip = scene.statuses[whose] % CLOSED
    if scene.leaves[s.LEAF * leaf + s.KIND] != 0 and slides(grip):
        if scene.elements[s.ELEMENT * whose + s.TANGENTS] == 2:
            stop(tables, scene, scene.statuses, whose)
        else:
            scene.ended[whose] = 1


def look_forward(scene: Scene) -> None:
    """Begin with the strikes that are kept in mind."""
    for i in range(scene.counts[s.ELEMENTS]):
        scene.new_strikes[i] = scene.strikes[i]
        for j in range(s.SPEEDS):
            scene.new_speeds[s.SPEEDS * i + j] = scene.speeds[s.SPEEDS * i + j]


def find_touching(scene: Scene, rest: float, anew: bool) -> int:
    """Find the elements that touch, in `touching`, and keep in mind how fast they strike; how many touch.

    Args:
        scene: The elements.
        rest: Velocity that counts as none [m/s].
        anew: Whether what holds may strike as well: an impact at the same instant has thrown it down.
    """
    data = scene.data
    closed = 0
    for i in range(scene.counts[s.ELEMENTS]):
        # What touches keeps to it, unless it has slid off.
        touches = data.gap[i] <= TOUCHING or (scene.statuses[i] >= CLOSED and data.gap[i] < 0.5 * AWAY)
        if scene.elements[s.ELEMENT * i + s.NORMAL] >= 0 and touches:
            scene.touching[closed] = i
            closed += 1
            if hits(scene, i, rest, anew):
                remember(scene, i, -data.u[i])
    return closed


def hits(scene: Scene, i: int, rest: float, anew: bool) -> bool:
    """Whether an element that touches strikes."""
    return scene.data.u[i] < -rest and (anew or scene.statuses[i] < CLOSED)


def find_still(scene: Scene, closed: int, strikes: bool, rest: float) -> int:
    """Find the elements that touch and do not part, in `still`; how many."""
    still = 0
    for place in range(closed):
        i = scene.touching[place]
        if scene.data.u[i] <= rest or (scene.statuses[i] >= CLOSED and not strikes):
            scene.still[still] = i
            still += 1
    for i in range(scene.counts[s.ELEMENTS]):
        if scene.elements[s.ELEMENT * i + s.NORMAL] < 0:
            scene.still[still] = i
            still += 1
    return still


def hold_still(scene: Scene, still: int) -> None:
    """Let closed elements in space stick that do not slip."""
    for place in range(still):
        i = scene.still[place]
        slips = scene.slipping[2 * i] != 0.0 or scene.slipping[2 * i + 1] != 0.0
        if scene.elements[s.ELEMENT * i + s.TANGENTS] == 2 and scene.statuses[i] >= CLOSED and not slips:
            scene.statuses[i] = CLOSED + STICK


def keep_in_mind(tables: Tables, scene: Scene, at_once: int, fastest: float) -> None:
    """Keep what the next passage has to know of a passage that is decided."""
    scene.counts[s.AT_ONCE] = at_once
    scene.numbers[s.MOMENT] = scene.start[tables.counts[t.SIZE] - 1]
    scene.numbers[s.FASTEST] = fastest
    for i in range(scene.counts[s.ELEMENTS]):
        scene.strikes[i] = scene.new_strikes[i]
        for j in range(s.SPEEDS):
            scene.speeds[s.SPEEDS * i + j] = scene.new_speeds[s.SPEEDS * i + j]


def decide(tables: Tables, scene: Scene, leaf: int, alone: int) -> bool:
    """What follows where a watched function of an element ends a motion; whether it is decided, else nothing is done.

    Args:
        tables: Those of the loop, at the end of the motion.
        scene: The elements.
        leaf: Of their watched functions, the one that ended it.
        alone: Strikes that the loop has taken by itself since the last passage.
    """
    counts = scene.counts
    k = counts[s.ELEMENTS]
    sides = counts[s.SIDES]
    size = tables.counts[t.SIZE]
    before = counts[s.NOW]
    if counts[s.OPEN_WAYS] == 0 or not arrive(tables, scene):
        return False
    end_slip(tables, scene, leaf)
    fastest = look_back(tables, scene, alone)
    rest = max(RESTING * largest_size(scene, scene.data), SLOW * fastest)
    look_forward(scene)
    closed = find_touching(scene, rest, False)
    strikes = False
    for place in range(closed):
        strikes = strikes or hits(scene, scene.touching[place], rest, False)
    scene.numbers[s.LOSS] = 0.0
    clear(scene.total, k * (1 + sides))
    width = size * tables.counts[t.STRIDE] if tables.counts[t.RECORD] != 0 else 0
    table = shift(tables.coefficients, tables.counts[t.STEPS] * width)
    after = react(tables, scene, closed, strikes, rest, table)
    now = scene.start[size - 1]
    turn = 0
    while after >= 0 and strikes_again(tables, scene, fastest):
        # An impact at the same instant follows; where time has passed Python decides.
        turn += 1
        if turn > AGAIN or scene.later[size - 1] != now:
            return False
        look(tables, scene, scene.later, False)
        fastest = max(fastest, largest_size(scene, scene.data))
        rest = max(RESTING * largest_size(scene, scene.data), SLOW * fastest)
        after = strike_again(tables, scene, rest, table)
        strikes = True
        if scene.start[size - 1] != now:
            return False
    if after < 0:
        return False
    at_once = counts[s.AT_ONCE] + 1 if now == scene.numbers[s.MOMENT] else 0
    if at_once > MOST_AT_ONCE:
        return False
    # From here on it is decided.
    keep_in_mind(tables, scene, at_once, fastest)
    same = scene.stands[before * (k + s.STAND) + k] == scene.stands[after * (k + s.STAND) + k]
    if strikes or not same:
        write_down(tables, scene, leaf, before, after, alone)
    if scene.numbers[s.MOMENT_LENGTH] > 0.0:
        record_moment(tables, scene, after)
    begin(tables, scene, after, same)
    return True


def react(tables: Tables, scene: Scene, closed: int, strikes: bool, rest: float, table: Floats) -> int:
    """What follows for elements that touch, the impact of those that strike first; the answer is that of `motion`.

    Args:
        tables: Those of the loop.
        scene: The elements; `touching` are those that touch.
        closed: How many of them.
        strikes: Whether one of them strikes.
        rest: Velocity that counts as none [m/s].
        table: Room for the series of the next motion.
    """
    if strikes:
        if not impact(scene, closed, rest):
            return -1
        look(tables, scene, scene.later, False)
        crowd(tables, scene, closed, rest)
    still = find_still(scene, closed, strikes, rest)
    moves = find_slips(scene, still, scene.statuses, not strikes, rest)
    if scene.counts[s.SIDES] == 2:
        if moves:
            nearly_still(tables, scene, still, rest)
        hold_still(scene, still)
    return motion(tables, scene, still, table)


def strike_again(tables: Tables, scene: Scene, rest: float, table: Floats) -> int:
    """Another impact at the instant of one, from the state `later` and the statuses `next`; see `react`."""
    k = scene.counts[s.ELEMENTS]
    r = k * (1 + scene.counts[s.SIDES])
    loss = scene.numbers[s.LOSS]
    for i in range(k):
        scene.statuses[i] = scene.next[i]
        scene.ended[i] = 0
    for i in range(r):
        scene.before[i] = scene.total[i]
    closed = find_touching(scene, rest, True)
    after = react(tables, scene, closed, True, rest, table)
    scene.numbers[s.LOSS] += loss
    for i in range(r):
        scene.total[i] = scene.total[i] + scene.before[i]
    return after


def strikes_again(tables: Tables, scene: Scene, fastest: float) -> bool:
    """Whether something open goes through its surface at once."""
    k = scene.counts[s.ELEMENTS]
    size = tables.counts[t.SIZE]
    given = scene.later[size - 1] > scene.start[size - 1]
    if scene.counts[s.SURFACES] < 2 and not given:
        return False
    touches = given
    for i in range(k):
        there = scene.elements[s.ELEMENT * i + s.NORMAL] >= 0 and scene.next[i] < CLOSED
        touches = touches or (there and scene.data.gap[i] <= TOUCHING)
    if not touches:
        return False
    look(tables, scene, scene.later, True)
    rest = max(RESTING * largest_size(scene, scene.here), SLOW * fastest)
    for i in range(k):
        there = scene.elements[s.ELEMENT * i + s.NORMAL] >= 0 and scene.next[i] < CLOSED
        # At one instant only what time that has been passed over has brought to its surface strikes again.
        least = rest if given else max(rest, SLOWEST_HOP)
        if there and scene.here.gap[i] <= TOUCHING and -scene.here.u[i] > least:
            return True
    return False


def write_down(tables: Tables, scene: Scene, leaf: int, before: int, after: int, event: int) -> None:
    """Write an event down: its time, its loss of energy, the impulses of the elements that have some."""
    k = scene.counts[s.ELEMENTS]
    size = tables.counts[t.SIZE]
    note = shift(tables.log, event * tables.counts[t.LOG])
    note[0] = scene.start[size - 1]
    note[1] = scene.numbers[s.LOSS]
    mask = 0
    bit = 1
    at = 2
    for i in range(k):
        some = False
        for part in range(1 + scene.counts[s.SIDES]):
            some = some or scene.total[k * part + i] != 0.0
        if some:
            for j in range(6):
                total = 0.0
                for part in range(1 + scene.counts[s.SIDES]):
                    row = k * part + i
                    total += scene.total[row] * scene.data.axes[6 * row + j]
                note[at + j] = total
            at += 6
            mask += bit
        bit = bit * 2
    code = leaf + 1
    for _ in range(s.NAMES):
        code = code * 2
    code += before
    for _ in range(s.NAMES):
        code = code * 2
    code += after
    for _ in range(s.MASK):
        code = code * 2
    tables.marks[2 * event] = code + mask
    tables.marks[2 * event + 1] = tables.counts[t.STEPS]
    tables.counts[t.EVENTS] = event + 1


def record_moment(tables: Tables, scene: Scene, after: int) -> None:
    """Write the first moment of slips down, as a step.

    Where series are shorter, their last term takes the rest: a part of the tolerance, and none at the end.
    """
    counts = tables.counts
    order = counts[t.ORDER]
    size = counts[t.SIZE]
    stride = counts[t.STRIDE]
    step = counts[t.STEPS]
    counts[t.STEPS] = step + 1
    counts[t.KNOWN] = 0
    if counts[t.RECORD] == 0:
        return
    tables.times[2 * step] = scene.start[size - 1]
    tables.times[2 * step + 1] = scene.numbers[s.MOMENT_LENGTH]
    tables.which[step] = after
    for i in range(size):
        row = shift(tables.coefficients, (step * size + i) * stride)
        own = shift(scene.series, i * (NODES + 1))
        for term in range(order + 1):
            row[term] = own[term] if term <= NODES else 0.0
        rest = 0.0
        for back in range(NODES - order):
            rest = (rest + own[NODES - back]) * scene.numbers[s.MOMENT_LENGTH]
        row[order] = row[order] + rest


def begin(tables: Tables, scene: Scene, after: int, same: bool) -> None:
    """Stand at the beginning of a motion with other statuses."""
    counts = scene.counts
    k = counts[s.ELEMENTS]
    counts[s.NOW] = after
    counts[s.DECIDED] = counts[s.DECIDED] + 1
    for i in range(tables.counts[t.SIZE]):
        tables.y[i] = scene.later[i]
    for i in range(counts[s.PARTS]):
        tables.parameters[i] = scene.p[i]
        scene.live[i] = scene.p[i]
    for row in range(counts[s.ROWS]):
        tables.results[counts[s.HELD] + row] = scene.p[row]
    if counts[s.BASE] != 0:
        tables.kernel_at(counts[s.BASE], 0, 1, counts[s.BASE_ARGUMENTS])
    if counts[s.FIND] != 0:
        tables.kernel_at(counts[s.FIND], 0, 1, counts[s.FIND_ARGUMENTS])
    opened = scene.stands[after * (k + s.STAND) + k + 1] != 0
    for leaf in range(counts[s.LEAVES]):
        strike = scene.leaves[s.LEAF * leaf + s.STRIKE]
        tables.exits[(counts[s.WRITTEN] + leaf) * t.EXIT + t.PASSAGE] = strike if opened else 0
    tables.counts[t.ENTERING] = 1
    tables.counts[t.AT_ONCE] = 0
    tables.counts[t.TICKED] = 0
    tables.counts[t.TICK_CODE] = s.tick_code(after)
    tables.counts[t.RETURNED] = 1 if same else 0
    tables.numbers[t.LAST] = 0.0
    tables.numbers[t.LAST_BUT_ONE] = 0.0


def travel(tables: Tables, scene: Scene) -> int:
    """Move on from passage to passage, beginning with one that waits; see `propagate` for the answer."""
    counts = tables.counts
    own = scene.counts
    room = counts[t.EVENT_ROOM]
    waits = own[s.ASKED] != 0
    events = own[s.WAITING] if waits else 0
    answer = o.NEW_PASSAGE
    goes_on = True
    while goes_on:
        steps = counts[t.STEPS]
        counts[t.EVENTS] = own[s.SINCE] if waits else 0
        counts[t.EVENT_ROOM] = room - events
        # Of events before a passage the loop knows nothing, as where it begins.
        part = Tables(
            flow_at=tables.flow_at,
            kernel_at=tables.kernel_at,
            plans=tables.plans,
            exits=tables.exits,
            words=tables.words,
            kinds=tables.kinds,
            directions=tables.directions,
            switches=tables.switches,
            counts=counts,
            numbers=tables.numbers,
            weights=tables.weights,
            y=tables.y,
            parameters=tables.parameters,
            scratch=tables.scratch,
            results=tables.results,
            times=tables.times,
            coefficients=tables.coefficients,
            which=tables.which,
            log=shift(tables.log, events * counts[t.LOG]),
            marks=shift(tables.marks, 2 * events),
            zeros=tables.zeros,
            signs=tables.signs,
            work=tables.work,
        )
        if not waits:
            answer = propagate(part)
        if counts[t.RECORD] != 0:
            for step in range(steps, counts[t.STEPS]):
                tables.which[step] = own[s.NOW]
        own[s.SINCE] = counts[t.EVENTS]
        own[s.WAITING] = events
        own[s.ASKED] = 0
        leaf = counts[t.LEAVING] - own[s.WRITTEN]
        goes_on = False
        if (answer == o.NEW_PASSAGE or answer == o.NO_PASSAGE) and counts[t.OPEN] >= 0 and leaf >= 0:
            row = shift(scene.leaves, s.LEAF * leaf)
            opened = scene.stands[own[s.NOW] * (own[s.ELEMENTS] + s.STAND) + own[s.ELEMENTS] + 1] != 0
            # A strike alone is compiled when it first happens.
            new = opened and row[s.ALONE] != 0 and row[s.STRIKE] == 0
            goes_on = not new and decide(part, scene, leaf, own[s.SINCE])
        waits = False
        events += counts[t.EVENTS]
    counts[t.EVENTS] = events
    counts[t.EVENT_ROOM] = room
    return answer


FUNCTIONS: Final = (
    *_loop.FUNCTIONS,
    *_trials.FUNCTIONS,
    *_looking.FUNCTIONS,
    *_striking.FUNCTIONS,
    *_holding.FUNCTIONS,
    *_slipping.FUNCTIONS,
    *_beginning.FUNCTIONS,
    start_slips,
    set_slip,
    record_moment,
    s.tick_code,
    decide_statuses,
    stand_of,
    undecided,
    find_hops,
    end_hops,
    touches_slowly,
    give_way,
    same_numbers,
    choose,
    next_statuses,
    take_stand,
    unseen_hops,
    slides_on,
    try_motion,
    motion,
    go_ahead,
    look_back,
    arrive,
    end_slip,
    look_forward,
    find_touching,
    hits,
    find_still,
    hold_still,
    keep_in_mind,
    react,
    strike_again,
    decide,
    strikes_again,
    write_down,
    begin,
    travel,
)
