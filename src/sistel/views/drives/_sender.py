"""A page that sends a program to drives over a serial line, after clicks; it needs nothing beside it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from sistel.errors import Language, Text, refuse
from sistel.look import both, header
from sistel.views._scripted import scripted_page

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
    heading = Text(f"{name}: a program for drives", f"{name}: программа для приводов")
    stages = [
        f'<button type="button" class="plain" data-stage="{i}" disabled>{both(title)}</button>'
        for i, (title, _) in enumerate(serial.stages)
    ]
    body = [
        header(both(heading), f"{both(program.plan.family.title)}, {serial.baud} {both(Text('baud', 'бод'))}"),
        '<main class="sheet">',
        *(f'<p class="note warn">{both(_capital(warning))}</p>' for warning in program.warnings),
        '<div class="steps">',
        '<button type="button" class="plain strong" data-connect>'
        f"{both(Text('Choose the port', 'Выбрать порт'))}</button>",
        *stages,
        f'<button type="button" class="plain danger" data-stop disabled>{both(Text("Stop", "Стоп"))}</button></div>',
        '<progress max="1" value="0" aria-label="%"></progress>',
        '<p data-status role="status" aria-live="polite"></p>',
        '<ul data-log tabindex="0" aria-label="log"></ul>',
        "</main>",
        f'<script type="application/json" id="data">{told}</script>',
    ]
    return scripted_page(heading, lang, body, script="sender.js", style="drives/sender.css")


def _item(item: Item) -> SentItem:
    return {
        "data": item.data.hex(),
        "answer": item.answer,
        "patience": item.patience,
        "until": item.until,
        "time": item.time,
        "shown": item.shown,
    }


def _capital(text: Text) -> Text:
    return Text(text.en[:1].upper() + text.en[1:] + ".", text.ru[:1].upper() + text.ru[1:] + ".")
