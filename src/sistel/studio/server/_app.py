"""Addresses of the server: the page, its scripts, pages of runs, and the socket."""

from __future__ import annotations

import mimetypes
import re
from collections.abc import Awaitable, Callable
from importlib.resources import files
from typing import Final

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from sistel.errors import Language, Text
from sistel.studio.server._desk import Desk
from sistel.studio.server._gate import Gate
from sistel.studio.server._pages import going_on, index_page, said_page
from sistel.studio.server._socket import Connection

_ASSET: Final = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,120}")
_TYPES: Final = {
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".css": "text/css",
    ".json": "application/json",
    ".wasm": "application/wasm",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
    ".html": "text/html",
}
SAFE: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""Headers of every answer."""

_NO_ENTRY = Text("This address is not open", "Этот адрес закрыт")
_NO_TOKEN = Text(
    "Open the studio with the whole address that `sistel studio` has printed: it has a token, which this browser "
    "lacks. A token lasts until that command ends.",
    "Откройте студию по полному адресу, который напечатала команда `sistel studio`: в нём есть ключ, которого у этого "
    "браузера нет. Ключ действует, пока команда не закончит работу.",
)
_NO_HOST = Text(
    "The studio answers under the address of this machine alone.",
    "Студия отвечает только по адресу этой машины.",
)
_NO_PAGE = Text("There is no such page.", "Такой страницы нет.")

Handler = Callable[[Request], Awaitable[Response]]


def make_app(gate: Gate, desk: Desk) -> Starlette:
    """The application of a server."""
    base = gate.base

    def guarded(handler: Handler) -> Handler:
        async def handle(request: Request) -> Response:
            elsewhere = request.headers.get("sec-fetch-site") in ("cross-site", "same-site")
            known = gate.knows(request.headers.get("cookie")) and not elsewhere
            return _turned_away(gate, request, known) or await handler(request)

        return handle

    async def index(request: Request) -> Response:
        token = request.query_params.get("token")
        if token is None:
            return await guarded(_index)(request)
        refused = _turned_away(gate, request, gate.fits(token))
        if refused is not None:
            return refused
        # The token leaves the address, and so the history and what is copied from it. A page that goes on by itself
        # and no redirection: browsers send strict cookies along redirections only where the first link was ours.
        asked = request.query_params.get("lang")
        page = going_on(base + (f"?lang={asked}" if asked in ("en", "ru") else ""))
        policy = {"Content-Security-Policy": "default-src 'none'", "Set-Cookie": gate.set_cookie()}
        return HTMLResponse(page, headers={**SAFE, **policy})

    async def _index(request: Request) -> Response:
        page, policy = index_page(desk.title, _lang(request))
        return HTMLResponse(page, headers={**SAFE, "Content-Security-Policy": policy})

    async def script(request: Request) -> Response:
        return _asset(request.path_params["name"])

    async def page(request: Request) -> Response:
        found = await desk.page(request.path_params["path"])
        if found is None:
            return _refused(_NO_PAGE, _lang(request), 404)
        found.headers.update(SAFE)
        return found

    async def socket(websocket: WebSocket) -> None:
        if not gate.lets_in(websocket.headers, origin_needed=True):
            await websocket.close(1008)
            return
        await Connection(websocket, desk).serve()

    return Starlette(
        routes=[
            Route(base, index),
            Route(base + "studio/{name}", guarded(script)),
            Route(base + "pages/{path:path}", guarded(page)),
            WebSocketRoute(base + "socket", socket),
        ]
    )


def _turned_away(gate: Gate, request: Request, known: bool) -> Response | None:
    """What answers a request that may not come in; None where it may.

    Args:
        gate: Who may.
        request: What came.
        known: Whether it showed a token, or the cookie that one is exchanged for.
    """
    lang = _lang(request)
    if not gate.may_host(request.headers.get("host")):
        return _refused(_NO_HOST, lang, 421)
    if not gate.may_origin(request.headers.get("origin"), needed=False):
        return _refused(_NO_HOST, lang, 403)
    return None if known else _refused(_NO_TOKEN, lang, 403)


def _asset(name: str) -> Response:
    if _ASSET.fullmatch(name) is None:
        return Response(status_code=404, headers=SAFE)
    try:
        data = files("sistel.views.assets").joinpath("files", "studio", name).read_bytes()
    except OSError:
        return Response(f"{name} is not installed\n", 404, SAFE, "text/plain")
    suffix = "." + name.rpartition(".")[2]
    kind = _TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    return Response(data, headers=SAFE, media_type=kind)


def _refused(why: Text, lang: Language, status: int) -> Response:
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    return HTMLResponse(said_page(_NO_ENTRY, why, lang), status, {**SAFE, "Content-Security-Policy": policy})


def _lang(request: Request) -> Language:
    """The language that the address or the browser asks for."""
    asked = request.query_params.get("lang")
    if asked in ("en", "ru"):
        return "ru" if asked == "ru" else "en"
    return "ru" if request.headers.get("accept-language", "").lower().startswith("ru") else "en"
