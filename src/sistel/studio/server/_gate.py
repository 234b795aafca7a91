"""Who may come in: browsers of this machine that were given the address, and pages of the studio itself."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie
from urllib.parse import urlsplit

from sistel.records import entry

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


@entry
class Gate:
    """The token, and the addresses under which the studio answers."""

    token: str
    port: int
    base: str = "/"
    """Path of the address, which begins and ends with a slash."""
    origin: str = ""
    """Of a reverse proxy before it: `https://studio.example.org`."""

    @property
    def cookie(self) -> str:
        """Its name: browsers send cookies to all ports of a machine, and several studios may run there."""
        return f"sistel-{hashlib.sha256(f'{self.port}{self.base}'.encode()).hexdigest()[:10]}"

    @property
    def hosts(self) -> frozenset[str]:
        """What the header Host may say: others are names of strangers that lead to this machine."""
        own = {f"{host}:{self.port}" for host in LOOPBACK}
        return frozenset({*own, urlsplit(self.origin).netloc} if self.origin else own)

    @property
    def origins(self) -> frozenset[str]:
        """What the header Origin may say."""
        own = {f"http://{host}:{self.port}" for host in LOOPBACK}
        return frozenset({*own, self.origin} if self.origin else own)

    def may_host(self, host: str | None) -> bool:
        """Whether a request was sent to one of the names of this server."""
        return host is not None and host.lower() in self.hosts

    def may_origin(self, origin: str | None, *, needed: bool) -> bool:
        """Whether a request comes from a page of this server; browsers name no origin for plain links."""
        return not needed if origin is None else origin.lower() in self.origins

    def knows(self, cookies: str | None) -> bool:
        """Whether the header Cookie has the token."""
        try:
            morsel = SimpleCookie(cookies or "").get(self.cookie)
        except CookieError:
            return False
        return morsel is not None and self.fits(morsel.value)

    def fits(self, token: str) -> bool:
        """Whether it is the token; takes as long for one that is nearly right."""
        return hmac.compare_digest(token.encode("utf-8", "replace"), self.token.encode())

    def set_cookie(self) -> str:
        """The header that gives the cookie."""
        secure = "; Secure" if self.origin.startswith("https:") else ""
        return f"{self.cookie}={self.token}; Path={self.base}; HttpOnly; SameSite=Strict{secure}"

    def lets_in(self, headers: Mapping[str, str], *, origin_needed: bool = False) -> bool:
        """Whether a request is from the user's own page."""
        return (
            self.may_host(headers.get("host"))
            and self.may_origin(headers.get("origin"), needed=origin_needed)
            and self.knows(headers.get("cookie"))
        )


def new_token() -> str:
    """A token that nobody guesses."""
    return secrets.token_urlsafe(24)
