"""Task files: words of both languages, all mistakes at once with their places, and files that may not be read."""

from __future__ import annotations

from pathlib import Path

import pytest

import sistel
from sistel.errors import SistelError
from sistel.tasks import Task, in_words, read_task, solve_task

TASKS = Path(__file__).parents[3] / "models" / "tasks"
ARM = (TASKS / "arm.xml").read_text(encoding="utf-8")


def written(folder: Path, inside: str, **files: str) -> Path:
    """A task about the arm, beside it."""
    (folder / "arm.xml").write_text(ARM, encoding="utf-8")
    for name, text in files.items():
        (folder / f"{name}.xml").write_text(text, encoding="utf-8")
    path = folder / "task.xml"
    path.write_text(
        inside if inside.lstrip().startswith(("<task", "<задача")) else f'<task model="arm.xml">\n{inside}\n</task>',
        encoding="utf-8",
    )
    return path


def read(path: Path) -> Task:
    """The task of a file."""
    return read_task(path, sistel.load)


def refused(folder: Path, inside: str, **files: str) -> list[tuple[str, str]]:
    """Places and codes of what is wrong with a task."""
    with pytest.raises(SistelError) as caught:
        solve_task(read(written(folder, inside, **files)))
    made = []
    for each in caught.value.diagnostics:
        assert each.message.en and each.message.ru
        made.append(("" if each.span is None else f"{each.span.line}:{each.span.column}", each.code))
    return made


def test_words_of_both_languages_mean_the_same(tmp_path: Path) -> None:
    path = written(
        tmp_path, '<statics name="held" posture="picked" load="1.5 kg" at="hand" report="torque(elbow), power(2)"/>'
    )
    english = read(path)
    russian = in_words(english, "ru")
    assert 'модель="arm.xml"' in russian and "<статика" in russian and "усилие(elbow), мощность(2)" in russian
    assert 'груз="1.5 кг"' in russian
    path.write_text(russian, encoding="utf-8")
    assert in_words(read(path), "en") == in_words(english, "en")
    values = [[answer.value for answer in solve_task(task).answers] for task in (english, read(path))]
    assert values[0] == values[1]


def test_all_mistakes_are_told_at_once(tmp_path: Path) -> None:
    found = refused(
        tmp_path,
        '<kinematics frame="hnad" joints="30, 45, 1"/>\n'
        '<statics posture="pickt" load="1.5 m" at="hand" reprot="x(hand)"/>\n'
        '<dynamics until="2 kg" report="torque(elbw), x(hand) + 1 kg, nonsense(hand)"/>\n'
        '<vary parameter="l3" from="1 m" to="2 m" step="1 m"/>\n'
        "<dinamics/>",
    )
    assert found == [
        ("2:20", "unknown-name"),
        ("2:34", "wrong-count"),
        ("3:19", "unknown-name"),
        ("3:32", "wrong-dimension"),
        ("3:49", "unknown-attribute"),
        ("4:18", "wrong-dimension"),
        ("4:39", "unknown-name"),
        ("4:46", "wrong-dimension"),
        ("4:62", "unknown-function"),
        ("5:18", "unknown-name"),
        ("6:2", "unknown-element"),
    ]


@pytest.mark.parametrize(
    ("inside", "code"),
    [
        ("", "nothing-asked"),
        ("<kinematics/>", "nothing-asked"),
        ("<dynamics/>", "nothing-asked"),
        ('<dynamics until="0 s" report="t"/>', "out-of-range"),
        ('<dynamics until="1 s" accelerations="1, 2"/>', "not-together"),
        ('<dynamics until="1 s" times="0.5, 2" report="x(hand)"/>', "out-of-range"),
        ('<kinematics place="1, 2"/>', "missing-attribute"),
        ('<kinematics frame="hand" place="1, 2" rates="1, 1"/>', "not-together"),
        ('<kinematics frame="hand" velocity="1, 2"/>', "missing-attribute"),
        ('<statics load="1 kg"/>', "missing-attribute"),
        ('<statics at="hand"/>', "no-load"),
        ('<statics find="capacity"/>', "nothing-asked"),
        ('<statics find="capacity" at="hand" load="1 kg"/>', "useless-attribute"),
        ('<statics report="highest(x(hand))"/>', "no-run"),
        ('<control until="1 s" report="overshoot(angle(forearm), 30 mm)"/>', "wrong-dimension"),
        ('<control until="1 s" report="overshoot(x(hand), 30)"/>', "no-unit"),
        ('<control until="1 s" report="settling(x(hand), 1 m, -2 %)"/>', "out-of-range"),
        ('<control until="1 s" report="2*highest(x(hand))"/>', "only-in-reports"),
        ('<control until="1 s" structure="flight"/>', "unknown-name"),
        ('<identification data="arm.xml" parameters="l9"/>', "unknown-name"),
        ('<vary parameter="l1" from="1" to="2" step="1"/>', "no-unit"),
        ('<vary parameter="l1" from="2 m" to="1 m" step="1 m"/>', "out-of-range"),
        ('<vary parameter="l1" from="1 m" to="2 m" step="1 kg"/>', "wrong-dimension"),
    ],
)
def test_what_cannot_be_is_refused(tmp_path: Path, inside: str, code: str) -> None:
    found = refused(tmp_path, inside)
    assert code in [each[1] for each in found]
    assert all(place for place, _ in found)


def test_files_outside_are_refused(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    (tmp_path / "arm.xml").write_text(ARM, encoding="utf-8")
    path = inner / "task.xml"
    path.write_text('<task model="../arm.xml"><kinematics frame="hand"/></task>', encoding="utf-8")
    with pytest.raises(SistelError) as caught:
        read(path)
    assert caught.value.diagnostics[0].code == "file-outside"
    assert "--allow" in str(caught.value)
    assert read_task(path, sistel.load, allow=[tmp_path]).system.model.name == "two-link arm"
    path.write_text('<task model="nowhere.xml"><kinematics frame="hand"/></task>', encoding="utf-8")
    with pytest.raises(SistelError) as caught:
        read(path)
    assert caught.value.diagnostics[0].span is not None
    for key in ("motion", "scheme"):
        kind = "dynamics" if key == "motion" else 'control until="1 s"'
        found = refused(tmp_path, f'<{kind} {key}="../../etc/passwd"/>')
        assert found[0][0].startswith("2:")


def test_a_model_is_no_task_and_a_task_no_model(tmp_path: Path) -> None:
    path = written(tmp_path, '<kinematics frame="hand"/>')
    with pytest.raises(SistelError, match="sistel solve FILE"):
        sistel.load(path)
    with pytest.raises(SistelError, match="expected: task"):
        read(tmp_path / "arm.xml")


def test_a_scheme_comes_from_another_file(tmp_path: Path) -> None:
    scheme = (TASKS / "pd.xml").read_text(encoding="utf-8")
    inside = '<control scheme="pd.xml" until="0.2 s" report="u1, angle(upper arm)"/>'
    found = solve_task(read(written(tmp_path, inside, pd=scheme)))
    assert [answer.label.en for answer in found.answers] == ["u1", "angle(upper arm)"]
    assert found.good
    # Only schemes and parameters are taken: bodies there are a mistake.
    wrong = scheme.replace("<scheme name", '<body name="stray" joint="revolute" mass="1"/>\n  <scheme name', 1)
    assert "misplaced-element" in [each[1] for each in refused(tmp_path, inside, pd=wrong)]
    # A mistake inside it is told with its own file and place.
    with pytest.raises(SistelError) as caught:
        read(written(tmp_path, inside, pd=scheme.replace("weight 2*", "wieght*").replace("l2/2", "l9/2")))
    assert any(each.span is not None and each.span.source.path.endswith("pd.xml") for each in caught.value.diagnostics)
