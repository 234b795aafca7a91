"""Impact rules, counters and guards as the model has them: what is inferred, what is written back, names in inclusions."""

from __future__ import annotations

from pathlib import Path

import pytest

import sistel

_WHOLE = """<system name="all">
  <parameter name="k" value="2"/>
  <body name="b" joint="free" mass="1" inertia="1"><point name="p"/><point name="r" place="100, 0"/>
    <motion of="b.angle" structure="up" kp="1" since="entry"><row time="0" values="0"/><row time="1" values="9"/></motion>
    <force value="1 N/s*elapsed, counter(n)*1 N + counter(up)*1 N"/>
  </body>
  <links>
    <contact name="c" point="p" surface="y = 0" friction="0.3"/>
    <contact name="d" point="r" surface="y = 0" friction="0.3"/>
    <counter name="n" value="3"/>
    <counter name="idle"/>
    <structure name="down"/>
    <structure name="up"/>
    <transition from="down" to="up" when="gap(c) falls through 0" impact="poisson" restitution="0.5" counts="n, idle"
                hysteresis="k*1 mm"/>
    <transition from="up" to="down" when="approach(c) lt 0 and counter(n) = 7" impact="coulomb" strikes="d">
      <set of="n" value="k*counter(n) + 1"/>
      <set of="b.x" value="10*counter(idle)"/>
      <impulse of="c" value="0.5, slip(c)*1 kg"/>
      <impulse of="b.angle" value="0.1 N*m*s"/>
    </transition>
  </links>
</system>"""


def test_what_is_read() -> None:
    model = sistel.parse(_WHOLE).model
    assert [(counter.name, counter.start) for counter in model.counters] == [("n", 3.0), ("idle", 0.0)]
    assert [(each.kind, each.name, each.start) for each in model.memory] == [
        ("counter", "n", 3.0),
        ("counter", "idle", 0.0),
        ("entries", "up", 0.0),
        ("entered", "", 0.0),
    ]
    assert model.memory_names == ("counter(n)", "counter(idle)", "counter(up)", "entered")
    assert model.state_size == model.nq + model.nv + 4 + 1
    down, up = model.transitions
    assert down.strikes == ("c",) and up.strikes == ("d",)  # asked for by its gap; named
    assert [(each.counter, each.value is None) for each in down.recounts] == [("n", True), ("idle", True)]
    assert [(each.counter, each.value is None) for each in up.recounts] == [("n", False)]
    assert [(each.contact, each.rate, len(each.values)) for each in up.impulses] == [("c", None, 2), (None, 2, 1)]
    assert model.motions[0].since_entry


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_written_back_it_is_the_same(lang: str) -> None:
    system = sistel.parse(_WHOLE)
    again = sistel.parse(system.to_xml(lang))  # type: ignore[arg-type]
    assert again.fingerprint == system.fingerprint
    assert again.model.memory_names == system.model.memory_names


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('value="3"', 'value="4"'),
        ('counts="n, idle"', 'counts="n"'),
        ('strikes="d"', 'strikes="c"'),
        ('since="entry"', ""),
        ('value="0.5, slip', 'value="0.6, slip'),
        ('hysteresis="k*1 mm"', 'hysteresis="k*2 mm"'),
    ],
)
def test_every_word_counts(old: str, new: str) -> None:
    assert _WHOLE.count(old) == 1
    assert sistel.parse(_WHOLE).fingerprint != sistel.parse(_WHOLE.replace(old, new)).fingerprint


def test_a_file_without_transitions_remembers_nothing() -> None:
    system = sistel.parse(
        '<system name="s"><body name="b" joint="prismatic" mass="1"><force value="1 N/s*elapsed, 0"/></body>'
        '<links><counter name="n"/></links><start time="2 s"/></system>'
    )
    assert system.model.memory == ()
    # The only structure is entered at the start: v = ∫ s ds from 0 to 1.
    assert system.simulate(3.0).v[-1, 0] == pytest.approx(0.5, rel=1e-14)


def test_names_in_inclusions(tmp_path: Path) -> None:
    """Counters, structures and bands of an included file have its prefix, and mean its own things."""
    (tmp_path / "part.xml").write_text(
        '<system name="part"><parameter name="w" value="1 mm"/><body name="b" joint="prismatic" mass="1">'
        '<force value="1 N*counter(n), 0"/></body><links><counter name="n" value="2"/><structure name="a"/>'
        '<transition from="a" to="a" when="q(b) rises through 2*w" hysteresis="w" counts="n"/></links></system>',
        encoding="utf-8",
    )
    main = tmp_path / "main.xml"
    main.write_text(
        '<system name="main"><gravity value="0"/><include file="part.xml" prefix="L "/></system>', encoding="utf-8"
    )
    system = sistel.load(main)
    assert system.model.memory_names == ("counter(L n)",)
    run = system.simulate(0.1)
    # 2 N on 1 kg: 3 mm after √(0.003) s; then 3 N.
    assert run.events[0].time == pytest.approx(0.003**0.5, rel=1e-13)
    assert run.memory[-1, 0] == 3.0
    assert 2.0 * run.segments[1].coefficients[0, 0, 2] == pytest.approx(3.0, rel=1e-14)


def test_who_gives_a_restitution_means_it() -> None:
    text = (
        '<system name="b"><body name="ball" joint="prismatic2" mass="1"><point name="p"/></body><links>'
        '<contact name="floor" point="p" surface="y = 0" restitution="0.5"/>'
        '<contact name="wall" point="p" surface="x &gt;= -1 m"/>'
        '<structure name="flight"/><transition from="flight" to="flight" when="gap(floor) falls through 0" {}/>'
        "</links></system>"
    )
    bouncing, idle = (sistel.parse(text.format(more)).model for more in ('restitution="0.3"', 'counts=""'))
    assert [contact.impact for contact in bouncing.contacts] == ["newton", "plastic"]
    assert [transition.impact for transition in bouncing.transitions] == ["newton"]
    assert [transition.impact for transition in idle.transitions] == ["none"]
