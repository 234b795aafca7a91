"""Impacts of declared transitions: what strikes, by which rule, and what an impulse does.

A transition says who strikes and by which rule. Links that hold afterwards hold during the impact as well. With u the
velocities of the striking points, G their response to impulses p, the rules are those of `_complementarity`:

- a contact pushes and never pulls, and afterwards its point does not go on into the surface;
- the impulse along the surface is within the friction cone; where the point still slides, on its edge and against it;
- newton, coulomb: the point leaves with `restitution` times the speed of approach;
- poisson: the impulse of the compression is given back times `restitution`;
- a contact that holds in the structure that is entered does not come off.

Where friction would make a rebound gain energy (Kane's paradox), as much of it is taken back as leaves the energy
unchanged. One contact in the plane is decided without a branch, so that passages stay machine code.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NoReturn

from sistel.automaton._driving import forced_by
from sistel.automaton._statuses import ROUNDING
from sistel.errors import Text, refuse
from sistel.expr import Expr, absolute, less, less_equal, logical_and, select, sqrt
from sistel.mechanics import (
    Quantities,
    Row,
    Scalar,
    Setting,
    constraint_rows,
    contact_rows,
    dot,
    formula_value,
    inner,
    is_zero,
    link_loads,
    mass_matrix,
    solve_constrained,
)
from sistel.model import Contact, Impulse, Model, Transition
from sistel.records import entry

if TYPE_CHECKING:
    from sistel.automaton._automaton import Automaton

SLIDES = 1e-8
"""Part of the velocities of a strike below which a point does not slide."""

Loads = dict[str, list[Scalar]]
"""Impulses of links by name: moment, then force, in W [N·m·s and N·s]."""


@entry
class Strike:
    """Contacts that strike, before anything is decided."""

    contacts: tuple[Contact, ...]
    v: list[Scalar]
    """Velocities after the laws of the file and what holds, before the contacts push."""
    rows: list[Row]
    """In the plane the normals of all contacts, then their tangents; in space three axes for each."""
    normals: list[Scalar]
    """In space: the normal of every contact along its three rows."""
    u: list[Scalar]
    """Velocities of the rows."""
    G: list[list[Scalar]]
    """Response of u to impulses along the rows."""
    P: list[list[Scalar]]
    """Response of v, a list for every row."""
    held: list[Row]
    base: list[Scalar]
    """Impulses of what holds, without those of the contacts."""
    answers: list[list[Scalar]]
    """What an impulse along every row adds to them."""
    given: tuple[list[Row], list[Scalar]]
    """Rows on which the laws of the file act, and their impulses."""

    def after(self, p: Sequence[Scalar]) -> tuple[list[Scalar], Loads]:
        """Velocities, and the impulses of all links, for impulses of the contacts."""
        v, carried = list(self.v), list(self.base)
        for push, column, answer in zip(p, self.P, self.answers, strict=True):
            v = [a + push * b for a, b in zip(v, column, strict=True)]
            carried = [a + push * b for a, b in zip(carried, answer, strict=True)]
        found = link_loads([*self.held, *self.given[0], *self.rows], [*carried, *self.given[1], *p])
        return v, {name: [*moment, *force] for name, (moment, force) in found.items()}


def has_strike(transition: Transition) -> bool:
    """Whether a transition needs more than velocities that vanish where links begin to hold."""
    return bool(transition.strikes or transition.impulses)


def what_would_pass(model: Model, transition: Transition) -> Text | None:
    """What to do where a transition has no state after it; None where its impact is not to blame."""
    target = model.structure(transition.target)
    stands = [name for name in transition.strikes if name in target.holds and name not in target.slides]
    if not transition.strikes:
        return None
    if stands:
        return Text(
            f'an impact after which "{stands[0]}" does not slide; or a structure in which it slides',
            f"удар, после которого «{stands[0]}» не скользит; или структура, в которой этот контакт скользит",
        )
    return Text(
        "less friction: no impulse within the cone stops these points (Painlevé's paradox)",
        "меньшее трение: никакой импульс внутри конуса эти точки не останавливает (парадокс Пенлеве)",
    )


def decides(automaton: Automaton, transition: Transition) -> bool:
    """Whether an impact needs a search: several contacts, or friction in space."""
    contacts = _striking(automaton, transition)
    if len(contacts) == 1:
        return not automaton.model.planar and contacts[0].friction not in (None, 0.0)
    return len(contacts) > 1


def no_program(transition: Transition) -> NoReturn:
    """Say that a passage that has to be searched for is no program."""
    refuse(
        "no-derivative",
        Text(
            "the impact of this transition is found by a search: the derivatives that limit cycles need are not known",
            "удар этого перехода находится поиском: его производные, нужные для предельных циклов, неизвестны",
        ),
        span=transition.span,
    )


def restitutions(automaton: Automaton, transition: Transition) -> tuple[list[float], list[float]]:
    """Of the striking contacts by Newton's rule and by Poisson's; those that hold afterwards do not come off."""
    holds = automaton.model.structure(transition.target).holds
    bouncing = transition.impact in ("newton", "coulomb", "poisson")
    e = [0.0 if not bouncing or name in holds else transition.restitution for name in transition.strikes]
    none = [0.0] * len(e)
    return (none, e) if transition.impact == "poisson" else (e, none)


def _striking(automaton: Automaton, transition: Transition) -> tuple[Contact, ...]:
    # What rolls ideally does not slip in an impact either.
    known = {
        contact.name: replace(contact, friction=None) if contact.rolls else contact
        for contact in automaton.model.contacts
    }
    return tuple(known[name] for name in transition.strikes)


def derive_strike(
    automaton: Automaton,
    setting: Setting,
    transition: Transition,
    before: Quantities,
    q: Sequence[Scalar],
    v: Sequence[Scalar],
    t: Scalar,
) -> Strike:
    """What the impact of a transition is made of.

    Args:
        automaton: Of the model.
        setting: Of the structure that is entered.
        transition: With its laws and the contacts that strike.
        before: The state before the transition, which the laws of the file see.
        q: Coordinates of the impact.
        v: Velocities before it.
        t: Time [s].
    """
    model, contacts = automaton.model, _striking(automaton, transition)
    kept = [row for row in setting.rows(q, v, t) if row.link not in transition.strikes]
    for row in kept:
        row.drag, row.dragged = None, ()
    held = [*kept, *forced_by(setting, q, v, t)]
    M = mass_matrix(automaton.tree, q)
    laws = _laws(automaton, transition.impulses, before, q, v, t)
    push: list[Scalar] = [0.0] * model.nv
    for row, value in zip(*laws, strict=True):
        push = [a + value * b for a, b in zip(push, row.J, strict=True)]
    first = solve_constrained(M, push, held, [-row.speed(v) for row in held])
    start = [a + b for a, b in zip(v, first.x, strict=True)]
    rows, normals, drifts = _contact_rows(automaton, contacts, q, v, t)
    still: list[Scalar] = [0.0] * len(held)
    columns = [solve_constrained(M, row.J, held, still) for row in rows]
    return Strike(
        contacts=contacts,
        v=start,
        rows=rows,
        normals=normals,
        u=[inner(row.J, start) + drift for row, drift in zip(rows, drifts, strict=True)],
        G=[[inner(row.J, column.x) for column in columns] for row in rows],
        P=[column.x for column in columns],
        held=kept,
        base=first.multipliers[: len(kept)],
        answers=[column.multipliers[: len(kept)] for column in columns],
        given=laws,
    )


def _contact_rows(
    automaton: Automaton, contacts: Sequence[Contact], q: Sequence[Scalar], v: Sequence[Scalar], t: Scalar
) -> tuple[list[Row], list[Scalar], list[Scalar]]:
    """Rows of the striking contacts, the normals along them (in space), and how surfaces move by themselves."""
    model = automaton.model
    pairs = [contact_rows(model, automaton.tree, contact, q, v, t) for contact in contacts]
    if model.planar:
        tangents = [tangent for _, tangent in pairs if tangent is not None]
        own: list[Scalar] = [normal.drift for normal, _ in pairs]
        return [*(normal for normal, _ in pairs), *tangents], [], [*own, *[0.0] * len(tangents)]
    rows: list[Row] = []
    normals: list[Scalar] = []
    drifts: list[Scalar] = []
    for contact, (normal, *_) in zip(contacts, pairs, strict=True):
        n = normal.wrenches[0].force
        for row in _axes(automaton, contact, q, v, t):
            rows.append(row)
            normals.append(dot(row.wrenches[0].force, n))
            drifts.append(normals[-1] * normal.drift)
    return rows, normals, drifts


def _axes(automaton: Automaton, contact: Contact, q: Sequence[Scalar], v: Sequence[Scalar], t: Scalar) -> list[Row]:
    """Three rows of the point of a contact in space, as if it stuck."""
    model, base = automaton.model, automaton.model.structure()
    stuck = replace(contact, friction=None)
    contacts = tuple(stuck if one.name == contact.name else one for one in model.contacts)
    alone = replace(base, holds=(contact.name,), slides=(), changes=())
    return constraint_rows(replace(model, contacts=contacts), automaton.tree, alone, q, v, t=t)


def _laws(
    automaton: Automaton,
    impulses: Sequence[Impulse],
    before: Quantities,
    q: Sequence[Scalar],
    v: Sequence[Scalar],
    t: Scalar,
) -> tuple[list[Row], list[Scalar]]:
    """The rows on which the laws of a transition act, and the impulses that they give."""
    model = automaton.model
    rows: list[Row] = []
    given: list[Scalar] = []
    for impulse in impulses:
        values = [formula_value(value, before.names, before) for value in impulse.values]
        if impulse.rate is not None:
            J: list[Scalar] = [0.0] * model.nv
            J[impulse.rate] = 1.0
            rows.append(Row(model.rate_names[impulse.rate], "law", J, 0.0, 0.0))
            given.append(values[0])
            continue
        contact = next(one for one in model.contacts if one.name == impulse.contact)
        normal, tangent = contact_rows(model, automaton.tree, contact, q, v, t)[:2]
        rows.append(normal)
        given.append(values[0])
        if len(values) == 1:
            continue
        if model.planar:
            assert isinstance(tangent, Row)
            rows.append(tangent)
            given.append(values[1])
            continue
        n = normal.wrenches[0].force
        axes = _axes(automaton, contact, q, v, t)
        u = [inner(row.J, v) for row in axes]
        along = [dot(row.wrenches[0].force, n) for row in axes]
        part = inner(u, along)
        slip = [a - part * b for a, b in zip(u, along, strict=True)]
        size = sqrt(inner(slip, slip))
        scale = select(less(0.0, size), values[1] / select(less(0.0, size), size, 1.0), 0.0)
        rows += axes
        given += [scale * each for each in slip]
    return rows, given


# --- one contact, without branches -----------------------------------------------------------------------------------


def single_impulse(automaton: Automaton, transition: Transition, strike: Strike) -> list[Scalar]:
    """Impulses of a single contact along its rows, as expressions; not a number where there are none."""
    (contact,) = strike.contacts
    (newton,), (poisson,) = restitutions(automaton, transition)
    target = automaton.model.structure(transition.target)
    if automaton.model.planar:
        p = planar_impulse(strike.G, strike.u, contact.friction, newton, poisson)
        if contact.name in target.holds and contact.name not in target.slides and contact.friction:
            # The structure that is entered has no place for a point that slides.
            slip = strike.u[1] + inner(strike.G[1], p)
            size = absolute(strike.u[0]) + absolute(strike.u[1])
            fits = less_equal(absolute(slip), SLIDES * size)
            p = [select(fits, each, nothing(slip)) for each in p]
        return p
    if contact.friction is None:
        return stuck_impulse(strike.G, strike.u, strike.normals, newton, poisson)
    return _smooth(strike, newton + poisson)


def _smooth(strike: Strike, e: float) -> list[Scalar]:
    n, G = strike.normals, strike.G
    response = inner(n, [inner(row, n) for row in G])
    approach = -inner(n, strike.u)
    push = select(less(0.0, approach), (1.0 + e) * approach / response, 0.0)
    return [push * each for each in n]


def stuck_impulse(
    G: Sequence[Sequence[Scalar]], u: Sequence[Scalar], n: Sequence[Scalar], newton: float, poisson: float
) -> list[Scalar]:
    """Impulse of a point that cannot slide, over any scalar: friction takes its velocity along the surface away.

    Args:
        G: Response of the velocities to impulses.
        u: Velocities before [m/s].
        n: The normal along the same axes.
        newton: Restitution by Newton's rule.
        poisson: By Poisson's.
    """
    size = len(u)
    # Where the point cannot move at all, as on a guide, no impulse is needed to hold it.
    rows = [Row("", "", list(row), 0.0, 0.0) for row in G if not all(is_zero(each) for each in row)]
    one: list[list[Scalar]] = [[float(i == j) for j in range(size)] for i in range(size)]
    none: list[Scalar] = [0.0] * size

    def impulse(wanted: Sequence[Scalar]) -> list[Scalar]:
        asked = [each for each, row in zip(wanted, G, strict=True) if not all(is_zero(entry) for entry in row)]
        return solve_constrained(one, none, rows, asked).x

    still = impulse([-each for each in u])
    if is_zero(newton) and is_zero(poisson):
        return still
    along = impulse(n)
    if is_zero(poisson):
        speed = -newton * inner(n, u)
    else:
        push = inner(n, still)
        speed = poisson * select(less(0.0, push), push, 0.0) / inner(n, along)
    return within_energy(G, u, still, [a + speed * b for a, b in zip(still, along, strict=True)])


def planar_impulse(
    G: Sequence[Sequence[Scalar]], u: Sequence[Scalar], friction: float | None, newton: float, poisson: float
) -> list[Scalar]:
    """Impulse of one contact in the plane along its normal and its tangent, over any scalar.

    The same law as `impact_impulses` of one contact, within the energy that there was; a point that cannot slide is
    held as a link would hold it.

    Args:
        G: Response of the velocities to impulses, 2 × 2.
        u: Velocities before, along the normal and the tangent [m/s].
        friction: Coefficient; None where the point cannot slide.
        newton: Restitution by Newton's rule.
        poisson: By Poisson's.
    """
    if friction is None:
        return stuck_impulse(G, u, [1.0, 0.0], newton, poisson)
    if is_zero(G[1][1]):
        friction = 0.0  # a point on a guide does not slide, whatever holds it
    still = _phase(G, u, friction, 0.0)
    if is_zero(newton) and is_zero(poisson):
        return still
    if not is_zero(newton):
        return within_energy(G, u, still, _phase(G, [(1.0 + newton) * u[0], u[1]], friction, 0.0))
    pressed = poisson * still[0]
    given = [still[0] + pressed, still[1]]
    rest = [a + inner(row, given) for a, row in zip(u, G, strict=True)]
    more = _phase(G, rest, friction, pressed)
    return within_energy(G, u, still, [a + b for a, b in zip(given, more, strict=True)])


def within_energy(
    G: Sequence[Sequence[Scalar]], u: Sequence[Scalar], still: Sequence[Scalar], p: Sequence[Scalar]
) -> list[Scalar]:
    """Of the impulses between those of a compression and given ones, the last that do not gain energy."""
    d = [a - b for a, b in zip(p, still, strict=True)]
    Gd = [inner(row, d) for row in G]
    a, b = 0.5 * inner(d, Gd), inner(u, d) + inner(still, Gd)
    c = inner(u, still) + 0.5 * inner(still, [inner(row, still) for row in G])
    gained = a + b + c
    root = sqrt(b * b + absolute(4.0 * (a * c)))
    part = select(less(0.0, gained), (root - b) / select(less(0.0, a), 2.0 * a, 1.0), 1.0)
    return [x + part * y for x, y in zip(still, d, strict=True)]


def nothing(x: Scalar) -> Scalar:
    """Not a number, whatever x is: a program has no other way to say so."""
    return sqrt(-1.0 - x * x) if isinstance(x, Expr) else math.nan


def _phase(G: Sequence[Sequence[Scalar]], b: Sequence[Scalar], friction: float, pressed: Scalar) -> list[Scalar]:
    """What one contact adds to the impulse `pressed`: the first status that fits, as `solve_contacts` tries them."""
    (Gnn, Gnt), (_, Gtt) = G
    bn, bt = b
    if is_zero(friction):
        return [select(less(bn, 0.0), -bn / Gnn, 0.0), 0.0]
    loose = not is_zero(pressed)

    def reaches(xn: Scalar, xt: Scalar) -> tuple[Scalar, Scalar, Scalar, Scalar]:
        """Velocities, and the size below which they are rounding."""
        ways = ((Gnn, Gnt, bn), (Gnt, Gtt, bt))
        w = [g * xn + h * xt + c for g, h, c in ways]
        size = [absolute(g * xn) + absolute(h * xt) + (absolute(c) if not is_zero(c) else 0.0) for g, h, c in ways]
        return w[0], w[1], ROUNDING * size[0], ROUNDING * size[1]

    options: list[tuple[Scalar, Scalar, Scalar]] = []
    det = Gnn * Gtt - Gnt * Gnt
    stuck = ((Gnt * bt - Gtt * bn) / det, (Gnt * bn - Gnn * bt) / det)
    options.append((_stick_fits(*stuck, friction, pressed), *stuck))
    slides = (friction, -friction)
    for pull, way in zip(slides, (1, -1), strict=True):
        # The point slides along the sign of `pull`; friction is −pull · normal impulse.
        steep = Gnn - pull * Gnt
        xn = (pull * Gnt * pressed - bn) / steep
        xt = -(pull * (xn + pressed))
        _, wt, _, slack = reaches(xn, xt)
        ahead = less_equal(-slack, wt if way > 0 else -wt)
        fits = logical_and(logical_and(less(0.0, steep), less_equal(0.0, xn)), ahead)
        options.append((fits, xn, xt))
    for xt, wanted in _loose(pressed, bt, Gtt, slides) if loose else [(0.0, 0)]:
        wn, wt, slack, edge = reaches(0.0, xt)
        fits = less_equal(-slack, wn)
        if wanted:
            fits = logical_and(fits, less_equal(-edge, wt if wanted > 0 else -wt))
        elif loose:
            fits = logical_and(fits, less_equal(absolute(xt), friction * pressed))
        options.append((fits, 0.0, xt))
    xn = xt = nothing(bn)
    for fits, normal, tangent in reversed(options):
        xn, xt = select(fits, normal, xn), select(fits, tangent, xt)
    return [xn, xt]


def _stick_fits(xn: Scalar, xt: Scalar, friction: float, pressed: Scalar) -> Scalar:
    slack = ROUNDING * (absolute(xn) + absolute(xt))
    pushes = less_equal(-slack, xn)
    return logical_and(pushes, less_equal(absolute(xt), friction * (xn + pressed) + slack))


def _loose(pressed: Scalar, bt: Scalar, Gtt: Scalar, slides: Sequence[Scalar]) -> list[tuple[Scalar, int]]:
    """Impulses along the tangent of a contact that comes off while its expansion still presses; where the slip goes."""
    stick: list[tuple[Scalar, int]] = [(-bt / Gtt, 0)]
    return stick + [(-(pull * pressed), way) for pull, way in zip(slides, (1, -1), strict=True)]
