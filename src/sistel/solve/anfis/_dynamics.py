"""Inverse dynamics by networks: one per joint, from coordinates, velocities and accelerations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import Text, refuse
from sistel.records import record
from sistel.solve.anfis._arms import RADIUS, Arm, Ends, Lesson, Order, Progress, amplitudes, joint_ranges, teach
from sistel.solve.anfis._checks import as_count, as_numbers
from sistel.solve.anfis._errors import Errors
from sistel.solve.anfis._reports import DynamicsReport

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.arrays import Array
    from sistel.solve.anfis._network import Anfis
    from sistel.solve.anfis._structure import Clustering


@record
class DynamicsNets:
    """Networks that answer what forces a motion needs."""

    networks: tuple[Anfis, ...]
    """One per coordinate."""
    joints: tuple[str, ...]
    """Names of the coordinates."""
    uses: tuple[tuple[int, ...], ...]
    """For every network, which of the signals (q, v, a) it is told: positions among 3 nq."""
    fingerprint: str
    """Of the system that they were trained for."""
    report: DynamicsReport

    @property
    def inputs(self) -> tuple[tuple[str, ...], ...]:
        """Names of the signals of every network: ``q elbow``, ``v elbow``, ``a elbow``."""
        names = signal_names(self.joints)
        return tuple(tuple(names[index] for index in used) for used in self.uses)

    @property
    def nodes(self) -> tuple[int, ...]:
        """Nodes of every network, see `node_count`."""
        return tuple(network.nodes for network in self.networks)

    def predict(self, q: ArrayLike, v: ArrayLike, a: ArrayLike) -> Array:
        """Driving forces.

        Args:
            q: Coordinates, shape (..., nq) [m or rad].
            v: Velocities, shape (..., nq) [m/s or rad/s].
            a: Accelerations, shape (..., nq) [m/s² or rad/s²].

        Returns:
            Shape (..., nq) [N or N·m].
        """
        parts = [as_numbers(values, name) for values, name in ((q, "q"), (v, "v"), (a, "a"))]
        if parts[0].shape[-1:] != (len(self.joints),) or any(part.shape != parts[0].shape for part in parts):
            shapes = ", ".join(str(part.shape) for part in parts)
            refuse(
                "bad-array",
                Text(f"q, v and a have the shapes {shapes}", f"q, v и a имеют формы {shapes}"),
                expected=Text(f"all (..., {len(self.joints)})", f"все (..., {len(self.joints)})"),
            )
        signals = np.concatenate(parts, axis=-1)
        return np.stack(
            [network.predict(signals[..., list(used)]) for network, used in zip(self.networks, self.uses, strict=True)],
            axis=-1,
        )


def signal_names(joints: Sequence[str]) -> tuple[str, ...]:
    """What the signals (q, v, a) are called."""
    return tuple(f"{letter} {joint}" for letter in "qva" for joint in joints)


def train_dynamics(
    system: Arm,
    samples: int = 3000,
    *,
    inputs: int | None = None,
    speed: ArrayLike = 1.0,
    acceleration: ArrayLike = 1.0,
    rules: int | Sequence[int] = 12,
    clustering: Clustering = "subtractive",
    radius: float = RADIUS,
    epochs: int = 30,
    step: float = 0.1,
    low: Ends = None,
    high: Ends = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> DynamicsNets:
    """Teach networks the inverse dynamics of an arm, from motions drawn within limits and their forces.

    Args:
        system: An open chain of turns and slides.
        samples: Motions to learn from; a third as many more check the learning, and as many again test it.
        inputs: How many signals every network is told: those with the greatest share in its force; all by default.
        speed: Greatest velocities, one or shape (nq,) [m/s or rad/s].
        acceleration: Greatest accelerations, one or shape (nq,) [m/s² or rad/s²].
        rules: Of every network, or of each.
        clustering: "subtractive" or "fcm".
        radius: Of subtractive clustering, of the box of the data.
        epochs: Most epochs of every network.
        step: First step of the premises, see `train`.
        low: Least coordinates, shape (nq,) [m or rad]; or by name; by default the limits of the
            joints, -π for turns without one.
        high: Greatest coordinates, as `low`.
        seed: Of the draw; equal seeds give equal networks.
        progress: Told the joint and its epoch; an answer of False ends all learning.
    """
    model = system.model
    size = model.nq
    begin, end = joint_ranges(model, low, high)
    v, a = amplitudes(speed, "speed", size), amplitudes(acceleration, "acceleration", size)
    count = as_count(samples, "samples", least=10)
    told = 3 * size if inputs is None else as_count(inputs, "inputs", most=3 * size)
    order = Order(
        rules=rules, clustering=clustering, radius=radius, epochs=epochs, step=step, seed=seed, progress=progress
    )
    rng = np.random.default_rng(as_count(seed, "seed", 0, 2**63))
    third = max(count // 3, 4)
    least, most = np.concatenate([begin, -v, -a]), np.concatenate([end, v, a])
    signals = rng.uniform(least, most, size=(count + 2 * third, 3 * size))
    forces = _forces(system, signals)
    shares = signal_shares(system, signals[:count], rng.uniform(least, most, size=(count, 3 * size)))
    # Signals in their own order, whatever their shares: equal shares (zeros) must not depend on the sort.
    uses = tuple(tuple(sorted(np.argsort(-column, kind="stable")[:told].tolist())) for column in shares.T)
    learn, check, test = slice(count), slice(count, count + third), slice(count + third, None)
    lessons = [
        Lesson(
            name=name,
            x=signals[learn][:, used],
            y=forces[learn, i],
            checks=(signals[check][:, used], forces[check, i]),
        )
        for i, (name, used) in enumerate(zip(model.coordinate_names, uses, strict=True))
    ]
    networks, cut = teach(lessons, order)
    found = np.stack(
        [network.predict(signals[test][:, used]) for network, used in zip(networks, uses, strict=True)], axis=-1
    )
    report = DynamicsReport(
        joints=tuple(model.coordinate_names),
        errors=tuple(Errors.of(column) for column in (found - forces[test]).T),
        spreads=tuple(float(value) for value in forces[test].std(axis=0)),
        samples=count,
        cut=cut,
    )
    return DynamicsNets(
        networks=networks,
        joints=tuple(model.coordinate_names),
        uses=uses,
        fingerprint=model.fingerprint,
        report=report,
    )


def _forces(system: Arm, signals: Array) -> Array:
    q, v, a = np.split(signals, 3, axis=1)
    return np.asarray(
        system.inverse_dynamics(np.ascontiguousarray(q), np.ascontiguousarray(v), np.ascontiguousarray(a))
    )


def signal_shares(system: Arm, signals: Array, others: Array) -> Array:
    """Share of the variance of every force that is lost without a signal (total-effect index, Jansen's estimate).

    Args:
        system: The arm.
        signals: Motions (q, v, a), shape (count, 3 nq).
        others: As many more, drawn alike.

    Returns:
        Shape (3 nq, nq); 0 where a force does not depend on a signal.
    """
    forces = _forces(system, signals)
    variance = np.maximum(forces.var(axis=0), 1e-300)
    found = np.empty((signals.shape[1], forces.shape[1]))
    for index in range(signals.shape[1]):
        mixed = signals.copy()
        mixed[:, index] = others[:, index]
        found[index] = ((_forces(system, mixed) - forces) ** 2).mean(axis=0) / (2.0 * variance)
    # Rounding is no share: squares of some 1e-16.
    return np.where(found < 1e-24, 0.0, found)
