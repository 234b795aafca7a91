"""Steps of one link, run over all links with plain numbers: the recursions without any machine code."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import sistel
from sistel.expr import evaluate
from sistel.mechanics import Kinematics, Rates, build_tree, momentum, recur, recur_frame
from sistel.mechanics.steps import (
    CONSTANTS,
    FIELDS,
    FREEDOM,
    KINDS,
    RECURSIONS,
    WORLD,
    WRENCH,
    Records,
    Step,
    derive_step,
    link_records,
)
from sistel.mechanics.steps._articulated import factors, substitute
from sistel.mechanics.steps._step import COORDINATES, VELOCITIES, size_of

if TYPE_CHECKING:
    import numpy as np

EVERY_JOINT = """<system name="every joint" space="spatial">
  <gravity along="1, -2, -9"/>
  <body name="pillar" joint="fixed" place="10,20,30" turn="5,6,7" mass="3" com="1,2,3" inertia="0.1">
    <body name="a" joint="free" place="100,0,300" turn="20,30,40" mass="2" com="10,-20,30" inertia="0.1,0.2,0.25,0.01,0.02,0.03">
      <body name="b" joint="planar" axis="1,2,2" place="200,50,0" turn="10,50,70" mass="1" com="0,20,30" inertia="0.2,0.2,0.25,0.02,0.01,0.03"/>
      <body name="c" joint="cylindrical" axis="2,-1,2" place="-200,50,90" turn="70,20,10" mass="1.5" com="50,20,10" inertia="0.1,0.15,0.2">
        <body name="d" joint="spherical" place="90,80,70" turn="5,60,7" mass="0.7" com="100,20,30" inertia="0.1,0.2,0.21,0.01,0.01,0">
          <body name="e" joint="universal" axis="1,1,0" axis2="1,-1,1" place="10,120,70" mass="0.5" com="10,20,70" inertia="0.02,0.03,0.04"/>
        </body>
        <body name="f" joint="fixed" place="0,0,150" turn="45,0,30" mass="0.4" com="0,10,0" inertia="0.01">
          <body name="g" joint="prismatic" axis="0,3,4" place="10,20,30" turn="0,90,0" mass="0.6" com="10,0,20" inertia="0.01,0.02,0.025">
            <motor name="m" ratio="20" inertia="0.001"/>
            <body name="h" joint="revolute" axis="0,0,-1" place="50,0,0" turn="0,0,1,90" mass="0.3" com="10,20,30" inertia="0.01,0.02,0.025">
              <motor name="n" ratio="-30" inertia="0.0001"/>
            </body>
          </body>
        </body>
      </body>
    </body>
  </body>
</system>"""

FRAMES = ("pose", "jacobian", "jacobian_rate")
FRAME = (9, (0.1, -0.2, 0.3), ((0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)))
"""In the body h."""


@pytest.fixture(scope="module")
def model() -> sistel.Model:
    return sistel.parse(EVERY_JOINT).model


def random_state(model: sistel.Model, rng: np.random.Generator) -> dict[str, list[float]]:
    q = rng.normal(size=model.nq)
    for body in model.bodies:
        if body.joint.type.has_quaternion:
            part = slice(body.first_q, body.first_q + 4)
            q[part] /= np.linalg.norm(q[part])
    v, a, tau = rng.normal(size=(3, model.nv))
    return {"q": q.tolist(), "v": v.tolist(), "a": a.tolist(), "tau": tau.tolist()}


class Numbers(Mapping[str, Sequence[float]]):
    """The arguments of a step at one link, looked up in tables."""

    def __init__(self, run: Run, link: int) -> None:
        self.run, self.link = run, link

    def __getitem__(self, name: str) -> Sequence[float]:
        records, (kind, parent, first_q, first_v) = self.run.records, self.run.records.index[self.link].tolist()
        where, _, field = name.partition(".")
        if where in ("c", "w"):
            sizes, row = (CONSTANTS, records.constants[self.link]) if where == "c" else (WORLD, self.run.world)
            start = sum(list(sizes.values())[: list(sizes).index(field)])
            return row[start : start + sizes[field]].tolist()
        if where in ("self", "up"):
            return self.run.memory[self.link if where == "self" else parent][field]
        if where == "rotor":
            return records.rotors[first_v : first_v + VELOCITIES[KINDS[kind]]].tolist()
        first, sizes = (first_q, COORDINATES) if where == "q" else (first_v, VELOCITIES)
        return self.run.state[where][first : first + sizes[KINDS[kind]]]

    def __iter__(self) -> Iterator[str]:
        raise AssertionError("steps ask for what they need")

    __len__ = __iter__  # type: ignore[assignment]


class Run:
    """A recursion on plain numbers."""

    def __init__(self, records: Records, quantity: str, state: dict[str, list[float]], frame: Any = None) -> None:
        self.records, self.state, self.recursion = records, state, RECURSIONS[quantity]
        self.world = records.frame(*frame) if frame else records.world
        self.memory: dict[int, dict[str, list[float]]] = defaultdict(dict)
        nv = records.model.nv
        size = {"mass_matrix": nv**2, "reactions": 6 * len(records.model.bodies), "energies": 5, "pose": 16}
        size |= {"momentum": 6, "jacobian": 6 * nv, "jacobian_rate": 6 * nv}
        self.out = np.zeros(size.get(quantity, nv))
        self.freedoms, self.wrenches = np.zeros((nv, FREEDOM)), np.zeros((nv, WRENCH))
        tip = int(records.last[frame[0]]) if frame else 0
        orders = {
            "links": range(1, len(records.index)),
            "bodies": records.last[1:].tolist(),
            "ground": [0],
            "tip": [tip],
        }
        orders["path"] = records.path(frame[0]).tolist() if frame else []
        for sweep in self.recursion.sweeps:
            if sweep.order == "walk":
                self.walk(sweep.step)
                continue
            order = list(enumerate(orders[sweep.order]))
            for number, link in reversed(order) if sweep.inward else order:
                self.step(sweep.step, link, number)

    def step(self, step: Step, link: int, number: int) -> None:
        kind, parent, _, first_v = self.records.index[link].tolist()
        nv = self.records.model.nv
        for name, values in step(KINDS[kind], Numbers(self, link)).items():
            where, _, field = name.replace("+", ".").partition(".")
            if where == "self":
                assert len(values) == FIELDS[field]
                self.memory[link][field] = list(values)
            elif where in ("up", "ground"):
                record = self.memory[parent if where == "up" else 0]
                record[field] = [a + b for a, b in zip(record[field], values, strict=True)]
            elif where == "columns":
                self.out.reshape(6, nv)[:, first_v : first_v + len(values) // 6] = np.reshape(values, (-1, 6)).T
            elif where in ("freedoms", "wrenches"):
                table = getattr(self, where)
                table[first_v : first_v + VELOCITIES[KINDS[kind]]] = np.reshape(values, (-1, table.shape[1]))
            else:
                start = {"out": first_v, "loads": 6 * number, "result": 0}[where]
                self.out[start : start + len(values)] = values

    def walk(self, step: Step) -> None:
        nv = self.records.model.nv
        M = self.out.reshape(nv, nv)
        for k in range(nv):
            wrench, j = self.wrenches[k].tolist(), k
            while j >= 0:
                found = step("fixed", {"freedom": self.freedoms[j].tolist(), "wrench": wrench})
                M[k, j] = M[j, k] = found["entry"][0]
                wrench[:3], j = found["moment"], int(self.records.above[j])
            M[k, k] += self.records.rotors[k]


def expected(model: sistel.Model, quantity: str, state: dict[str, list[float]]) -> Any:
    tree = build_tree(model)
    if quantity == "jacobian_rate":
        return np.ravel(Rates(Kinematics(tree, state["q"]), state["v"]).jacobian_rate(*FRAME[:2]))
    if quantity == "momentum":
        return np.ravel(momentum(model, state["q"], state["v"]))
    if quantity in FRAMES:
        return np.array(recur_frame(tree, quantity, *FRAME, state["q"]))
    return np.array(recur(model, tree, quantity, *(state[name] for name in RECURSIONS[quantity].inputs)))


@pytest.mark.parametrize("quantity", RECURSIONS)
def test_steps_over_numbers_give_the_quantity(quantity: str, model: sistel.Model, rng: np.random.Generator) -> None:
    """Against recursions that are lumped, along the axes of links, or body by body: none is along those of the world."""
    for _ in range(3):
        state = random_state(model, rng)
        theirs = expected(model, quantity, state)
        condition = 1.0
        if quantity in ("forward_dynamics", "reactions"):
            condition = np.linalg.cond(expected(model, "mass_matrix", state).reshape(model.nv, model.nv))
        for merge in (True, False):
            if (quantity == "mass_matrix" and not merge) or (quantity == "reactions" and merge):
                continue  # walks over velocities skip no links; loads are of all bodies
            records = link_records(model, merge=merge)
            frame = FRAME if quantity in FRAMES else None
            ours = Run(records, quantity, state, frame).out
            assert np.linalg.norm(ours - theirs) <= 2e-15 * max(1.0, condition) * np.linalg.norm(theirs)


@pytest.mark.parametrize("quantity", RECURSIONS)
def test_programs_of_steps_are_the_steps(quantity: str, rng: np.random.Generator) -> None:
    """What is derived once a kind computes what the step computes with numbers."""
    for sweep in RECURSIONS[quantity].sweeps:
        for kind in KINDS if sweep.order in ("links", "path") else ("fixed",):
            program = derive_step(sweep.step, kind)
            blocks = {name: rng.normal(size=size).tolist() for name, size in program.inputs}
            assert all(size == size_of(name, kind) for name, size in program.inputs)
            direct = sweep.step(kind, blocks)
            assert [(name, len(values)) for name, values in direct.items()] == list(program.outputs)
            for derived, values in zip(evaluate(program, *blocks.values()), direct.values(), strict=True):
                # Other orders of the same sums; nothing here is a rotation or an inertia, so pivots may be small.
                assert derived == pytest.approx(values, rel=1e-9, abs=1e-9)


def test_factors_multiply_to_the_matrix(rng: np.random.Generator) -> None:
    X = rng.normal(size=(6, 9))
    S = X @ X.T
    L, D = factors(S.tolist())
    lower = np.eye(6)
    for i, row in enumerate(L):
        lower[i, :i] = row
    assert lower @ np.diag(D) @ lower.T == pytest.approx(S, rel=1e-13)
    right = rng.normal(size=6)
    assert substitute(L, D, right.tolist()) == pytest.approx(np.linalg.solve(S, right), rel=1e-12)


def test_records_follow_the_model(model: sistel.Model) -> None:
    merged, all_links = link_records(model), link_records(model, merge=False)
    kinds = [KINDS[kind] for kind in merged.index[1:, 0]]
    assert kinds == ["free", "slide", "slide", "turn", "turn", "slide", "ball", "turn", "turn", "slide", "turn"]
    assert sorted(KINDS[kind] for kind in all_links.index[1:, 0]) == sorted([*kinds, "fixed", "fixed"])
    assert merged.last[1] == 0, "the pillar is a part of the ground"
    assert merged.last[7] == merged.last[4], "the body f is a part of its base c"
    assert merged.path(9).tolist() == [1, 5, 6, 10, 11]
    assert merged.path(0).tolist() == []
    assert [merged.coordinate(i) for i in (1, 3, 5, 7, 9)] == ["a", "b.y", "c.angle", "d", "e.second"]
    assert np.array_equal(merged.index[1:, 3], sorted(merged.index[1:, 3]))
    assert merged.above.tolist() == [-1, 0, 1, 2, 3, 4, 5, 6, 7, 5, 9, 10, 11, 12, 13, 14, 10, 16]
    # Whatever is merged, the masses are all there.
    total = sum(body.mass for body in model.bodies)
    for records in (merged, all_links):
        assert records.constants[:, 15].sum() == pytest.approx(total, rel=1e-15)
        assert records.world[3] == pytest.approx(1 / total)


def test_records_of_nothing() -> None:
    records = link_records(sistel.parse('<system><body name="a" joint="fixed" mass="2" com="10,0"/></system>').model)
    assert records.index.shape == (1, 4)
    assert records.constants[0, 15:19].tolist() == [2.0, 0.02, 0.0, 0.0]
    assert records.above.shape == (0,)
