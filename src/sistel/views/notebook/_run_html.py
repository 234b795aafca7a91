"""A run as notebooks show it: its motion and its tables, without scripts."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from sistel.errors import Language, user_language
from sistel.views.notebook._moving import run_image
from sistel.views.notebook._summary_html import STYLE
from sistel.views.text._numbers import clean
from sistel.views.text._runs import run_heading, run_tables, warning_table

if TYPE_CHECKING:
    from sistel.simulation import Run


def run_html(run: Run, lang: Language | None = None) -> str:
    """A run for a notebook: a fragment without scripts."""
    lang = lang or user_language()
    parts = [f"<h3>{escape(clean(run.model.name))}</h3>", f"<p>{escape(run_heading(run, lang))}</p>"]
    parts.append(run_image(run, lang))
    if run.stopped is not None:
        parts.append(f'<p class="why">{escape(run.stopped.say(lang))}</p>')
    warned = warning_table(run, lang)
    for table in [*([warned] if warned.rows else []), *run_tables(run, lang)]:
        head = "".join(f'<th class="{column.align}">{escape(column.title)}</th>' for column in table.columns)
        rows = "".join(
            "<tr>"
            + "".join(
                f'<td class="{column.align}">{escape(cell)}</td>'
                for column, cell in zip(table.columns, row, strict=True)
            )
            + "</tr>"
            for row in table.rows
        )
        more = f'<p class="dim">… {table.hidden}</p>' if table.hidden else ""
        parts.append(
            f"<details open><summary>{escape(table.title)}</summary><table><thead><tr>{head}</tr></thead>"
            f"<tbody>{rows}</tbody></table>{more}</details>"
        )
    return f'<div class="sistel" lang="{lang}"><style>{STYLE}</style>{"".join(parts)}</div>'
