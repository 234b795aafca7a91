"""Summary → a fragment of HTML for a notebook: self-contained, without scripts, readable on light and on dark pages."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import islice

from sistel.errors import Language, user_language
from sistel.model import Model
from sistel.views.notebook._moving import scheme_image
from sistel.views.text import _tables
from sistel.views.text._rows import Summary, TransitionRow
from sistel.views.text._summary import summarize
from sistel.views.text._tables import LIMIT, Table
from sistel.views.text._tree import tree_lines

# Only the colours of the page itself, thinned: they fit any theme.
STYLE = """
.sistel{font:13px/1.45 system-ui,sans-serif;color:inherit;max-width:72em;overflow-x:auto}
.sistel h3{font-size:1.25em;margin:.2em 0 0}
.sistel p{margin:.15em 0}
.sistel .dim{opacity:.62}
.sistel .class{font-weight:600}
.sistel .why{font-weight:600}
.sistel details{margin:.45em 0}
.sistel summary{cursor:pointer;font-weight:600}
.sistel pre{margin:.3em 0;padding:0;background:none;border:0;color:inherit;
 font:12.5px/1.35 ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace;white-space:pre;overflow-x:auto}
.sistel table{border-collapse:collapse;margin:.3em 0;width:auto;color:inherit;font:inherit;
 font-variant-numeric:tabular-nums}
.sistel th,.sistel td{padding:.15em .8em .15em 0;text-align:left;vertical-align:top;background:none;border:0;
 white-space:nowrap;color:inherit;font-size:inherit;line-height:inherit}
.sistel td.wrap{white-space:normal;min-width:11em;max-width:34em}
.sistel th{font-weight:500;opacity:.62;border-bottom:1px solid color-mix(in srgb,currentColor 45%,transparent)}
.sistel tbody tr+tr td{border-top:1px solid color-mix(in srgb,currentColor 18%,transparent)}
.sistel tbody tr,.sistel tbody tr:nth-child(n){background:none}
.sistel .right{text-align:right}
.sistel h2{font-size:1.2em;margin:1em 0 .2em}
.sistel section h3{font-size:1em;margin:.8em 0 .2em}
.sistel math{font-family:"STIX Two Math","Latin Modern Math","Cambria Math","Libertinus Math",
 "DejaVu Math TeX Gyre",math}
.sistel math[display=block]{font-size:1.2em;text-align:left;margin:.75em 0;padding:.2em 0;
 width:max-content;max-width:none}
.sistel math[display=block] mtd{padding-top:.35em;padding-bottom:.35em}
.sistel ul{list-style:none;margin:.3em 0;padding:0}
.sistel li{margin:.25em 0}
.sistel li div{margin-left:1.4em}
"""


def show_html(model: Model, lang: Language | None = None) -> str:
    """The page of a system for a notebook, in the user's language unless told otherwise."""
    lang = lang or user_language()
    page = _Page(model, summarize(model, lang), lang)
    return f'<div class="sistel" lang="{lang}"><style>{STYLE}</style>{"".join(page.parts())}</div>'


class _Page:
    def __init__(self, model: Model, summary: Summary, lang: Language) -> None:
        self.model = model
        self.summary = summary
        self.lang = lang

    def say(self, en: str, ru: str) -> str:
        return ru if self.lang == "ru" else en

    def parts(self) -> Iterator[str]:
        summary, lang = self.summary, self.lang
        initial = self.say("◂ the initial structure", "◂ начальная структура")
        yield from self.heading()
        yield scheme_image(self.model, lang)
        yield self.fold(self.say("Tree of bodies", "Дерево тел"), self.tree(), opened=True)
        whole, _, _ = _tables.body_tables(summary, lang)
        yield self.table(whole, opened=len(summary.bodies) <= 20)
        if summary.links:
            yield self.table(_tables.link_table(summary, summary.links, lang), opened=True)
        if summary.declared:
            table = _tables.structure_table(summary.structures, lang)
            yield self.table(table, opened=True, note=initial if len(summary.structures) > 1 else "")
        if summary.transitions:
            yield self.fold(self.say("Transitions", "Переходы"), self.transitions(), opened=True)
        if summary.motors:
            yield self.table(_tables.motor_table(summary.motors, lang))
        for table in _tables.scheme_tables(summary.schemes, lang):
            yield self.table(table)
        if summary.parameters:
            yield self.table(_tables.parameter_table(summary.parameters, lang))
        if summary.start:
            yield self.table(_tables.start_table(summary, lang))
        if summary.counts:
            yield f'<p class="dim">{escape(_tables.others(summary, lang))}</p>'

    def heading(self) -> Iterator[str]:
        summary = self.summary
        yield f"<h3>{escape(summary.name)}</h3>"
        if summary.about:
            yield f"<p><i>{escape(summary.about)}</i></p>"
        yield f'<p><span class="class">{summary.structure_class}</span> — {escape(summary.class_words)}</p>'
        facts = (
            f'<span class="dim">{escape(word)}</span> {escape(value)}'
            for word, value in _tables.facts(summary, self.lang)
        )
        yield f"<p>{' · '.join(facts)}</p>"
        if not summary.declared:
            for reason in summary.structures[0].why_not:
                words = self.say("cannot be simulated:", "не моделируется:")
                yield f'<p><span class="why">{words}</span> {escape(reason)}</p>'

    def tree(self) -> str:
        summary, lang = self.summary, self.lang
        lines = [f'<span class="dim">0</span> {_tables.ground(lang)}']
        for line in islice(tree_lines(summary), LIMIT):
            body = line.body
            joint = _tables.joint_words(body.joint, body.axis, lang)
            if body.joint_name != body.name:
                joint = f"{joint} {body.joint_name}"
            base = f" ← {body.base}" if line.far else ""
            lines.append(
                f'<span class="dim">{line.prefix}{body.number}</span> <b>{escape(body.name)}</b>'
                f'<span class="dim"> · {escape(joint)}{base}</span>'
            )
        if len(summary.bodies) > LIMIT:
            lines.append(_tables.more(len(summary.bodies) - LIMIT, lang, ""))
        name = self.say("base list (СНБТ)", "СНБТ")
        bases = f'<p><span class="dim">{name}</span> {_tables.base_list(summary)}</p>'
        newline = "\n"
        return f"<pre>{newline.join(lines)}</pre>{bases}"

    def transitions(self) -> str:
        rows = self.summary.transitions
        items = [self.transition(row) for row in rows[:LIMIT]]
        if len(rows) > LIMIT:
            items.append(f"<li>{_tables.more(len(rows) - LIMIT, self.lang, '')}</li>")
        return f"<ul>{''.join(items)}</ul>"

    def transition(self, row: TransitionRow) -> str:
        sources = ", ".join(row.sources) or self.say("any", "любая")
        lines = [(self.say("when", "когда"), row.condition)]
        if row.impact != "none":
            lines.append((self.say("impact", "удар"), _tables.impact_words(row.impact, row.restitution, self.lang)))
        if row.resets:
            lines.append((self.say("sets", "задаёт"), "; ".join(row.resets)))
        told = "".join(f'<div><span class="dim">{word}</span> {escape(text)}</div>' for word, text in lines)
        return f"<li><b>{escape(sources)}</b> → <b>{escape(row.target)}</b>{told}</li>"

    def table(self, table: Table, *, opened: bool = False, note: str = "") -> str:
        heads = "".join(f"<th{_right(column)}>{escape(column.title)}</th>" for column in table.columns)
        rows = "".join(
            "<tr>"
            + "".join(
                f"<td{_right(column)}>{escape(cell)}</td>" for column, cell in zip(table.columns, row, strict=True)
            )
            + "</tr>"
            for row in table.rows
        )
        rest = f'<p class="dim">{_tables.more(table.hidden, self.lang, "")}</p>' if table.hidden else ""
        rest += f'<p class="dim">{note}</p>' if note else ""
        body = f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>{rest}"
        return self.fold(f"{table.title} ({table.total})", body, opened=opened)

    def fold(self, title: str, body: str, *, opened: bool = False) -> str:
        return f"<details{' open' if opened else ''}><summary>{escape(title)}</summary>{body}</details>"


def _right(column: _tables.Column) -> str:
    if column.align == "right":
        return ' class="right"'
    return "" if column.keep else ' class="wrap"'
