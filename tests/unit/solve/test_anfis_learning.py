"""Learning: known functions, published figures, the rule of the step, and when it ends."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import sistel
from sistel.solve import anfis


def sinc_data() -> tuple[np.ndarray, np.ndarray]:
    """Example 1 of Jang (1993): sin x / x · sin y / y on 11 × 11 points of [-10, 10]²."""
    grid = np.linspace(-10.0, 10.0, 11)
    x = np.array([(a, b) for a in grid for b in grid])
    return x, np.sinc(x[:, 0] / np.pi) * np.sinc(x[:, 1] / np.pi)


def on_grid(each: int) -> anfis.Anfis:
    """Rules on a grid over [-10, 10]², neighbours crossing at one half."""
    places = np.linspace(0.0, 1.0, each)
    width = (places[1] - places[0]) / 2.0 / np.sqrt(2.0 * np.log(2.0))
    return anfis.Anfis(
        low=[-10.0, -10.0],
        span=[20.0, 20.0],
        centres=[(a, b) for a in places for b in places],
        widths=np.full((each**2, 2), width),
        consequents=np.zeros((each**2, 3)),
    )


def test_sinc_as_published() -> None:
    # The R package anfis (Fresno, Llera, Fernandez), its example anfis3: these 121 points, 5 Gaussians per input, 25
    # rules, 10 epochs of Jang's hybrid learning, last training error 0.01916307. The page does not say of what kind;
    # as a sum of squares it is the stricter one: an RMSE of sqrt(0.01916307 / 121) = 0.01258. Here each rule has its
    # own Gaussians, so ours may be below, but not out of its neighbourhood.
    x, y = sinc_data()
    found = anfis.train(on_grid(5), x, y, epochs=10, step=0.1)
    assert 0.005 < found.rmse < np.sqrt(0.01916307 / 121)
    assert found.rmse == pytest.approx(np.sqrt(((found.network.predict(x) - y) ** 2).mean()), rel=1e-9)


def test_sinc_with_rules_of_jangs_number() -> None:
    # Jang's example has 16 rules; learning must do what least squares on the first premises cannot.
    x, y = sinc_data()
    found = anfis.train(on_grid(4), x, y, epochs=100, step=0.1)
    assert found.network.rules == 16
    assert found.epochs[0].rmse > 0.09
    assert found.rmse < 0.025


@pytest.mark.parametrize("clustering", ["subtractive", "fcm"])
def test_known_function(rng: np.random.Generator, clustering: str) -> None:
    x = rng.uniform(-1.0, 1.0, size=(400, 2))
    fresh = rng.uniform(-1.0, 1.0, size=(400, 2))

    def function(x: np.ndarray) -> np.ndarray:
        return np.exp(-3.0 * x[:, 0] ** 2) + np.sin(2.0 * x[:, 1])

    net = anfis.build_network(x, function(x), rules=9, clustering=clustering)  # type: ignore[arg-type]
    trained = anfis.train(net, x, function(x), epochs=40, step=0.1)
    before, after = (anfis.measure(each, fresh, function(fresh)) for each in (net, trained.network))
    assert after.rmse < 0.7 * before.rmse
    # 54 parameters for a function of spread 0.8.
    assert after.rmse < 0.02
    assert after.median <= after.p95 <= after.worst
    assert after.mean <= after.rmse <= after.worst


def test_linear_functions_are_exact(rng: np.random.Generator) -> None:
    x = rng.normal(size=(50, 3))
    y = x @ [1.0, -2.0, 0.5] + 4.0
    net = anfis.build_network(x, y, rules=3, ridge=0.0)
    assert anfis.measure(net, x, y).worst < 1e-11
    # With a ridge, consequents shrink by its order, which is 1e-9 over the least share of a direction in the data.
    assert anfis.measure(anfis.build_network(x, y, rules=3), x, y).worst < 1e-4


def test_constants_and_inputs_that_do_not_vary() -> None:
    x = np.column_stack([np.linspace(0.0, 1.0, 30), np.full(30, 7.0)])
    found = anfis.train(anfis.build_network(x, np.full(30, 2.5), rules=2), x, np.full(30, 2.5), epochs=5)
    assert np.abs(found.network.predict(x) - 2.5).max() < 1e-6


def test_rule_of_the_step() -> None:
    x, y = sinc_data()
    epochs = anfis.train(on_grid(4), x, y, epochs=120, step=0.1).epochs
    errors, steps = [epoch.rmse for epoch in epochs], [0.1, *(epoch.step for epoch in epochs)]
    changed, grown, shrunk = 0, 0, 0
    for now in range(120):
        falls = [errors[k] < errors[k - 1] for k in range(now - 3, now + 1)] if now - changed >= 4 else []
        factor = 1.0
        if falls and all(falls):
            factor, grown = 1.1, grown + 1
        elif falls and all(falls[k] != falls[k + 1] for k in range(3)):
            factor, shrunk = 0.9, shrunk + 1
        assert steps[now + 1] == pytest.approx(factor * steps[now], rel=1e-15)
        changed = now if factor != 1.0 else changed
    assert grown > 0
    assert shrunk > 0


def test_steps_grow_as_in_a_published_log() -> None:
    # A log of MATLAB's anfis with 27 rules (pastebin PLFHMjCR): errors fall all the time, and the step 0.01 becomes
    # 0.011 after epoch 5, 0.0121 after 9, 0.01331 after 13, 0.014641 after 17.
    x, y = sinc_data()
    epochs = anfis.train(on_grid(4), x, y, epochs=17, step=0.01).epochs
    assert all(b.rmse < a.rmse for a, b in pairwise(epochs))
    steps = [epoch.step for epoch in epochs]
    expected = [0.01] * 4 + [0.011] * 4 + [0.0121] * 4 + [0.01331] * 4 + [0.014641]
    assert steps == pytest.approx(expected, rel=1e-14)


def test_validation_ends_learning(rng: np.random.Generator) -> None:
    x = rng.uniform(size=(60, 2))
    y = np.sin(3.0 * x[:, 0]) + rng.normal(scale=0.3, size=60)
    checks = rng.uniform(size=(200, 2))
    truth = np.sin(3.0 * checks[:, 0])
    net = anfis.build_network(x, y, rules=8)
    found = anfis.train(net, x, y, validation=(checks, truth), epochs=300, step=0.2, patience=5)
    assert found.end == "validation"
    assert len(found.epochs) == found.best + 5 < 300
    assert found.validation == min(epoch.validation for epoch in found.epochs if epoch.validation is not None)
    assert anfis.measure(found.network, checks, truth).rmse == pytest.approx(found.validation, rel=1e-12)


def test_progress_may_end_learning() -> None:
    x, y = sinc_data()
    told: list[anfis.Epoch] = []

    def tell(epoch: anfis.Epoch) -> bool:
        told.append(epoch)
        return epoch.number < 3

    found = anfis.train(on_grid(4), x, y, epochs=50, progress=tell)
    assert found.end == "asked"
    assert tuple(told) == found.epochs
    assert [(epoch.number, epoch.of) for epoch in told] == [(1, 50), (2, 50), (3, 50)]


def test_learning_is_deterministic() -> None:
    x, y = sinc_data()
    first, again = (anfis.train(anfis.build_network(x, y, rules=6), x, y, epochs=10) for _ in range(2))
    assert first.epochs == again.epochs
    assert np.array_equal(first.network.centres, again.network.centres)
    assert np.array_equal(first.network.consequents, again.network.consequents)


def test_widths_stay_positive() -> None:
    x, y = sinc_data()
    found = anfis.train(on_grid(4), x, y, epochs=20, step=50.0)
    assert np.isfinite(found.rmse)
    assert (found.network.widths > 0).all()


@pytest.mark.parametrize("words", [{"epochs": 0}, {"step": 0.0}, {"patience": -1}, {"ridge": -1.0}, {"epochs": True}])
def test_bad_orders_are_refused(words: dict[str, float]) -> None:
    x, y = sinc_data()
    with pytest.raises(sistel.SistelError):
        anfis.train(on_grid(4), x, y, **words)  # type: ignore[arg-type]


def test_bad_data_are_refused() -> None:
    x, y = sinc_data()
    for bad_x, bad_y in ((x[:5], y), (x[:, :1], y), (x, np.full(121, np.nan)), (np.zeros((0, 2)), [])):
        with pytest.raises(sistel.SistelError):
            anfis.train(on_grid(4), bad_x, bad_y)
    with pytest.raises(sistel.SistelError) as caught:
        anfis.build_network(x, y, clustering="magic")  # type: ignore[arg-type]
    assert "subtractive" in caught.value.render("en")
    assert "неизвестно" in caught.value.render("ru")
