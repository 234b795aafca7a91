"""A page that sends a program to drives over a serial line, after clicks; it needs nothing beside it."""

from __future__ import annotations

import base64
import hashlib
import json
from html import escape
from typing import TYPE_CHECKING

from sistel._version import __version__
from sistel.errors import Language, Text, refuse
from sistel.views._theme import COLOURS, theme
from sistel.views.assets import asset_text
from sistel.views.page._files import view_text

if TYPE_CHECKING:
    from sistel.drives import Item, Program
    from sistel.views._payloads import SenderData, SentItem


def draw_sender(program: Program, name: str, lang: Language) -> str:
    """The page.

    Args:
        program: What is sent.
        name: Of the system.
        lang: Language in which the page opens; it has both.

    Raises:
        SistelError: A page cannot reach such drives, or the scripts of pages are not installed.
    """
    serial = program.serial
    if serial is None:
        title = program.plan.family.title
        refuse(
            "no-serial",
            Text(f"{title.en} is not reached over a serial port", f"{title.ru}: последовательного порта нет"),
            hint=Text("write the program as .json or .csv", "запишите программу в .json или .csv"),
        )
    data: SenderData = {
        "lang": lang,
        "baud": serial.baud,
        "frame": serial.frame,
        "good": serial.good,
        "stages": [
            {"title": {"en": title.en, "ru": title.ru}, "items": [_item(item) for item in items]}
            for title, items in serial.stages
        ],
        "stop": [_item(item) for item in serial.stop],
    }
    # Nothing in a JSON text may end the element that holds it.
    told = json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
    script, style = asset_text("sender.js"), theme(COLOURS) + view_text("drives/sender.css")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; "
        "base-uri 'none'; form-action 'none'"
    )
    heading = Text(f"{name}: a program for drives", f"{name}: программа для приводов")
    stages = [
        f'<button type="button" data-stage="{i}" disabled>{_both(title)}</button>'
        for i, (title, _) in enumerate(serial.stages)
    ]
    lines = [
        "<!doctype html>",
        f'<html lang="{lang}" data-lang="{lang}">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        f'<meta name="generator" content="sistel {__version__}">',
        '<link rel="icon" href="data:,">',
        f"<title>{escape(heading.say(lang))}</title>",
        f"<style>{style}</style>",
        "</head>",
        "<body>",
        f"<header><h1>{_both(heading)}</h1><p>{_both(program.plan.family.title)}, {serial.baud} "
        f"{_both(Text('baud', 'бод'))}</p>"
        f'<button type="button" data-language>{_both(Text("RU", "EN"))}</button></header>',
        *(f'<p class="warning">{_both(_capital(warning))}</p>' for warning in program.warnings),
        "<main>",
        '<div class="steps">',
        f'<button type="button" data-connect>{_both(Text("Choose the port", "Выбрать порт"))}</button>',
        *stages,
        f'<button type="button" data-stop disabled>{_both(Text("Stop", "Стоп"))}</button></div>',
        '<progress max="1" value="0" aria-label="%"></progress>',
        '<p data-status role="status" aria-live="polite"></p>',
        '<ul data-log tabindex="0" aria-label="log"></ul>',
        "</main>",
        f'<script type="application/json" id="data">{told}</script>',
        f"<script>{script}</script>",
        "</body>",
        "</html>",
        "",
    ]
    return "\n".join(lines)


def _item(item: Item) -> SentItem:
    return {"data": item.data.hex(), "answer": item.answer, "time": item.time, "shown": item.shown}


def _both(text: Text) -> str:
    """A text in both languages, of which the page shows one."""
    if text.en == text.ru:
        return escape(text.en)
    return f'<span lang="en" data-in="en">{escape(text.en)}</span><span lang="ru" data-in="ru">{escape(text.ru)}</span>'


def _capital(text: Text) -> Text:
    return Text(text.en[:1].upper() + text.en[1:] + ".", text.ru[:1].upper() + text.ru[1:] + ".")
