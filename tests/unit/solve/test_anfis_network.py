"""Networks: what they answer, far away too, and their parts against other ways to them."""

from __future__ import annotations

from dataclasses import replace
from decimal import MIN_EMIN, Decimal, localcontext

import numpy as np
import pytest

import sistel
from sistel.solve import anfis


def network(rng: np.random.Generator, inputs: int, rules: int) -> anfis.Anfis:
    return anfis.Anfis(
        low=rng.normal(size=inputs),
        span=rng.uniform(0.5, 2.0, inputs),
        centres=rng.uniform(size=(rules, inputs)),
        widths=rng.uniform(0.2, 0.5, (rules, inputs)),
        consequents=rng.normal(size=(rules, inputs + 1)),
    )


def by_hand(net: anfis.Anfis, x: np.ndarray) -> float:
    """The answer by its definition, with products of Gaussians, in numbers of fifty digits that do not underflow."""
    with localcontext() as context:
        context.prec, context.Emin = 50, MIN_EMIN
        scaled = [(Decimal(a) - Decimal(b)) / Decimal(c) for a, b, c in zip(x, net.low, net.span, strict=True)]
        total, weighted = Decimal(0), Decimal(0)
        for centres, widths, p in zip(net.centres, net.widths, net.consequents, strict=True):
            weight = Decimal(1)
            for value, centre, width in zip(scaled, centres, widths, strict=True):
                weight *= (-(((value - Decimal(centre)) / Decimal(width)) ** 2) / 2).exp()
            says = sum((value * Decimal(each) for value, each in zip(scaled, p, strict=False)), Decimal(p[-1]))
            total, weighted = total + weight, weighted + weight * says
        return float(weighted / total)


def test_names() -> None:
    assert anfis.__all__ == sorted(anfis.__all__)
    assert all(hasattr(anfis, name) for name in anfis.__all__)


@pytest.mark.parametrize("inputs", [1, 2, 6, 12])
def test_predict_is_the_definition(rng: np.random.Generator, inputs: int) -> None:
    net = network(rng, inputs, 7)
    x = rng.normal(size=(20, inputs))
    found = net.predict(x)
    expected = np.array([by_hand(net, row) for row in x])
    # Exponents of some hundreds carry their rounding into the weights.
    assert np.abs(found - expected).max() < 1e-12 * np.abs(expected).max()


@pytest.mark.parametrize("far", [30.0, 1e4])
def test_products_do_not_underflow(rng: np.random.Generator, far: float) -> None:
    net = network(rng, 12, 5)
    x = net.low + net.span * far * np.ones((3, 12))
    with np.errstate(under="ignore"):
        naive = np.exp(-0.5 * ((net.scaled(x)[:, None, :] - net.centres) / net.widths) ** 2).prod(axis=2)
    assert (naive == 0.0).all(), "the case is not far enough to test anything"
    assert net.predict(x)[0] == pytest.approx(by_hand(net, x[0]), rel=1e-9)
    assert np.abs(net.memberships(x).sum(axis=-1) - 1.0).max() < 1e-15


def test_immensely_far_is_finite(rng: np.random.Generator) -> None:
    net = network(rng, 3, 4)
    assert np.isfinite(net.predict([[1e200, -1e200, 0.0], [1e300, 0.0, 0.0]])).all()


def test_batches(rng: np.random.Generator) -> None:
    net = network(rng, 3, 4)
    # More rows than are worked on at once.
    x = rng.normal(size=(5000, 2, 3))
    found = net.predict(x)
    assert found.shape == (5000, 2)
    for index in (0, 2047, 2048, 4999):
        assert found[index, 1] == pytest.approx(float(net.predict(x[index, 1])), rel=1e-14)
    assert net.memberships(x[:7]).shape == (7, 2, 4)


@pytest.mark.parametrize("ridge", [1e-3, 1e-9, 1e-11])
def test_least_squares(rng: np.random.Generator, ridge: float) -> None:
    net = network(rng, 3, 6)
    # Several blocks of rows, the last one short.
    x, y = rng.normal(size=(5000, 3)), rng.normal(size=5000)
    found = anfis.fit_consequents(net, x, y, ridge=ridge).consequents
    scaled = net.scaled(x)
    columns = net.memberships(x)[:, :, None] * np.column_stack([scaled, np.ones(5000)])[:, None, :]
    matrix = np.vstack([columns.reshape(5000, -1), np.sqrt(ridge * 5000) * np.eye(24)])
    expected = np.linalg.lstsq(matrix, np.concatenate([y, np.zeros(24)]), rcond=None)[0].reshape(6, 4)
    # The small ridges leave a condition of some 1e4.
    assert np.abs(found - expected).max() < 1e-10 * np.abs(expected).max()


def test_least_squares_without_enough_data(rng: np.random.Generator) -> None:
    net = network(rng, 3, 6)
    x, y = rng.normal(size=(5, 3)), rng.normal(size=5)
    for ridge in (0.0, 1e-9):
        found = anfis.fit_consequents(net, x, y, ridge=ridge)
        assert np.abs(found.consequents).max() < 1e3
        # Ridges of 1e-9 leave errors of their order, times the size of the consequents.
        assert np.abs(found.predict(x) - y).max() < 1e-5


def test_slopes_of_premises(rng: np.random.Generator) -> None:
    net = network(rng, 3, 5)
    x, y = rng.normal(size=(60, 3)), rng.normal(size=60)

    def energy(other: anfis.Anfis) -> float:
        return 0.5 * float(((other.predict(x) - y) ** 2).sum())

    total, *found = anfis.premise_gradient(net, x, y)
    assert total == pytest.approx(energy(net), rel=1e-13)
    step = 1e-3
    # Central differences of order eight: what is left is rounding, some 1e-16 of the energy over the step.
    weights = {1: 4 / 5, 2: -1 / 5, 3: 4 / 105, 4: -1 / 280}
    for name, slopes in zip(("centres", "widths"), found, strict=True):
        for i in range(5):
            for j in range(3):
                unit = np.zeros((5, 3))
                unit[i, j] = step
                slope = sum(
                    weight * (energy(_moved(net, name, k * unit)) - energy(_moved(net, name, -k * unit)))
                    for k, weight in weights.items()
                )
                assert abs(slopes[i, j] - slope / step) < 1e-9 * max(1.0, np.abs(slopes).max())


def _moved(net: anfis.Anfis, name: str, by: np.ndarray) -> anfis.Anfis:
    return replace(net, **{name: getattr(net, name) + by})


def test_nodes() -> None:
    # 3 inputs with 3 functions each: a clustered network of 3 rules; n + 2 n m + 2 m + 3.
    assert anfis.node_count(3, 3) == 3 + 18 + 6 + 3
    net = network(np.random.default_rng(0), 6, 23)
    layers = [net.inputs, net.centres.size, net.rules, net.rules, net.widths.size, 3]
    assert net.nodes == sum(layers) == 331


@pytest.mark.parametrize(
    "change",
    [
        {"widths": np.zeros((4, 3))},
        {"span": -np.ones(3)},
        {"centres": np.zeros((4, 2))},
        {"consequents": np.zeros((4, 3))},
        {"low": [0.0, np.nan, 0.0]},
        {"centres": [["a"]]},
        {"centres": 1.0},
    ],
)
def test_bad_networks_are_refused(change: dict[str, object]) -> None:
    with pytest.raises(sistel.SistelError):
        replace(network(np.random.default_rng(0), 3, 4), **change)


@pytest.mark.parametrize("x", [1.0, [1.0, 2.0], [[np.inf, 0.0, 0.0]], "words", [[1.0], [2.0, 3.0]]])
def test_bad_inputs_are_refused(x: object) -> None:
    with pytest.raises(sistel.SistelError):
        network(np.random.default_rng(0), 3, 4).predict(x)  # type: ignore[arg-type]


def test_networks_are_frozen() -> None:
    net = network(np.random.default_rng(0), 3, 4)
    with pytest.raises(ValueError, match="read-only"):
        net.centres[0, 0] = 1.0
