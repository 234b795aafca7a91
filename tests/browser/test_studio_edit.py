"""Models that are written and dragged in a studio, as its users do it: with keys, with the pointer, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.dragging import REMARK, changed, drag_a_four_bar, open_model
from support.studio_page import StudioPage, opened, studio_page

MODELS = Path(__file__).resolve().parents[2] / "models"


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StudioPage]:
    """One studio for the tests of this file, on a folder that was empty."""
    with studio_page(tmp_path_factory.mktemp("models")) as found:
        yield found


def write(window: StudioPage, text: str) -> None:
    """Type, with what the editor does by itself switched to nothing: whole lines are put in."""
    window.page.keyboard.insert_text(text)


def four_bar(window: StudioPage) -> str:
    """Its text, opened where no test before this one did so, in the views that are looked at."""
    page = window.page
    if not (window.folder / "four_bar.xml").exists():
        open_model(window, "four_bar")
        page.locator("[data-view=scheme]").click()
        page.locator("[data-side=tree]").click()
        page.locator('[data-handle="pole:3"]').wait_for()
    return window.text()


def test_a_new_user_writes_an_arm_with_completion_and_fixes_and_runs_it(window: StudioPage) -> None:
    page = window.page
    page.locator("[data-act=begin]").click()
    page.locator("[data-field=name]").fill("arm")
    page.locator("[data-act=create]").click()
    window.wait("document.querySelector('.cm-content')?.getAttribute('aria-label') === 'arm.xml'")
    page.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    write(window, '<system name="arm">\n\n</system>')
    page.keyboard.press("ArrowUp")
    # A body by its first letters, then its joint out of the list.
    page.keyboard.type("<bod", delay=20)
    page.locator(".cm-tooltip-autocomplete li", has_text="body").first.click()
    window.wait("document.querySelector('.cm-content').textContent.includes('<body')")
    page.keyboard.press("Control+a")
    write(
        window,
        '<system name="arm">\n  <body name="upper" joint="revolutee" mass="2" com="0, 250" inertia="0.05">\n'
        '    <body name="lower" joint="revolute" place="0, 500" mass="1" com="0, 200" inertia="0.02"/>\n'
        '  </body>\n  <start upper="60" lower="20"/>\n</system>\n',
    )
    # It is underlined, and mended by what is offered.
    page.locator(".cm-lintRange-error").first.wait_for()
    page.locator("[data-bottom=problems]").click()
    page.locator("[data-severity=error] button.plain").first.click()
    window.wait("!document.querySelector('.cm-lintRange-error')")
    assert 'joint="revolute" mass="2"' in window.text()
    page.locator("[data-field=until]").fill("0.5")
    page.keyboard.press("Control+Enter")
    window.wait("document.querySelector('[data-motion=run]')?.getAttribute('aria-pressed') === 'true'", 120)
    assert page.locator("[data-part=bottom] tbody tr").count() == 1


def test_a_four_bar_is_dragged_and_its_coupler_curve_goes_along(window: StudioPage) -> None:
    drag_a_four_bar(window)


def test_a_body_is_chosen_in_the_picture_and_its_arrows_move_it(window: StudioPage) -> None:
    page = window.page
    text = four_bar(window)
    page.evaluate(
        "() => document.querySelector('[id=\"тело_3\"] > path').dispatchEvent("
        "new PointerEvent('pointerdown', {bubbles: true}))"
    )
    page.evaluate("() => dispatchEvent(new PointerEvent('pointerup'))")
    window.wait("document.querySelector('.node.on')?.textContent.includes('rocker')")
    window.wait("document.querySelector('.here')?.id === 'тело_3'")
    page.locator('[data-handle="pole:3"]').focus()
    page.keyboard.press("ArrowRight")
    moved = changed(window, text)
    assert re.search(r'name="d" value="4\d\d(\.\d)? mm"', moved)
    page.keyboard.press("Control+z")
    assert changed(window, moved) == text


def test_the_tree_adds_a_body_and_its_form_changes_it(window: StudioPage) -> None:
    page = window.page
    text = four_bar(window)
    page.locator(".node", has_text="rocker").click()
    page.locator("[data-part=form] h3", has_text="rocker").wait_for()
    page.locator("[data-field=add]").select_option("body")
    page.locator("[data-act=add]").click()
    added = changed(window, text)
    assert '<body name="body1" joint="revolute"' in added and REMARK.findall(added) == REMARK.findall(text)
    page.locator("[data-part=form] h3", has_text="body1").wait_for()
    field = page.locator("[data-attribute=mass]")
    field.fill("3 kg")
    field.press("Enter")
    heavier = changed(window, added)
    assert 'name="body1"' in heavier and 'mass="3 kg"' in heavier
    page.locator(".node", has_text="body1").focus()
    page.keyboard.press("Delete")
    assert "body1" not in changed(window, heavier)
    page.locator("[data-act=undo]").click()
    page.locator("[data-act=undo]").click()
    page.locator("[data-act=undo]").click()
    window.page.wait_for_timeout(50)
    assert window.text() == text


def test_structures_are_added_joined_and_removed(window: StudioPage) -> None:
    page = window.page
    text = open_model(window, "walker")
    page.locator("[data-view=structures]").click()
    page.locator(".svelte-flow__node").first.wait_for()
    assert page.locator(".svelte-flow__node").count() == 4
    page.locator("[data-act=add-structure]").click()
    page.locator("[data-field=answer]").fill("лежит")
    page.keyboard.press("Enter")
    added = changed(window, text)
    assert '\n    <structure name="лежит"/>' in added and added.replace('\n    <structure name="лежит"/>', "") == text
    page.locator(".svelte-flow__node", has_text="лежит").wait_for()
    page.locator(".svelte-flow__node", has_text="лежит").click()
    page.locator("[data-act=remove-structure]").click()
    assert changed(window, added) == text
    # A condition is checked while it is written.
    edge: Any = page.locator(".svelte-flow__edge").first
    edge.dispatch_event("click")
    page.locator("[data-act=condition]").click()
    page.locator("[data-field=answer]").fill("t > 1 kg")
    window.wait("document.querySelector('[data-part=wrong]').textContent.trim()")
    assert page.locator("dialog button.strong, [role=dialog] button.strong").last.is_disabled()
    page.locator("[data-field=answer]").fill("t > 1 s")
    window.wait("!document.querySelector('[data-part=wrong]').textContent.trim()")
    page.keyboard.press("Enter")
    assert 'when="t > 1 s"' in changed(window, text)
    page.keyboard.press("Control+z")


def test_a_phone_shows_the_picture_and_the_tree(window: StudioPage) -> None:
    four_bar(window)
    phone = opened(window.page.context.browser, window.server, window.folder, size=(390, 844), lang="ru-RU", dark=True)
    page = phone.page
    page.locator(".switch-panes button").first.click()
    page.locator("[data-path='four_bar.xml']").click()
    page.locator(".switch-panes button").nth(1).click()
    page.locator("[data-view=scheme]").click()
    page.locator('[data-handle="pole:2"]').wait_for()
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    page.locator(".switch-panes button").nth(2).click()
    page.locator("[data-side=tree]").click()
    page.locator(".node", has_text="crank").first.wait_for()
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    phone.check()
    page.context.close()
