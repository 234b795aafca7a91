"""The page of the gripper in a browser: words, codes, numbers and keys turn it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from support.browser import Chromium, Tab

from sistel.pose import CODES, axial_rotation, euler_parameters, read_position, say_code
from sistel.views.prototypes import gripper_page


@pytest.fixture(scope="module")
def page(chromium: Chromium) -> Iterator[Tab]:
    """In Russian, on a desktop."""
    with chromium.tab(webgl=True, size=(900, 560), lang="ru-RU") as tab:
        tab.open(gripper_page("ru"))
        tab.wait("globalThis.sistelGripper")
        yield tab


def drawn(tab: Tab) -> Any:
    """The pose of the gripper as it is drawn, 4×4."""
    script = "() => Array.from(sistelGripper.gripper.getValue().getBody().getNamedNode('проСхват_Схват').getValue().getMatrix())"
    return np.array(tab.run(script)).reshape(4, 4).T


def shown(tab: Tab, key: str) -> str:
    return str(tab.page.inner_text(f"[data-value={key}]"))


def wait_for_code(tab: Tab, code: int) -> None:
    """Until it shows the code and stands: a code is shown a little before the turn has ended."""
    tab.wait(f"document.querySelector('[data-value=code]').textContent === '{code}'")
    tab.wait(
        """(() => {
          const now = document.querySelector("[data-value=quaternion]").textContent;
          const seen = window.reading && window.reading.now === now ? window.reading.seen + 1 : 0;
          window.reading = { now, seen };
          return seen >= 10;
        })()"""
    )


def test_a_phrase_turns_it(page: Tab) -> None:
    page.page.fill("[data-id=command]", "большой влево, пальцы вниз")
    page.page.keyboard.press("Enter")
    wait_for_code(page, 42)
    assert np.abs(drawn(page)[:3, :3] - axial_rotation(42)).max() < 1e-4
    assert shown(page, "phrase") == "пальцы вниз, большой влево"
    cx, cy, cz, angle = euler_parameters(42)
    assert shown(page, "euler").split() == f"{cx} {cy} {cz} {angle}°".replace("-", "−").split()
    assert shown(page, "quaternion").split() == ["0", "0.7071", "−0.7071", "0"]
    assert page.page.get_attribute("[data-code='42']", "aria-pressed") == "true"
    assert "поворот = 5 42" in page.page.inner_text(".command .answer")


def test_what_is_not_understood_is_said(page: Tab) -> None:
    page.page.fill("[data-id=command]", "пальцы вверх")
    page.page.keyboard.press("Enter")
    assert "нужны два направления" in page.page.inner_text(".command .answer")
    page.page.fill("[data-id=command]", "77")
    page.page.keyboard.press("Enter")
    assert page.page.locator(".command .answer.wrong").count() == 1


def test_codes_quarters_and_numbers(page: Tab) -> None:
    page.page.click("[data-code='13']")
    wait_for_code(page, 13)
    page.page.click("[data-turn='x+']")
    page.page.click("[data-turn='y+']")
    # 15 · 63: the second turn is about the axis that has turned along.
    expected = np.array(axial_rotation(15)) @ axial_rotation(63)
    (code,) = [each for each in CODES if np.array_equal(axial_rotation(each), expected)]
    wait_for_code(page, code)
    assert np.abs(drawn(page)[:3, :3] - expected).max() < 1e-4
    # Bryant angles, then cylindrical coordinates; both are codes of the fields of the same names.
    page.page.select_option("[data-id=set-rotation]", "2")
    for n, value in enumerate(("10", "−20", "30,5")):
        page.page.locator(".set >> nth=0").locator("input").nth(n).fill(value)
    page.page.select_option("[data-id=set-position]", "1")
    for n, value in enumerate(("0.1", "30", "0.05")):
        page.page.locator(".set >> nth=1").locator("input").nth(n).fill(value)
    page.page.keyboard.press("Tab")
    (pose,) = read_position([1, 2, 0.1, 30, 0.05, 10, -20, 30.5])
    page.run("(R) => { globalThis.goal = R; }", [*pose.place])
    page.wait("Math.hypot(...['x', 'y', 'z'].map((k, n) => sistelGripper.gripper.место[k] - goal[n])) < 1e-6")
    assert np.abs(drawn(page) - pose.matrix).max() < 1e-4
    page.page.locator(".set >> nth=0").locator("input").nth(0).fill("ten")
    page.page.keyboard.press("Tab")
    assert "не число" in page.page.inner_text(".set >> nth=0")


def test_keys_and_fingers(page: Tab) -> None:
    page.run("() => { sistelGripper.gripper.положение = new sistelGripper.X3D.MFFloat(0, 0); }")
    wait_for_code(page, 13)
    page.page.locator("x3d-canvas").focus()
    page.page.keyboard.press("z")
    wait_for_code(page, 32)
    page.page.keyboard.press("4")
    page.page.keyboard.press("2")
    wait_for_code(page, 42)
    page.page.keyboard.press("+")
    page.wait("document.querySelector('output').textContent === '50 мм'")
    page.page.keyboard.press("Tab")
    assert page.run("() => document.activeElement.tagName") != "X3D-CANVAS"


def test_both_languages(page: Tab) -> None:
    """All phrases are understood in the page, and the page speaks both languages."""
    for lang in ("ru", "en"):
        phrases = {code: say_code(code, lang) for code in CODES}  # type: ignore[arg-type]
        read = page.run("(texts) => texts.map((text) => sistelGripper.read(text).code)", [*phrases.values()])
        assert read == [*phrases]
    page.page.click("[data-id=language]")
    assert page.page.inner_text("h1") == "Gripper" and page.page.get_attribute("html", "lang") == "en"
    page.page.click("[data-code='53']")
    wait_for_code(page, 53)
    assert shown(page, "phrase") == "fingers towards us, thumb up"
    page.page.click("[data-id=language]")
    assert page.page.inner_text("h1") == "Схват"


def test_on_a_phone(chromium: Chromium) -> None:
    with chromium.tab(webgl=True, size=(390, 844), phone=True, dark=True) as tab:
        tab.open(gripper_page("en"))
        tab.wait("globalThis.sistelGripper")
        assert tab.run("() => document.documentElement.scrollWidth") <= 390
        before = tab.picture()
        tab.page.tap("[data-code='42']")
        wait_for_code(tab, 42)
        assert tab.picture() != before


EARS = """() => {
  // A recogniser that hears what the test says, and a voice that keeps what it is given.
  window.SpeechRecognition = class {
    start() { window.ear = this; }
    abort() { this.onend(); }
  };
  window.hear = (...texts) => { ear.onresult({ results: [texts.map((transcript) => ({ transcript }))] }); ear.onend(); };
  window.fail = (error) => { ear.onerror({ error }); ear.onend(); };
  window.spoken = [];
  Object.defineProperty(window, "speechSynthesis", {
    configurable: true,
    value: { cancel() {}, speak: (said) => spoken.push([said.lang, said.text]) },
  });
}"""


def test_it_listens_and_answers(page: Tab) -> None:
    """Of what may have been heard, what can be read counts; answers come aloud; faults are told kindly."""
    page.run(EARS)
    listen = page.page.locator("[data-speech=listen]")
    answer = page.page.locator(".command .answer")
    page.page.check("[data-speech=aloud]")
    listen.click()
    assert listen.get_attribute("aria-pressed") == "true"
    assert page.run("() => [ear.lang, ear.maxAlternatives]") == ["ru-RU", 5]
    page.run("() => hear('пальцы в них большой в лево', 'пальцы внис большой влево', 'пальцы вниз большой влево')")
    wait_for_code(page, 42)
    assert listen.get_attribute("aria-pressed") == "false"
    assert page.page.input_value("[data-id=command]") == "пальцы вниз большой влево"
    assert page.run("() => spoken") == [["ru-RU", "пальцы вниз, большой влево"]]
    listen.click()
    page.run("() => hear('11')")
    assert "на одной прямой" in answer.inner_text() and answer.get_attribute("class") == "answer wrong"
    listen.click()
    page.run("() => hear('из положения пальцы вверх большой влево в положение пальцы от нас большой вниз')")
    wait_for_code(page, 64)
    assert answer.inner_text() == "32 → 64"
    for error, said in (("network", "нужна сеть"), ("not-allowed", "не разрешён"), ("odd", "(odd): наберите фразу")):
        listen.click()
        page.run("(error) => fail(error)", error)
        assert said in answer.inner_text() and answer.get_attribute("class") == "answer wrong"
    listen.click()
    page.run("() => hear('добрый день')")
    assert "нужны два направления" in answer.inner_text()
    listen.click()
    listen.click()  # no longer
    assert listen.get_attribute("aria-pressed") == "false"
    # Typed, a transition is the same; English phrases point "to us".
    page.page.fill("[data-id=command]", "from 42 to fingers to us, thumb up")
    page.page.keyboard.press("Enter")
    wait_for_code(page, 53)
    page.page.uncheck("[data-speech=aloud]")


def test_where_nothing_listens_it_says_so(chromium: Chromium) -> None:
    with chromium.tab(size=(900, 560)) as tab:
        tab.page.add_init_script("delete window.webkitSpeechRecognition; delete window.SpeechRecognition")
        tab.open(gripper_page("en"))
        tab.wait("document.querySelector('.speech-note')")
        assert tab.page.locator("[data-speech=listen]").count() == 0
        assert "type the phrase" in tab.page.inner_text(".speech-note")
