"""The index of a site: one page with a card for every system; it works without scripts, and searches with them."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from urllib.parse import quote

from sistel._version import __version__
from sistel.errors import Language, Text, user_language
from sistel.look import both, header
from sistel.views._scripted import scripted_page
from sistel.views.gallery._card import Card

TITLE = Text("Gallery of systems of bodies", "Галерея систем тел")
FOUND = Text("found", "найдено")


def draw_index(cards: Sequence[Card], lang: Language | None = None, *, title: Text | None = None) -> str:
    """The page `index.html` of a site.

    Args:
        cards: The systems, in the order in which they stand.
        lang: Language in which the page opens; the user's unless told otherwise. The page has both.
        title: What stands above all; the gallery's unless told otherwise.
    """
    language = lang or user_language()
    heading = title or TITLE
    body = [
        *_header(heading, len(cards)),
        *_filters(cards),
        "<main>",
        '<ul class="cards">',
        *(_card(card) for card in cards),
        "</ul>",
        f'<p class="nothing" hidden>{both(Text("Nothing is called like this.", "Ничего похожего нет."))}</p>',
        "</main>",
        f"<footer>{both(Text('made by', 'сделано программой'))} sistel {__version__}</footer>",
    ]
    return scripted_page(
        heading,
        language,
        body,
        script="gallery.js",
        style="gallery/gallery.css",
        images="'self' data:",
        fit=", viewport-fit=cover",
    )


def _said(name: str, text: Text) -> str:
    """An attribute in both languages; the script chooses, without it the English one stands."""
    return f'{name}="{escape(text.en)}" data-{name}-en="{escape(text.en)}" data-{name}-ru="{escape(text.ru)}"'


def _header(heading: Text, count: int) -> list[str]:
    search = Text("Search: name, class, word", "Поиск: имя, класс, слово")
    facts = (
        f'<span class="count" aria-live="polite"><span data-count>{count}</span>'
        f'<span class="of" hidden> {both(Text("of", "из"))} {count}</span></span>'
    )
    field = (
        f'<input type="search" data-search autocomplete="off" spellcheck="false" hidden '
        f"{_said('placeholder', search)} {_said('aria-label', search)}>"
    )
    return [header(both(heading), facts, field)]


def _filters(cards: Sequence[Card]) -> list[str]:
    """Buttons for the kinds that are there, and a list of the classes."""
    kinds = (
        ("planar", Text("planar", "плоские"), sum(card.planar for card in cards)),
        ("spatial", Text("spatial", "пространственные"), sum(not card.planar for card in cards)),
        ("structures", Text("changing structure", "меняется структура"), sum(card.changes for card in cards)),
        ("contacts", Text("contacts", "контакты"), sum(card.contacts for card in cards)),
        ("control", Text("control", "управление"), sum(card.control for card in cards)),
        ("run", Text("with a motion", "с движением"), sum(card.run for card in cards)),
    )
    buttons = [
        f'<button type="button" class="chip" data-kind="{key}" aria-pressed="false">{both(word)} '
        f'<span class="number">{count}</span></button>'
        for key, word, count in kinds
        if 0 < count < len(cards)
    ]
    counts: dict[str, int] = {}
    words: dict[str, Text] = {}
    for card in cards:
        counts[card.structure_class] = counts.get(card.structure_class, 0) + 1
        words[card.structure_class] = card.class_words
    label = Text("Class", "Класс")
    options = [
        f'<option value="{escape(name)}" data-en="{escape(f"{name} — {words[name].en}")}" '
        f'data-ru="{escape(f"{name} — {words[name].ru}")}">{escape(f"{name} — {words[name].en}")} ({count})</option>'
        for name, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    ]
    everything = Text("all classes", "все классы")
    select = [
        f'<select data-class {_said("aria-label", label)}><option value="" data-en="{everything.en}" '
        f'data-ru="{everything.ru}">{everything.en}</option>',
        *options,
        "</select>",
    ]
    return ['<nav class="filters" hidden>', *buttons, *(select if len(counts) > 1 else []), "</nav>"]


def _card(card: Card) -> str:
    file = quote(card.slug)
    dof = str(card.dof[0]) if len(card.dof) == 1 else f"{card.dof[0]}…{card.dof[-1]}" if card.dof else "0"
    facts = [
        # The name of a planar class says so itself.
        *([] if card.planar else [both(Text("spatial", "пространственная"))]),
        f"{dof} {both(Text('DoF', 'СС'))}",
        f"{card.bodies} {both(Text('body' if card.bodies == 1 else 'bodies', _bodies(card.bodies)))}",
    ]
    if card.structures > 1:
        facts.append(f"{card.structures} {both(Text('structures', _structures(card.structures)))}")
    moving = f' data-moving="thumbs/{file}.moving.svg"' if card.moving else ""
    inner = (
        f'<span class="thumb"><img src="thumbs/{file}.svg"{moving} alt="" loading="lazy" width="320" height="220">'
        "</span>"
        f'<span class="text"><strong dir="auto">{both(card.names)}</strong>'
        f'<span class="class"><b>{escape(card.structure_class)}</b> {both(card.class_words)}</span>'
        f'<span class="known">{"".join(f"<span>{fact}</span>" for fact in facts)}</span>'
        f'<span class="about" dir="auto">{escape(card.about)}</span></span>'
    )
    tags = " ".join(
        word
        for word, holds in (
            ("planar", card.planar),
            ("spatial", not card.planar),
            ("structures", card.changes),
            ("contacts", card.contacts),
            ("control", card.control),
            ("run", card.run),
        )
        if holds
    )
    head = (
        f'<li class="card" data-kinds="{tags}" data-of="{escape(card.structure_class)}" '
        f'data-words="{escape(card.words)}" title="{escape(card.source)}">'
    )
    link = f'<a href="models/{file}.html">{inner}</a>' if card.page else f'<div class="dead">{inner}</div>'
    return head + link + "</li>"


def _bodies(count: int) -> str:
    return _russian(count, "тело", "тела", "тел")


def _structures(count: int) -> str:
    return _russian(count, "структура", "структуры", "структур")


def _russian(count: int, one: str, few: str, many: str) -> str:
    """The form of a word after a number."""
    if count % 100 in (11, 12, 13, 14):
        return many
    return one if count % 10 == 1 else few if count % 10 in (2, 3, 4) else many
