"""The pages of the server itself: the one that the application mounts into, and the one that says why not."""

from __future__ import annotations

import secrets
from html import escape

from sistel.errors import Language, Text
from sistel.look import still_page
from sistel.studio._index import mount_page

NEEDS = Text("The studio needs JavaScript.", "Студии нужен JavaScript.")


def index_page(title: str, lang: Language) -> tuple[str, str]:
    """The page of the application, and the policy that it is sent with."""
    nonce = secrets.token_urlsafe(16)
    # Styles: editors and drawings bring their own, as elements and attributes, and have no nonce to give them.
    policy = (
        f"default-src 'none'; script-src 'self' 'nonce-{nonce}' blob: 'wasm-unsafe-eval'; "
        "style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self' data: blob:; "
        "worker-src 'self' blob:; frame-src 'self' blob:; media-src 'self' data: blob:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
    )
    page = mount_page(title, NEEDS, lang=lang, data=f' data-nonce="{nonce}"', nonce=nonce)
    return page, policy


def going_on(address: str) -> str:
    """A page that leads on to another one of the same server, at once."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="refresh" content="0;url={escape(address)}">'
        f'<title>sistel</title></head><body><a href="{escape(address)}">sistel</a></body></html>\n'
    )


OWN_PAGES = "frame-ancestors 'self'; base-uri 'none'; form-action 'none'; object-src 'none'"
"""What pages of runs are sent with; each has a policy of its own inside, with the digests of its scripts."""


def said_page(title: Text, text: Text, lang: Language) -> str:
    """A page with one sentence, in both languages."""
    inside = [f"<p>{escape(text.say(each))}</p>" for each in (lang, "ru" if lang == "en" else "en")]
    return still_page(escape(title.say(lang)), "", lang, inside)
