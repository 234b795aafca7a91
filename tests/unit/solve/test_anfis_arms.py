"""Networks for arms: small trainings, errors checked by closed forms, seeds that a solver converges from."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import sistel
from sistel.solve import anfis

MODELS = Path(__file__).resolve().parents[3] / "models"
L1, L2 = 0.4, 0.3


@cache
def two_link() -> sistel.System:
    """A planar arm of two links, x right, y down; the elbow bends to one side alone."""
    return sistel.parse(
        '<system><body name="upper" joint="revolute" min="-90" max="90" mass="2" com="200, 0" inertia="0.03">'
        '<body name="lower" joint="revolute" place="400, 0" min="20" max="150" mass="1" com="150, 0" inertia="0.01">'
        '<point name="tip" place="300, 0"/></body></body></system>'
    )


def tip(q: np.ndarray) -> np.ndarray:
    """Where the tip is, in closed form [m]."""
    first, both = q[..., 0], q[..., 0] + q[..., 1]
    return np.stack([L1 * np.cos(first) + L2 * np.cos(both), L1 * np.sin(first) + L2 * np.sin(both)], axis=-1)


@cache
def tip_nets() -> anfis.IkNets:
    return anfis.train_ik(two_link(), "tip", 600, orientation="none", rules=12, epochs=15)


def fresh(count: int) -> np.ndarray:
    rng = np.random.default_rng(77)
    return rng.uniform(np.radians([-90.0, 20.0]), np.radians([90.0, 150.0]), size=(count, 2))


def test_model_is_the_closed_form() -> None:
    q = fresh(50)
    assert np.abs(two_link().pose(q, "tip")[:, :2, 3] - tip(q)).max() < 1e-15


def test_tip_errors_are_as_reported() -> None:
    nets, q = tip_nets(), fresh(500)
    # The third place never varies.
    assert nets.inputs == ("x", "y")
    points = np.column_stack([tip(q), np.zeros(500)])
    found = anfis.as_seed(nets, points)
    missed = np.linalg.norm(tip(found) - tip(q), axis=1)
    report = nets.report
    # Other postures, the same distribution: figures agree as far as 200 and 500 draws tell.
    assert missed.mean() == pytest.approx(report.place.mean, rel=0.3)
    assert np.median(missed) == pytest.approx(report.place.median, rel=0.3)
    for column, error in zip((nets.predict(points) - q).T, report.errors, strict=True):
        assert np.sqrt((column**2).mean()) == pytest.approx(error.rmse, rel=0.4)
    # Arms of 0.7 m: some millimetres, which is worse than what a solver reaches, and the report says so.
    assert report.place.mean < 0.01
    assert report.worse_than_solver
    assert "worse" in report.say("en")
    assert "хуже" in report.say("ru")
    assert max(report.unexplained) < 0.01


def test_seeds_lead_to_the_target() -> None:
    arm, nets = two_link(), tip_nets()
    wanted = fresh(200)
    targets = arm.pose(wanted, "tip")
    q = anfis.as_seed(nets, targets)
    assert (q >= nets.low).all()
    assert (q <= nets.high).all()
    for _ in range(6):
        J = np.asarray(arm.jacobian(q, "tip"))[:, 3:5, :]
        missed = targets[:, :2, 3] - arm.pose(q, "tip")[:, :2, 3]
        q = q + np.linalg.solve(J, missed[..., None])[..., 0]
    # Newton's method needs a good seed: from here it finds the posture itself, not its mirror image.
    assert np.abs(q - wanted).max() < 1e-10


def test_poses_as_inputs() -> None:
    q = fresh(100)
    for orientation, inputs in (("angles", ("x", "y", "yaw")), ("axes", ("x", "y", "nx", "ny"))):
        nets = anfis.train_ik(
            two_link(),
            "tip",
            300,
            orientation=orientation,
            rules=8,
            epochs=4,
            clustering="fcm",  # type: ignore[arg-type]
        )
        assert nets.inputs == inputs
        assert nets.report.turn is not None
        poses = two_link().pose(q, "tip")
        missed = np.abs(nets.predict(poses) - q)
        assert np.sqrt((missed**2).mean(axis=0)) == pytest.approx([each.rmse for each in nets.report.errors], rel=0.5)
        # One pose as many.
        assert np.abs(nets.predict(poses[3]) - nets.predict(poses)[3]).max() < 1e-13


def test_angles_do_not_jump_inside_the_data() -> None:
    # The yaw of the tip goes through 180° here; cut there, it would be torn in two.
    low, high = np.radians([60.0, 60.0]), np.radians([90.0, 150.0])
    nets = anfis.train_ik(two_link(), "tip", 200, rules=4, epochs=2, low=low, high=high)
    yaw = nets.networks[0].span[nets.inputs.index("yaw")]
    assert yaw < np.radians(120.0) + 1e-9


def test_ambiguous_ranges_are_reported() -> None:
    nets = anfis.train_ik(two_link(), "tip", 300, orientation="none", rules=8, epochs=2, low=[-3, -2.6], high=[3, 2.6])
    assert max(nets.report.unexplained) > 0.1
    assert "narrow the ranges" in nets.report.say("en")
    assert "сузьте диапазоны" in nets.report.say("ru")


def test_solver_is_compared_with() -> None:
    report = tip_nets().report
    assert report.solver is not None
    assert report.solver.worst < 1e-8
    assert "worse than the numerical solver" in report.say("en")
    assert "хуже численного решения" in report.say("ru")
    seeding = report.seeding
    assert seeding is not None
    # A seed within millimetres: one attempt is enough, and short.
    assert seeding.success == 1.0
    assert seeding.iterations < seeding.usual_iterations
    q = fresh(300)
    targets = two_link().pose(q, "tip")
    found = two_link().inverse_kinematics(
        targets, "tip", task="position", restarts=0, q=anfis.as_seed(tip_nets(), targets)
    )
    assert np.abs(found.q - q).max() < 1e-6
    assert np.mean(found.iterations) == pytest.approx(seeding.iterations, rel=0.2)


def test_without_a_solver_targets_are_the_truth() -> None:
    class Bare:
        """A system that computes poses and nothing else."""

        model = two_link().model
        pose = staticmethod(two_link().pose)
        inverse_dynamics = staticmethod(two_link().inverse_dynamics)

    report = anfis.train_ik(Bare(), "tip", 60, orientation="none", rules=3, epochs=1).report
    assert (report.solver, report.seeding) == (None, None)
    assert report.worse_than_solver
    assert "can be reached exactly" in report.say("en")


def test_progress_and_interruption() -> None:
    told: list[tuple[str, int]] = []

    def tell(joint: str, epoch: anfis.Epoch) -> bool:
        told.append((joint, epoch.number))
        return epoch.number < 2

    nets = anfis.train_ik(two_link(), "tip", 60, orientation="none", rules=3, epochs=9, progress=tell)
    assert told == [("upper", 1), ("upper", 2)]
    assert nets.report.cut
    assert "cut short" in nets.report.say("en")
    assert nets.predict([0.3, 0.4, 0.0]).shape == (2,)


def test_training_is_deterministic() -> None:
    first, again, other = (
        anfis.train_ik(two_link(), "tip", 60, orientation="none", rules=3, epochs=2, seed=seed) for seed in (5, 5, 6)
    )
    assert np.array_equal(first.networks[1].consequents, again.networks[1].consequents)
    assert first.report == again.report
    assert first.report != other.report


def test_dynamics_of_two_links() -> None:
    arm = two_link()
    nets = anfis.train_dynamics(arm, 900, rules=15, epochs=10, speed=2.0, acceleration=[3.0, 4.0])
    assert nets.inputs[0] == ("q upper", "q lower", "v upper", "v lower", "a upper", "a lower")
    rng = np.random.default_rng(5)
    q, v = fresh(300), rng.uniform(-2.0, 2.0, (300, 2))
    a = rng.uniform(-1.0, 1.0, (300, 2)) * [3.0, 4.0]
    c, s = np.cos(q[:, 1]), np.sin(q[:, 1])
    # Textbook equations: inertias about the joints, y down.
    i1, i2, k = 0.03 + 2 * 0.2**2 + L1**2, 0.01 + 0.15**2, L1 * 0.15
    weight = 0.15 * 9.81 * np.cos(q.sum(axis=1))
    forces = np.column_stack(
        [
            (i1 + i2 + 2 * k * c) * a[:, 0] + (i2 + k * c) * a[:, 1] - k * s * (2 * v[:, 0] + v[:, 1]) * v[:, 1],
            (i2 + k * c) * a[:, 0] + i2 * a[:, 1] + k * s * v[:, 0] ** 2,
        ]
    ) - np.column_stack([(2 * 0.2 + L1) * 9.81 * np.cos(q[:, 0]) + weight, weight])
    assert np.abs(arm.inverse_dynamics(q, v, a) - forces).max() < 1e-13
    error = np.sqrt(((nets.predict(q, v, a) - forces) ** 2).mean(axis=0))
    assert error == pytest.approx([each.rmse for each in nets.report.errors], rel=0.3)
    assert (error < 0.2 * forces.std(axis=0)).all()
    assert "worse than the equations" in nets.report.say("en")
    assert "хуже уравнений" in nets.report.say("ru")


def test_signals_without_a_share_are_left_out() -> None:
    # On a turntable about the vertical, no force depends on its angle.
    arm = sistel.load(MODELS / "scara.xml")
    nets = anfis.train_dynamics(arm, 60, inputs=3 * arm.nq - 1, rules=2, epochs=1)
    first = f"q {arm.model.coordinate_names[0]}"
    rng = np.random.default_rng(3)
    for used, name in zip(nets.inputs, arm.model.coordinate_names, strict=True):
        (left,) = set(anfis_signals(arm)) - set(used)
        assert left == first or _share(arm, rng, left, name) == 0.0


def anfis_signals(arm: sistel.System) -> list[str]:
    return [f"{letter} {name}" for letter in "qva" for name in arm.model.coordinate_names]


def _share(arm: sistel.System, rng: np.random.Generator, signal: str, force: str) -> float:
    signals = rng.uniform(-1.0, 1.0, size=(20, 3 * arm.nq))
    other = signals.copy()
    other[:, anfis_signals(arm).index(signal)] = 0.3
    column = arm.model.coordinate_names.index(force)
    found = [np.asarray(arm.inverse_dynamics(*np.split(each, 3, axis=1)))[:, column] for each in (signals, other)]
    return float(np.abs(found[0] - found[1]).max())


@pytest.mark.parametrize("name", ["four_bar", "free_body", "n_pendulum"])
def test_what_is_no_arm_is_refused(name: str) -> None:
    system = sistel.load(MODELS / f"{name}.xml")
    if name == "n_pendulum":
        with pytest.raises(sistel.SistelError, match="nowhere"):
            anfis.train_ik(system, "nowhere", 50)
        return
    with pytest.raises(sistel.SistelError) as caught:
        anfis.train_ik(system, system.bodies[0].name, 50)
    assert caught.value.diagnostics[0].code == "no-arm"


@pytest.mark.parametrize(
    "words",
    [
        {"samples": 3},
        {"rules": 0},
        {"rules": [3]},
        {"rules": 1000},
        {"low": [0.0]},
        {"low": [2.0, 0.0], "high": [1.0, 1.0]},
        {"low": [np.nan, 0.0]},
        {"orientation": "words"},
        {"clustering": "words"},
        {"seed": -1},
    ],
)
def test_bad_orders_are_refused(words: dict[str, object]) -> None:
    with pytest.raises(sistel.SistelError):
        anfis.train_ik(two_link(), "tip", **{"samples": 40, "rules": 3, "epochs": 1, **words})  # type: ignore[arg-type]


def test_slides_without_limits_are_refused() -> None:
    arm = sistel.parse('<system><body name="slide" joint="prismatic" mass="1"/></system>')
    with pytest.raises(sistel.SistelError) as caught:
        anfis.train_ik(arm, "slide", 50)
    assert caught.value.diagnostics[0].code == "bad-range"
    nets = anfis.train_ik(arm, "slide", 50, low=-1.0, high=1.0, orientation="none", rules=2, epochs=1)
    assert nets.report.place.worst < 1e-6


def test_bad_targets_are_refused() -> None:
    nets = anfis.train_ik(two_link(), "tip", 40, rules=3, epochs=1)
    left, skew, nan = np.diag([1.0, 1.0, -1.0, 1.0]), np.eye(4), np.eye(4)
    skew[0, 1], nan[0, 3] = 0.1, np.nan
    for target in (left, skew, nan, np.eye(3), [1.0, 2.0, 3.0], "there"):
        with pytest.raises(sistel.SistelError):
            nets.predict(target)  # type: ignore[arg-type]
    assert np.isfinite(nets.predict(np.eye(4))).all()
    dynamics = anfis.train_dynamics(two_link(), 40, rules=2, epochs=1)
    with pytest.raises(sistel.SistelError):
        dynamics.predict([0.0, 0.0], [0.0], [0.0, 0.0])
