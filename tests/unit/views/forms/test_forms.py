"""Forms of files: every number has its place, files change nowhere else, and XForms saves what the form means."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest
from support.thorough import cases
from support.xforms import Form as Processor
from support.xforms import check_xforms

import sistel
from sistel.errors import SistelError
from sistel.views.forms import Form, draw_xforms, read_form

MODELS = sorted((Path(__file__).resolve().parents[4] / "models").glob("*.xml"))


def form_of(text: str, path: str = "model.xml") -> Form:
    system = sistel.parse(text, path)
    return read_form(system.model, system.source)


def key(form: Form, name: str) -> str:
    (found,) = (field.key for field in form.fields if field.name.en == name)
    return found


@pytest.mark.parametrize("path", MODELS[:: cases(9, 1)], ids=lambda path: path.stem)
def test_every_number_is_that_of_the_model(path: Path) -> None:
    """Written number times unit is what was read, untouched text stays, and XForms sends the same system."""
    system = sistel.load(path)
    form = read_form(system.model, system.source)
    assert form.filled({}) == system.source.text
    for field in form.fields:
        if field.span is not None and not field.formula and field.value is not None:
            number = float(field.written.replace("−", "-"))
            assert field.measure.to_si(number) == pytest.approx(field.value, rel=1e-12, abs=1e-300)
    text = draw_xforms(form, "ru")
    check_xforms(text)
    sent = Processor(text).submit()
    assert sent is not None
    assert sistel.parse(sent, system.source.path).model.fingerprint == system.model.fingerprint


BODIES = '<body name="a" joint="revolute" mass="1" com="0,100"/><body name="left leg" joint="prismatic" mass="1"/>'
PLAIN = '<body name="a" joint="revolute" mass="1" com="0,100"/>'


@pytest.mark.parametrize(
    ("bodies", "start"),
    [
        (BODIES, ""),
        (BODIES, "<start/>"),
        (BODIES, '<start time="1 s" />'),
        (BODIES, "<start><!-- empty --></start>"),
        (BODIES, '<start><coordinate of="left leg" rate="3"/></start>'),
        (PLAIN, ""),
        (PLAIN, '<start a.rate="1 rad/s"/>'),
    ],
)
def test_what_the_file_leaves_out_can_be_filled_in(bodies: str, start: str) -> None:
    """As attributes, or as elements where the name is none; by text and through XForms; and taken back again."""
    text = f'<system name="s"> <!-- & -->\n  {bodies}\n  {start}\n</system>\n<!-- </system> -->\n'.replace("& ", "")
    form = form_of(text)
    values = {key(form, "a"): "-20"}
    if bodies == BODIES and "coordinate" not in start:
        values |= {key(form, "left leg"): "7", key(form, "left leg, rate"): "2.5e0"}
    elif bodies == BODIES:
        values |= {key(form, "left leg, rate"): "2.5"}
    written = form.filled(values)
    xforms = draw_xforms(form, "en")
    check_xforms(xforms)
    processor = Processor(xforms)
    for name, value in values.items():
        processor.set(name, value.removesuffix("e0"))
    sent = processor.submit()
    assert sent is not None
    for made in (written, sent):
        model = sistel.parse(made).model
        assert model.start.q[0] == pytest.approx(math.radians(-20))
        if bodies == BODIES:
            assert model.start.v[1] == pytest.approx(0.0025)
            assert model.start.q[1] == pytest.approx(0.007 if "coordinate" not in start else 0.0)
    # Emptied again, nothing of it is left behind.
    for name in values:
        field = next(each for each in form.fields if each.key == name)
        processor.set(name, field.written)
    again = processor.submit()
    assert again is not None
    assert sistel.parse(again).model.fingerprint == sistel.parse(text).model.fingerprint
    assert ("<start" in again) == ("<start" in text and start != "<start/>")


def test_formulas_lists_and_limits() -> None:
    form = form_of(
        '<system name="s"><parameter name="l" value="-.5e1 cm" min="-1 m" about="a &lt; b"/>'
        '<parameter name="k" value="2*l"/><gravity value="1.62 m/s^2"/>'
        '<body name="b" joint="prismatic2" mass="1" min="-100, 0" max="100, 50"/>'
        '<start b="1 cm,  l + 100 mm" b.rate="3, −4"/></system>'
    )
    rows = [(field.name.en, field.written, field.unit, field.formula) for field in form.fields]
    assert rows == [
        ("l", "-.5e1", "cm", False),
        ("k", "2*l", "m", True),
        ("gravity", "1.62", "m/s^2", False),
        ("b.x", "1", "cm", False),
        ("b.y", "l + 100 mm", "mm", True),
        ("b.x, rate", "3", "mm/s", False),
        ("b.y, rate", "−4", "mm/s", False),
    ]
    assert form.fields[0].range == (-100.0, None) and form.fields[3].range == (-10.0, 10.0)
    text = draw_xforms(form, "en")
    check_xforms(text)
    processor = Processor(text)
    # XPath 1.0 knows no powers of ten.
    assert processor.text("instance('form')/f1") == "-5"
    assert processor.text(re.findall(r'<xf:label ref="([^"]+)"', text)[-1]) == "As in the file"
    processor.set("f4", "-10.5")
    assert processor.wrong() == ["instance('form')/f4"]
    processor.set("f4", "10")
    sent = processor.submit()
    assert sent is not None and 'b="10 cm,  l + 100 mm"' in sent and 'b.rate="3, -4"' in sent


def test_what_has_no_form_is_refused_kindly(models_dir: Path) -> None:
    urdf = sistel.load(models_dir / "arm5.urdf")
    with pytest.raises(SistelError, match="is no XsysTel"):
        read_form(urdf.model, urdf.source)
    with pytest.raises(SistelError, match="nothing to fill in"):
        form_of('<system name="s"><body name="a" mass="1"/></system>')


def test_parameters_of_other_files_are_told(models_dir: Path) -> None:
    system = sistel.load(models_dir / "two_legs.xml")
    form = read_form(system.model, system.source)
    assert {field.parameter for field in form.fields if field.of == "parameter"} < {
        parameter.name for parameter in system.model.parameters
    }
    assert [left.en for left in form.left if "included files" in left.en]


def test_parameters_that_change_the_picture() -> None:
    """Lengths do, masses do not: the page then says that bodies stay as the file has them."""
    from sistel.views.forms._page import drawn_parameters

    folder = MODELS[0].parent
    assert drawn_parameters(sistel.load(folder / "pendulum.xml").model) == {"L"}
    assert drawn_parameters(sistel.load(folder / "tasks" / "arm.xml").model) == {"l1", "l2"}
