"""The page of a sweep: what changed, a chart, a table; as far as it came."""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sistel.errors import Language, Text
from sistel.look import still_page

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sistel.plain import JsonObject

ROWS: Final = 400
"""Of the table that are shown; all are in the file."""
STYLE: Final = """
.sheet{max-width:900px;margin:0 auto;padding:16px}
.sheet figure{margin:12px 0;overflow-x:auto}
.sheet svg{max-width:100%;height:auto}
.sheet .paper{fill:none}
.sheet svg text{fill:var(--dim);font:12px system-ui,sans-serif}
.sheet .grid,.sheet .frame{stroke:var(--line);fill:none}
.sheet .middle{text-anchor:middle}.sheet .end{text-anchor:end}
.sheet .told{stroke:var(--c0);stroke-width:1.8;fill:none}
.sheet .dot{fill:var(--c0)}
.sheet .lost{fill:var(--bad)}
.sheet table{width:100%;border-collapse:collapse;font-size:13px}
.sheet td,.sheet th{padding:3px 8px;border-top:1px solid var(--line);text-align:right;font-variant-numeric:tabular-nums}
.sheet th{text-align:right;color:var(--dim);font-weight:600;border-top:0}
.sheet td.word,.sheet th.word{text-align:left}
"""
OF: Final[Mapping[str, Text]] = {
    "last": Text("at the end", "в конце"),
    "least": Text("least", "наименьшее"),
    "greatest": Text("greatest", "наибольшее"),
}
WIDE, HIGH = 760.0, 340.0


def sweep_page(folder: Path, lang: Language) -> str:
    """The page of a sweep that is kept in a folder."""
    import numpy as np

    entry = json.loads((folder / "entry.json").read_text(encoding="utf-8"))
    name = str(entry["name"])
    inside = [f"<h1>{escape(name)}</h1>", _said(entry, lang)]
    result = folder / "result.npz"
    if result.is_file():
        with np.load(result, allow_pickle=False) as arrays:
            found = {key: arrays[key] for key in arrays.files}
        picture = folder / f"map-{lang}.svg"
        if len(entry["vary"]) == 1:
            inside.append(f"<figure>{_chart(entry, found, lang)}</figure>")
        elif picture.is_file():
            drawn = picture.read_text(encoding="utf-8")
            inside.append(f"<figure>{drawn[drawn.index('<svg') :]}</figure>")
        inside.append(_table(entry, found, lang))
    return still_page(escape(name), STYLE, lang, inside)


def _said(entry: JsonObject, lang: Language) -> str:
    ranges = ", ".join(
        f"{each['name']} {_number(each['begin'])} … {_number(each['end'])} {each['unit']} ({each['count']})"
        for each in entry["vary"]
    )
    lines = [escape(ranges)]
    done = Text(
        f"{entry['done']} of {entry['runs']} runs" + ("" if entry["state"] == "done" else "; not finished"),
        f"расчётов: {entry['done']} из {entry['runs']}" + ("" if entry["state"] == "done" else "; не закончено"),
    )
    lines.append(done.say(lang))
    lines += [f"{escape(each['text'][lang])}: {each['count']}" for each in entry.get("outcomes", [])]
    return "".join(f"<p>{line}</p>" for line in lines)


def _title(entry: JsonObject, lang: Language) -> str:
    """What is told of every run."""
    if entry["quantity"]:
        return f"{entry['quantity']} — {OF[entry['of']].say(lang)}"
    return Text("events", "события").say(lang)


def _chart(entry: JsonObject, found: dict[str, NDArray[np.generic]], lang: Language) -> str:
    """What is told of the runs over the one thing that changes."""
    import numpy as np

    from sistel.views.charts.chart import Frame, axis, curve, sheet, text

    x = found["axis_0"].astype(float)
    y = (found["values"] if "values" in found else found["events"]).astype(float)
    done = found["outcome"] != 0
    known = done & np.isfinite(y)
    title = _title(entry, lang)
    if not known.any():
        return ""
    frame = Frame(
        left=72.0,
        top=28.0,
        width=WIDE - 90.0,
        height=HIGH - 80.0,
        x=axis(float(x.min()), float(x.max()), 8, widen=False),
        y=axis(float(y[known].min()), float(y[known].max()), 6),
    )
    across = np.array([frame.across(value) for value in x])
    level = np.array([frame.level(value) if fine else 0.0 for value, fine in zip(y, known, strict=True)])
    parts = [*frame.grid(), *frame.numbers_beside(11.0), *frame.numbers_below()]
    parts.append(text("label", 8, 16, title))
    parts.append(text("label middle", frame.left + frame.width / 2, HIGH - 10, str(entry["vary"][0]["name"])))
    cuts = np.flatnonzero(np.diff(known.astype(int))) + 1
    parts += [
        f'<path class="told" d="{curve(across[piece], level[piece])}"/>'
        for piece in np.split(np.arange(len(x)), cuts)
        if known[piece[0]] and len(piece) > 1
    ]
    if len(x) <= 200:
        parts += [
            f'<circle class="dot" cx="{a:.1f}" cy="{b:.1f}" r="2.4"/>'
            for a, b, fine in zip(across, level, known, strict=True)
            if fine
        ]
    foot = frame.top + frame.height
    parts += [f'<circle class="lost" cx="{a:.1f}" cy="{foot:.1f}" r="2.4"/>' for a in across[done & ~known]]
    return sheet(parts, kind="sweep", width=WIDE, height=HIGH, name=title, style="", lang=lang)


def _table(entry: JsonObject, found: dict[str, NDArray[np.generic]], lang: Language) -> str:
    from sistel.ensembles import OUTCOMES

    heads = [each["name"] for each in entry["vary"]]
    if "values" in found:
        heads.append(_title(entry, lang))
    words = (
        Text("how it ended|structure|events|end, s", "чем кончилось|структура|события|конец, с").say(lang).split("|")
    )
    structures = [str(each) for each in found["structures"]]
    rows = []
    for i in range(min(ROWS, len(found["outcome"]))):
        if not int(found["outcome"][i]):
            continue
        numbers = [_number(float(found[f"axis_{k}"][i])) for k in range(len(entry["vary"]))]
        if "values" in found:
            numbers.append(_number(float(found["values"][i])))
        place = int(found["structure"][i])
        told = [OUTCOMES[int(found["outcome"][i])].say(lang), structures[place] if place >= 0 else ""]
        rest = [str(int(found["events"][i])), _number(float(found["end"][i]))]
        rows.append(
            "<tr>"
            + "".join(f"<td>{each}</td>" for each in numbers)
            + "".join(f'<td class="word">{escape(each)}</td>' for each in told)
            + "".join(f"<td>{each}</td>" for each in rest)
            + "</tr>"
        )
    head = "".join(f"<th>{escape(str(each))}</th>" for each in heads)
    head += "".join(f'<th class="word">{each}</th>' for each in words[:2]) + "".join(
        f"<th>{each}</th>" for each in words[2:]
    )
    count = len(found["outcome"])
    note = Text(
        f"The first {ROWS} of {count} rows; saved as .csv it has all of them.",
        f"Первые {ROWS} строк из {count}; сохранённый как .csv перебор содержит все.",
    )
    more = f"<p>{note.say(lang)}</p>" if count > ROWS else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>{more}"


def _number(value: float) -> str:
    return "—" if value != value else f"{value:.6g}".replace("-", "\N{MINUS SIGN}")
