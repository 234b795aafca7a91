"""Rows C4, C6 and C7 of the mission on the page of an arm, through the public face; each test is named after its row."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.browser import Chromium, Tab

import sistel
from sistel.solve import anfis

MODES = ("forward", "inverse", "trajectory")


def opened(tab: Tab, page: Path) -> None:
    tab.page.emulate_media(reduced_motion="reduce")
    tab.open(page)
    tab.wait("document.documentElement.dataset.ready === 'yes'")


def number(text: str) -> float:
    """A number as the page writes it: 2.1·10⁻⁹."""
    mantissa, _, power = text.replace("−", "-").partition("·10")
    return float(mantissa) * 10.0 ** int(power.translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")) or 0)


def test_C4(chromium: Chromium, models_dir: Path, tmp_path: Path) -> None:
    """A menu of three problems; each shows only its fields."""
    page = tmp_path / "arm.html"
    sistel.load(models_dir / "arm5.xml").lesson(page, lang="en")
    with chromium.tab(size=(1280, 900)) as tab:
        opened(tab, page)
        assert tab.page.locator("[role=tab]").all_inner_texts() == ["Forward", "Inverse", "Trajectory and dynamics"]
        shown: dict[str, set[str]] = {}
        for mode in MODES:
            tab.page.click(f"[data-id=tab-{mode}]")
            tab.wait(f"sistel.panel === '{mode}'")
            fields = "() => [...document.querySelectorAll('.panels input, .panels select')].filter((each) => each.offsetParent).map((each) => each.dataset.id || each.ariaLabel)"
            shown[mode] = set(tab.run(fields))
            assert [tab.page.is_visible(f"[data-id=panel-{each}]") for each in MODES] == [
                each == mode for each in MODES
            ]
        assert {f"joint-{i}" for i in range(5)} <= shown["forward"]
        assert {f"target-{key}" for key in ("x", "y", "z", "roll", "pitch", "yaw")} <= shown["inverse"]
        assert {f"{side}-{i}" for side in ("from", "to") for i in range(5)} | {"kind", "duration"} <= shown[
            "trajectory"
        ]
        for mode in MODES:
            for other in MODES:
                assert mode == other or not shown[mode] & shown[other]


def test_C6_page(chromium: Chromium, models_dir: Path, tmp_path: Path) -> None:
    """A target typed, or taken from forward kinematics: there and back."""
    arm = sistel.load(models_dir / "arm5.xml")
    page = tmp_path / "arm.html"
    q = np.radians([25.0, 70.0, -40.0, 55.0, 10.0])
    arm.lesson(page, lang="en", q=q)
    with chromium.tab(size=(1280, 900)) as tab:
        opened(tab, page)
        tab.page.click("[data-id=tab-inverse]")
        tab.page.click("[data-id=from-forward]")
        typed = [float(tab.page.input_value(f"[data-id=target-{key}]")) for key in ("x", "y", "z")]
        assert typed == pytest.approx((1e3 * arm.pose(q, "инструмент")[:3, 3]).tolist(), abs=1e-5)
        # From another posture the same pose is found again.
        tab.page.click("[data-id=tab-forward]")
        tab.page.get_by_role("button", name="As at the start").click()
        tab.run("() => sistel.pose([0.2, 1.4, -0.5, 1.2, 0.4], -1)")
        tab.page.click("[data-id=tab-inverse]")
        tab.page.click("[data-id=inverse-calculate]")
        assert tab.page.inner_text("[data-id=panel-inverse] .lesson-verdict") == "Reached"
        found = np.array(tab.run("() => Array.from(sistel.now.q)"))
        assert np.abs(arm.pose(found, "инструмент") - arm.pose(q, "инструмент")).max() < 1e-8
        # Typed by hand, to the digits that are typed; the turn about z is left free.
        tab.page.select_option("[data-id=task]", "position")
        for key, value in (("x", "250"), ("y", "-120"), ("z", "300")):
            tab.page.fill(f"[data-id=target-{key}]", value)
        tab.page.click("[data-id=inverse-calculate]")
        found = np.array(tab.run("() => Array.from(sistel.now.q)"))
        assert np.abs(arm.pose(found, "инструмент")[:3, 3] - [0.25, -0.12, 0.3]).max() < 1e-8


def test_C7(chromium: Chromium, models_dir: Path, tmp_path: Path) -> None:
    """A switch between networks and numerical methods; all print their error against forward kinematics."""
    arm = sistel.load(models_dir / "arm5.xml")
    low, high = np.radians([-30, 40, -70, 40, -30]), np.radians([30, 90, -20, 90, 30])
    nets = anfis.train_ik(arm, "инструмент", 600, rules=8, epochs=3, low=low, high=high)
    page = tmp_path / "arm.html"
    target = arm.pose(np.radians([10.0, 60.0, -40.0, 60.0, 5.0]), "инструмент")
    arm.lesson(page, mode="inverse", target=target, networks=nets, lang="en")
    rows: list[list[Any]] = []
    with chromium.tab(size=(1280, 900)) as tab:
        opened(tab, page)
        for method in ("lm", "ccd", "anfis"):
            tab.page.locator(f"label:has([data-id=method-{method}])").click()
            if method != "anfis":
                tab.page.select_option("[data-id=begin]", "file")
            tab.page.click("[data-id=inverse-calculate]")
            q = np.array(tab.run("() => Array.from(sistel.now.q)"))
            cells = tab.page.locator(f"[data-id=methods] tr[data-method={method}]").locator("td").all_inner_texts()
            pose = arm.pose(q, "инструмент")
            place = 1e3 * float(np.linalg.norm(pose[:3, 3] - target[:3, 3]))
            between = pose[:3, :3].T @ target[:3, :3]
            turn = np.degrees(np.arctan2(np.linalg.norm(between - between.T) / 8**0.5, (np.trace(between) - 1) / 2))
            rows.append([method, number(cells[2]), place, number(cells[3]), turn])
        assert len(tab.page.locator("[data-id=methods] tbody tr").all()) == 3
        assert np.abs(q - anfis.as_seed(nets, target)).max() < 1e-12
    for method, shown_place, place, shown_turn, turn in rows:
        # Three digits are printed; what is as small as rounding is not the same in two places.
        dust = 1e-6 if method == "lm" else 0.0
        assert shown_place == pytest.approx(place, rel=6e-3, abs=dust)
        assert shown_turn == pytest.approx(turn, rel=6e-3, abs=dust)
    lm, ccd, net = rows
    assert lm[1] < 1e-5 and ccd[1] <= 1.0 and ccd[3] <= 0.6 and 0.01 < net[1] < 100.0
