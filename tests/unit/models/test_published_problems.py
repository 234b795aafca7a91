"""Published problems with digits, each from its file in the gallery through the public face.

Where every row is tested:

- Andrews' squeezer, IFToMM A01, A02: here; A04 (Bricard), A05 (governor): `simulation/test_simulate.py`
- simplest walker, both gaits: here; in the limit of heavier feet: `simulation/test_cycle.py`
- compass walker: 25 steps in `simulation/test_simulate.py`, its cycle in `simulation/test_cycle.py`
- rimless wheel, with and without hub: here and `simulation/test_cycle.py`
- bouncing ball, Painlevé's rod, the order of the woodpecker's events: `simulation/test_contacts.py`; the digits of the
  woodpecker's published model, which is linear: `simulation/test_complementarity.py`
- double pendulum, chain of five rods, Bernoulli's hanging rope, the pendulum wave: here; cart and pole: here and `simulation/test_simulate.py`
- Puma 560: `models/test_gallery_spatial.py`; counts of operations: `mechanics/`
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sistel

MODELS = Path(__file__).resolve().parents[3] / "models"
LEGS = {"left_leg": "right_leg"}


def load(name: str) -> sistel.System:
    return sistel.load(MODELS / f"{name}.xml")


def test_andrews_squeezer() -> None:
    """IVP Test Set; recomputed with 28 digits, since the published end is right only to 3e-10."""
    system = load("andrews_squeezer")
    end = dict(zip(system.model.coordinate_names, system.simulate(0.03).q[-1], strict=True))
    published = {
        "K1": 15.8107711951537071,
        "K2": -15.7563710584118395,
        "K3": 0.0408222401196458,
        "K4": -0.5347301163420796,
        "K5": 0.5244099658799541,
        "K6": 0.5347301163420796,
        "K7": 1.0480807410419379,
    }
    assert end == pytest.approx(published, rel=1e-11)


def small_woodpecker(part: float) -> sistel.System:
    """The toy with a part of its play and of its weight: all angles are that part of what they were."""
    text = (MODELS / "woodpecker.xml").read_text(encoding="utf-8")
    beak = 10 + 15 - 20.1  # how far the beak is from the axis of the pole [mm]
    for old, new in (
        ('value="2.5 mm"', f'value="{3.1 - part * 0.6!r} mm"'),
        ('point="beak" surface="x &lt;= -r0"', f'point="beak" surface="x &lt;= -({beak - part * (beak - 2.5)!r} mm)"'),
        ("-0.5295 rad", f"{-0.5294719671108511 * part!r} rad"),
        ("<shape", f'<gravity value="{9.81 * part!r}"/><shape'),
    ):
        assert old in text
        text = text.replace(old, new, 1)
    return sistel.parse(text)


def test_the_woodpecker_of_small_angles() -> None:
    """Leine, Glocker and van Campen (2001) linearise: exact geometry comes to their events as angles become small.

    At its own angles the upper edge strikes once, after the beak no more: there the exact model and the linear one part.
    The digits are those of the linear model in `simulation/test_complementarity.py`.
    """
    linear = [
        ("below slips", 0.0284101605781026804),
        ("below lets go", 0.0342309178129124827),
        ("above strikes", 0.0451199858587461838),
        ("beak strikes", 0.0482213395177391131),
        ("above strikes", 0.0488008610560913468),
        ("above lets go", 0.0506555518501354571),
        ("below strikes", 0.0859439625382608939),
        ("below strikes", 0.0886726965695235674),
        ("below stops sliding", 0.134792818722392565),
    ]
    runs = [small_woodpecker(part).simulate(0.14) for part in (0.5, 2e-3, 1e-3)]
    half, first, second = ([(event.transition, event.time) for event in run.events] for run in runs)
    assert [word for word, _ in half[:6]] == [word for word, _ in linear[:6]]
    assert [word for word, _ in first] == [word for word, _ in second] == [word for word, _ in linear]
    for (_, a), (_, b), (_, limit) in zip(first, second, linear, strict=True):
        # The difference falls with the angles; what is left of it where that is taken out falls with their squares.
        assert abs(b - limit) < 0.1e-3 and 2 * b - a == pytest.approx(limit, abs=1e-6)


def test_the_pendulum_of_iftomm() -> None:
    """A01: a closed form in Jacobi's functions; x and -y of the benchmark, positions and velocities."""
    system = load("pendulum")
    run = system.simulate(10.0)
    published = {
        1.0: [0.986291751131875319, -0.165010853125541169, 0.296905515916315822, 1.77464364111265563],
        5.0: [-0.942305435043757335, -0.334754338414000581, 0.857904256885949073, -2.41492865437048862],
        10.0: [-0.275087462576116860, -0.961419205099125064, 4.17559810095172884, -1.19474905456047527],
    }
    for t, (x, y, vx, vy) in published.items():
        q, v = run(t)
        assert system.pose(q, "P1")[:2, 3] == pytest.approx([x, -y], abs=1e-11)
        assert (system.jacobian(q, "P1") @ v)[3:5] == pytest.approx([vx, -vy], abs=1e-11)


def test_the_coupled_four_bars_of_iftomm() -> None:
    """A02, N = 2: a closed form of one degree of freedom; it passes ten flat postures in ten seconds."""
    system = load("four_bar_iftomm")
    run = system.simulate(10.0)
    published = {
        1.0: [-0.195020301949435094, -0.980799205662173833, -6.67667803688115807, 1.32757832516048721],
        5.0: [-0.811310461005107412, -0.584615545348975548, -3.56911739719320919, 4.95310517131332697],
        10.0: [0.328458111540815379, 0.944518538178600962, 1.42305147020694412, -0.494868845487042959],
    }
    for t, (x, y, vx, vy) in published.items():
        q, v = run(t)
        # Jumps over the flat postures cost some digits of the sixteen.
        assert system.pose(q, "B0")[:2, 3] == pytest.approx([x, -y], abs=1e-11)
        assert (system.jacobian(q, "B0") @ v)[3:5] == pytest.approx([vx, -vy], abs=1e-10)


def digits(*lines: str) -> list[float]:
    return [float(word) for line in lines for word in line.split()]


TREES: dict[str, dict[float, list[float]]] = {
    # absolute angles, then their rates: Taylor series with 30, 25 and 30 digits
    "double_pendulum": {
        1.0: [-0.24343056972021497, -0.52322836263822991, -0.64073558900869107, -1.1109616604900774],
        5.0: [0.26183919688190305, 0.50896321555647676, 0.98879038033228030, 0.57258001805089457],
        10.0: [0.030516559802045220, 0.021063353582272423, 0.56060207711043483, 2.0602177994830579],
    },
    "chain5": {
        1.0: digits(
            "-0.61291054522971545 -0.70028870571848119 -0.79881021069906314 -0.68848426149387773 -0.93609663771550725",
            "2.4870642864609839 0.26030575000079022 1.3482749295590583 1.5356642699220091 1.2224236778173671",
        ),
        5.0: digits(
            "0.46980053183811738 0.62129746567074983 0.64185817279544285 1.0083835880540342 0.76416848900882579",
            "1.0966211090801577 0.86850436922530927 4.9877943232572150 -0.29734926033956494 1.8655287077343862",
        ),
        10.0: digits(
            "0.14406950068917566 0.19794620023305423 0.26727997795313380 0.18183953954535472 0.76879421163825317",
            "3.9202520278458847 -0.083333476378523538 2.9540679628521565 5.8201646647725617 2.7294570590622544",
        ),
    },
    "cart_pole": {
        1.0: [-0.030501066901853147, 2.2614074184015609, 0.20350344788829174, 7.0282842382832034],
        5.0: [-0.014235779329019114, 0.42576824602688630, -0.067122407483334268, 1.6214535835602999],
        10.0: [-0.0097217990937473436, 2.8224917318025881, 0.33702205296499336, 7.8086843037240485],
    },
}


@pytest.mark.parametrize("name", TREES)
def test_smooth_trees(name: str) -> None:
    run = load(name).simulate(10.0)
    for t, wanted in TREES[name].items():
        q, v = run(t)
        if name != "cart_pole":  # joints measure a body against its base
            q, v = np.cumsum(q), np.cumsum(v)
        assert [*q, *v] == pytest.approx(wanted, abs=1e-10, rel=1e-10)


# At slope 0.009: stance angle, its rate, rate between the legs, time of a step, multipliers (Garcia et al. 1998,
# recomputed with 19 digits).
GAITS = {
    "long": (
        (0.20031090054424708936, 0.19983247300495235454, 0.015822999948309382190, 3.8824637528513741376),
        [-0.1900998410658881 + 0.5575987766820683j, -0.1900998410658881 - 0.5575987766820683j],
    ),
    "short": (
        (0.19393736981018180853, 0.20386692744200692680, 0.015144260853191568082, 3.0961058680781636999),
        [4.003864358929707, 0.4595895897976716],
    ),
}


@pytest.mark.parametrize("gait", GAITS)
def test_the_simplest_walker(gait: str) -> None:
    """Feet of 1e-12 of the hip stand for massless ones; the limit is as far away as they are heavy."""
    (theta, rate, apart, time), multipliers = GAITS[gait]
    walker = load("simplest_walker").with_parameters(theta=theta, theta_rate=rate, phi_rate=apart)
    found = walker.cycle(mirror=LEGS)
    assert found.success and found.stable == (gait == "long")
    assert np.abs(found.q[2:]) == pytest.approx([theta, theta], abs=2e-12)
    # After the strike the legs have exchanged their roles.
    assert sorted(found.v[2:]) == pytest.approx([rate - apart, rate], abs=2e-12)
    assert found.period == pytest.approx(time, abs=4e-12)
    assert found.multipliers == pytest.approx(multipliers, abs=1e-10)


def test_the_simplest_walker_comes_back_to_its_gait() -> None:
    """A thousandth off, the long gait takes it back: by its multipliers, 0.589 a step."""
    walker = load("simplest_walker").with_parameters(theta_rate=0.19983247300495235454 * 1.001)
    strikes = [event.time for event in walker.simulate(40 * 3.8824637528513741376).events]
    assert len(strikes) == 39 or len(strikes) == 40
    steps = np.diff(strikes)
    assert abs(steps[0] - 3.8824637528513741376) > 1e-3
    assert steps[-1] == pytest.approx(3.8824637528513741376, abs=1e-7)


def test_a_rimless_wheel_of_point_mass() -> None:
    """McGeer 1990, closed forms with 30 digits; a hub of 1e-15 kg m² stands for none."""
    text = (MODELS / "rimless_wheel.xml").read_text(encoding="utf-8")
    hub = 'value="0.25 kg*m^2" min="0.001 kg*m^2"'
    assert text.count(hub) == 1
    found = sistel.parse(text.replace(hub, 'value="1e-15 kg*m^2"')).cycle()
    assert found.success
    assert found.v[2] == pytest.approx(1.09546283964765682836861133544, rel=1e-14)
    assert found.period == pytest.approx(1.03454981142327932895669283115, rel=2e-14)
    assert found.multipliers == pytest.approx([0.5], rel=1e-13)


def test_the_rimless_wheel_forgets_how_it_began() -> None:
    """Hub inertia 0.25, slope 0.08 (McGeer 1990): energy between strikes, momentum about the next foot at them."""
    g, slope, a, inertia = 9.81, 0.08, np.pi / 8, 0.25
    wheel = load("rimless_wheel").with_parameters(w=2.0)
    run = wheel.simulate(9.0)
    w = 2.0
    for event in run.events:
        before = np.sqrt(w**2 + 2 * g * (np.cos(a - slope) - np.cos(a + slope)) / (1 + inertia))
        w = before * (np.cos(2 * a) + inertia) / (1 + inertia)
        assert run(event.time)[1][2] == pytest.approx(w, rel=1e-12)
    assert len(run.events) > 8
    assert w == pytest.approx(1.166370980440465207962411, rel=2e-2)  # on its way to the cycle


def frequencies(system: sistel.System) -> np.ndarray:
    """Squares of the frequencies of small oscillations about zero, least first [rad²/s²]."""
    step, n = 1e-4, system.nv
    forces = [
        (system.gravity_forces(step * row) - system.gravity_forces(-step * row)) / (2 * step) for row in np.eye(n)
    ]
    found = np.linalg.eigvals(np.linalg.solve(system.mass_matrix(np.zeros(n)), np.array(forces)))
    return np.sort(found.real)


@pytest.mark.parametrize("beads", [5, 20])
def test_bernoulli_rope(beads: int) -> None:
    """Daniel Bernoulli 1733: ω² is g/l times the roots of the Laguerre polynomial of as many beads."""
    text = (MODELS / "rope.xml").read_text(encoding="utf-8")
    assert 'count="20"' in text
    system = sistel.parse(text.replace('count="20"', f'count="{beads}"'))
    roots, _ = np.polynomial.laguerre.laggauss(beads)
    assert frequencies(system) * 0.05 / 9.81 == pytest.approx(roots, rel=1e-6)


def test_pendulum_wave() -> None:
    """Each pendulum makes one swing more than its neighbour; small swings meet again after the common time."""
    system = load("pendulum_wave")
    swings = np.arange(20, 32)
    assert np.sqrt(frequencies(system)) == pytest.approx(2 * np.pi * swings / 20.0, rel=1e-7)
    amplitude = np.radians(0.02)
    run = system.with_parameters(T=10.0).simulate(10.0, q=amplitude * np.ones(12))
    assert run.q[-1] == pytest.approx(amplitude * np.ones(12), rel=1e-5)
