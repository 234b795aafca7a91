"""Proof sheet → a page for a terminal, a page of its own in HTML."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING, Literal

from sistel.errors import Diagnostic, Language, Text
from sistel.look import switched_page
from sistel.records import record
from sistel.views._switched import LANGUAGES, both
from sistel.views.text._numbers import clean
from sistel.views.text._paper import NARROWEST, cut, width_of, wrap

if TYPE_CHECKING:
    from sistel.proofs import Proof, ProofSheet, Section

State = Literal["holds", "warned", "fails", "skipped"]

MARKS: dict[State, str] = {"holds": "✓", "warned": "!", "fails": "✗", "skipped": "·"}
_COLOURS: dict[State, str] = {"holds": "32", "warned": "33", "fails": "31", "skipped": "2"}
NUMBERS = 25
"""Columns that the numbers of a line take."""
WIDE = 88
"""Columns from which the two ways stand beside what they prove; below, under it."""


@record
class ReadingRow:
    """What came of one step of reading the file."""

    state: State
    name: Text
    what: Text


def draw_proofs(sheet: ProofSheet, form: Literal["text", "html"], lang: Language) -> str:
    """A sheet by itself, as `sheet.save` and notebooks show it."""
    return proofs_html(sheet, lang) if form == "html" else proofs_text(sheet, lang, width=100)


def number(value: float) -> str:
    """A small number: two digits and a power of ten."""
    if not math.isfinite(value):
        return "—"
    if value == 0 or (value >= 0.01 and value < 100):
        return f"{value:.2g}"
    return f"{value:.1e}".replace("e-0", "e-").replace("e+0", "e+")


def verdict(sheet: ProofSheet) -> Text:
    """The whole sheet in one sentence."""
    good, bad, skipped = (sheet.count(state) for state in ("holds", "fails", "skipped"))
    rest = Text(f", {skipped} skipped", f", пропущено {skipped}") if skipped else Text("", "")
    if bad:
        return Text(f"{bad} of {good + bad} proofs fail{rest.en}", f"не сошлось {bad} из {good + bad}{rest.ru}")
    return Text(f"all {good} proofs hold{rest.en}", f"все проверки сошлись: {good}{rest.ru}")


def failures(sheet: ProofSheet) -> list[Text]:
    """Where the sheet fails: the section, the quantity and the numbers."""
    made = []
    for section in sheet.sections:
        for proof in section.proofs:
            if proof.state == "fails":
                sign = "≤" if proof.least else ">"
                end = f"{number(proof.error)} {sign} {number(proof.tolerance)}"
                made.append(
                    Text(
                        f"{section.title.en}: {proof.what.en}, {proof.ways[0].en} ↔ {proof.ways[1].en}: {end}",
                        f"{section.title.ru}: {proof.what.ru}, {proof.ways[0].ru} ↔ {proof.ways[1].ru}: {end}",
                    )
                )
    return made


def legend(sheet: ProofSheet) -> list[tuple[str, Text]]:
    """The rules of tolerance that the sheet uses."""
    from sistel.proofs import RULES

    used = {proof.rule for proof in sheet.proofs}
    return [(rule, text) for rule, text in RULES.items() if rule in used]


UNITS = Text(
    "ε = 2⁻⁵², n = 32 + 4 × (bodies + velocities), h = 1/64 of a radian or of the size of the system, κ is a condition "
    "number; errors are relative to the largest number compared, in units of the system's own length, mass and rate",
    "ε = 2⁻⁵², n = 32 + 4 × (тела + скорости), h = 1/64 радиана или размера системы, κ — число обусловленности; ошибки "
    "отнесены к наибольшему из сравниваемых чисел, в единицах длины, массы и частоты самой системы",
)


# --- the terminal -----------------------------------------------------------------------------------------------------


def proofs_text(sheet: ProofSheet, lang: Language, *, width: int, colour: bool = False) -> str:
    """The page of a sheet.

    Args:
        sheet: What to show.
        lang: Its language.
        width: Columns of the terminal.
        colour: Whether the terminal understands ANSI codes.
    """
    page = _Page(lang, max(width, NARROWEST), colour)
    page.sheet(sheet)
    return "".join(f"{line.rstrip()}\n" for line in page.lines)


def reading_text(rows: Sequence[ReadingRow], lang: Language, *, colour: bool = False) -> str:
    """The steps of reading, one a line."""
    page = _Page(lang, 1000, colour)
    widest = max((len(row.name.say(lang)) for row in rows), default=0)
    for row in rows:
        mark = page.paint(MARKS[row.state], _COLOURS[row.state])
        page.lines.append(f"{mark} {row.name.say(lang):{widest}}  {row.what.say(lang)}")
    return "".join(f"{line.rstrip()}\n" for line in page.lines)


class _Page:
    def __init__(self, lang: Language, width: int, colour: bool) -> None:
        self.lang, self.width, self.colour = lang, width, colour
        self.lines: list[str] = []

    def say(self, en: str, ru: str) -> str:
        return ru if self.lang == "ru" else en

    def paint(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour and code and text.strip() else text

    def sheet(self, sheet: ProofSheet) -> None:
        self.what = max((width_of(proof.what.say(self.lang)) for proof in sheet.proofs), default=8)
        self.what = min(self.what, 34)
        for section in sheet.sections:
            self.section(section)
        self.lines.append("")
        state: State = "holds" if sheet.holds else "fails"
        colour = _COLOURS[state]
        self.told(f"{MARKS[state]} {verdict(sheet).say(self.lang)}", f"1;{colour}", 0)
        for line in failures(sheet):
            self.told(clean(line.say(self.lang)), "31")
        told = self.say(
            f"model {sheet.fingerprint[:16]} · random states of seed {sheet.seed}",
            f"модель {sheet.fingerprint[:16]} · случайные состояния, зерно {sheet.seed}",
        )
        self.told(told, "2", 0)

    def section(self, section: Section) -> None:
        self.lines += ["", self.paint(cut(clean(section.title.say(self.lang)), self.width), "1;36")]
        if section.proofs:
            self.head()
        for proof in section.proofs:
            self.proof(proof)
        for remark in section.remarks:
            self.told(clean(remark.say(self.lang)), "33")

    def head(self) -> None:
        titles = (self.say("error", "ошибка"), self.say("limit", "предел"), self.say("states", "сост."))
        numbers = "{:>7}   {:>7}  {:>6}".format(*titles)
        what = self.say("What", "Что")
        ways = self.say("In which two ways", "Какими двумя способами")
        room = self.width - self.what - 6 - NUMBERS
        left = (
            f"  {what:{self.what}}  {ways:{max(room, 0)}}"
            if self.width >= WIDE
            else f"  {what:{self.width - 4 - NUMBERS}}"
        )
        self.lines.append(self.paint(f"{left}  {numbers}", "2"))
        self.lines.append(self.paint("─" * self.width, "2"))

    def proof(self, proof: Proof) -> None:
        state = proof.state
        mark = self.paint(MARKS[state], _COLOURS[state])
        ways = f"{proof.ways[0].say(self.lang)} ↔ {proof.ways[1].say(self.lang)}"
        extra = proof.skipped or proof.note
        if extra is not None:
            ways += f" · {clean(extra.say(self.lang))}"
        numbers = " " * NUMBERS
        if state != "skipped":
            sign = ">" if proof.least else "≤"
            if state == "fails":
                sign = "≤" if proof.least else ">"
            numbers = f"{number(proof.error):>7} {sign} {number(proof.tolerance):>7}  {proof.states:>6}"
        if state == "fails":
            numbers = self.paint(numbers, "31")
        name = cut(proof.what.say(self.lang), min(self.what, self.width - 4 - NUMBERS))
        room = self.width - self.what - 6 - NUMBERS
        if self.width < WIDE:
            left = name + " " * (self.width - 4 - NUMBERS - width_of(name))
            self.lines.append(f"{mark} {left}  {numbers}")
            self.told(ways, "2", 4)
            return
        first, *rest = wrap(ways, room)
        name += " " * (self.what - width_of(name))
        shown = self.paint(name, "1" if state != "skipped" else "2")
        blanks = " " * (room - width_of(first))
        self.lines.append(f"{mark} {shown}  {self.paint(first, '2' if state == 'skipped' else '')}{blanks}  {numbers}")
        self.lines += [" " * (self.what + 4) + self.paint(line, "2") for line in rest]

    def told(self, text: str, code: str, indent: int = 2) -> None:
        for line in wrap(text, self.width - indent):
            self.lines.append(" " * indent + self.paint(line, code))


# --- a page of its own ------------------------------------------------------------------------------------------------

_STYLE = """
.verdict{display:flex;gap:1rem;align-items:center;margin:1.3rem 0 .6rem;padding:.9rem 1.2rem;border-radius:var(--r2);
font-size:var(--t4);font-weight:600;background:var(--good-bg);color:var(--good)}
.verdict.fails{background:var(--bad-bg);color:var(--bad)}
.verdict .big{font-size:1.9rem;line-height:1}
.known{display:flex;flex-wrap:wrap;gap:4px 24px;color:var(--dim);font-size:var(--t2);margin:8px 0}
.known b{color:var(--ink);font-weight:500}
td.mark{width:1.6rem;padding-right:0;font-weight:700}
.holds td.mark{color:var(--good)}.fails td.mark{color:var(--bad)}.warned td.mark{color:var(--warn)}
.skipped td{color:var(--dim)}.fails td{background:var(--bad-bg)}
td.what{font-weight:550}
td.ways span.versus{color:var(--dim)}
td.ways small{display:block;color:var(--dim);font-size:var(--t1)}
td.number,th.number{text-align:right;white-space:nowrap}
.fails td.number{color:var(--bad);font-weight:600}
td.scale{width:10rem;min-width:6rem;vertical-align:middle}
.bar{position:relative;height:.5rem;border-radius:.25rem;background:var(--sunk)}
.bar i{position:absolute;left:0;top:0;bottom:0;border-radius:.25rem;background:var(--good);opacity:.75}
.bar.least i{background:var(--accent);opacity:.45}
.fails .bar i{background:var(--bad)}
.bar u{position:absolute;top:-.2rem;bottom:-.2rem;width:2px;background:var(--ink);opacity:.55}
.remark{margin:8px 0;padding:2px 14px;border-left:3px solid var(--warn);color:var(--dim)}
.remark.failed{border-color:var(--bad);color:var(--bad)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:3px 20px;color:var(--dim);font-size:var(--t2);margin:8px 0}
dt{color:var(--ink)}dd{margin:0}
pre{margin:8px 0;padding:12px 14px;overflow-x:auto;border-radius:var(--r2);background:var(--plate);font-size:var(--t2)}
@media print{.scroll{overflow:visible;break-inside:auto}}
"""


def proofs_html(
    sheet: ProofSheet | None,
    lang: Language,
    *,
    name: str = "",
    reading: Sequence[ReadingRow] = (),
    diagnostics: Sequence[Diagnostic] = (),
) -> str:
    """A page of its own: no scripts, nothing from elsewhere, both languages, light and dark.

    Args:
        sheet: The proofs; none where the file could not be read.
        lang: The language that is shown first.
        name: What the system is called where there is no sheet.
        reading: The steps of reading the file.
        diagnostics: What was found wrong with it.
    """
    title = Text("Proof sheet", "Протокол проверки")
    shown = escape(clean(cut(sheet.name if sheet is not None else name, 200)))
    inside = _inside(sheet, lang, reading, diagnostics)
    return switched_page(f"{shown} — {title.say(lang)}", _STYLE, lang, inside, heading=shown, facts=both(title))


def _inside(
    sheet: ProofSheet | None, lang: Language, reading: Sequence[ReadingRow], diagnostics: Sequence[Diagnostic]
) -> Iterator[str]:
    errors = sum(item.severity == "error" for item in diagnostics)
    if errors:
        yield _verdict("fails", Text(f"errors in the file: {errors}", f"ошибок в файле: {errors}"))
    elif sheet is not None:
        yield _verdict("holds" if sheet.holds else "fails", verdict(sheet))
        for line in failures(sheet):
            yield f'<p class="remark failed">{both(line)}</p>\n'
    if sheet is not None:
        yield _facts(sheet)
    if reading:
        yield from _reading(reading, diagnostics, lang)
    if sheet is not None:
        for section in sheet.sections:
            yield from _section(section)
        yield f"<h2>{both(Text('Tolerances', 'Пределы'))}</h2>\n<dl>"
        for rule, text in legend(sheet):
            yield f"<dt>{escape(rule)}</dt><dd>{both(text)}</dd>"
        yield f'</dl><p class="note">{both(UNITS)}</p>'


def _verdict(state: State, text: Text) -> str:
    return f'<div class="verdict {state}"><span class="big">{MARKS[state]}</span><span>{both(text)}</span></div>\n'


def _facts(sheet: ProofSheet) -> str:
    facts = (
        (Text("model", "модель"), f"<code>{escape(sheet.fingerprint[:32])}</code>"),
        (Text("seed of the random states", "зерно случайных состояний"), f"<b>{sheet.seed}</b>"),
        (Text("structures", "структур"), f"<b>{sum(section.key == 'structure' for section in sheet.sections)}</b>"),
    )
    return '<div class="known">' + "".join(f"<span>{both(word)} {value}</span>" for word, value in facts) + "</div>\n"


def _reading(rows: Sequence[ReadingRow], diagnostics: Sequence[Diagnostic], lang: Language) -> Iterator[str]:
    yield f'<h2>{both(Text("Reading", "Чтение"))}</h2>\n<div class="scroll"><table class="rows">'
    for row in rows:
        yield f'<tr class="{row.state}"><td class="mark">{MARKS[row.state]}</td>'
        yield f'<td class="what">{both(row.name)}</td><td>{both(row.what)}</td></tr>'
    yield "</table></div>\n"
    for item in diagnostics:
        for code in LANGUAGES:
            yield f'<pre data-in="{code}" lang="{code}">{escape(_lines(item.render(code)))}</pre>'


def _lines(text: str) -> str:
    return "\n".join(map(clean, text.split("\n")))


def _section(section: Section) -> Iterator[str]:
    yield f"<h2>{both(section.title)}</h2>\n"
    if section.proofs:
        heads = (
            ("", ""),
            ("", both(Text("What", "Что"))),
            ("", both(Text("In which two ways", "Какими двумя способами"))),
            ("", both(Text("1e-17 … 1", "1e-17 … 1"))),
            ("number", both(Text("Error", "Ошибка"))),
            ("number", both(Text("Tolerance", "Предел"))),
            ("number", both(Text("States", "Состояний"))),
        )
        cells = "".join(f'<th class="{style}">{text}</th>' if style else f"<th>{text}</th>" for style, text in heads)
        yield f'<div class="scroll"><table class="rows"><tr>{cells}</tr>\n'
        for proof in section.proofs:
            yield _row(proof)
        yield "</table></div>\n"
    for remark in section.remarks:
        yield f'<p class="remark">{both(remark)}</p>\n'


def _row(proof: Proof) -> str:
    state = proof.state
    extra = proof.skipped or proof.note
    small = "" if extra is None else f"<small>{both(extra)}</small>"
    ways = f'{both(proof.ways[0])} <span class="versus">↔</span> {both(proof.ways[1])}{small}'
    numbers = ("", "", "")
    bar = ""
    if state != "skipped":
        limit = f'<span title="{escape(proof.rule)}">{"> " if proof.least else ""}{number(proof.tolerance)}</span>'
        numbers = (number(proof.error), limit, str(proof.states))
        bar = _bar(proof)
    cells = "".join(f'<td class="number">{text}</td>' for text in numbers)
    return (
        f'<tr class="{state}"><td class="mark">{MARKS[state]}</td><td class="what">{both(proof.what)}</td>'
        f'<td class="ways">{ways}</td><td class="scale">{bar}</td>{cells}</tr>\n'
    )


def _bar(proof: Proof) -> str:
    """The error on a scale of powers of ten, and a mark at the tolerance."""
    if proof.rule == "=":
        return ""
    found, limit = (f"{_place(value):.0f}%" for value in (proof.error, proof.tolerance))
    style = "bar least" if proof.least else "bar"
    return f'<div class="{style}"><i style="width:{found}"></i><u style="left:{limit}"></u></div>'


def _place(value: float) -> float:
    """Where a number stands between 1e-17 and 1 [%]."""
    if not math.isfinite(value):
        return 100.0
    return min(max((math.log10(max(value, 1e-17)) + 17) / 17, 0.0), 1.0) * 100
