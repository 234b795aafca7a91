"""The page that the studio without a server mounts into."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

from sistel.errors import Text
from sistel.studio._index import mount_page

# Pages of models have scripts inside, and take the policy of this page over as far as theirs is not stricter: it lets
# scripts inside pages run, and theirs says by digests which. Nothing is asked of any other address.
POLICY: Final = (
    "default-src 'none'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval' blob:; "
    "style-src 'self' 'unsafe-inline' blob:; "
    "img-src 'self' data: blob:; font-src 'self' data: blob:; connect-src 'self' data: blob:; worker-src 'self' blob:; "
    "frame-src 'self' blob:; media-src 'self' data: blob:; base-uri 'none'; form-action 'none'"
)
NEEDS: Final = Text(
    "The studio needs JavaScript and WebAssembly.",
    "Студии нужны JavaScript и WebAssembly.",
)


def index_page(title: Text, size: int, site: str = "", build: str = "", first: Sequence[str] = ()) -> str:
    """The page.

    Args:
        title: Of the window, until a file is open.
        size: Of what is fetched before Python runs [bytes].
        first: Scripts of the first view, fetched side by side.
        build: What tells one state of the program from another.
        site: Address of the site that the studio is a part of, with a gallery.
    """
    data = f'="worker" data-bytes="{size}" data-build="{escape(build)}"' + (
        f' data-site="{escape(site)}"' if site else ""
    )
    head = "".join(f'<link rel="modulepreload" href="{escape(name)}">\n' for name in first)
    return mount_page(f"{title.en} · {title.ru}", NEEDS, data=data, policy=POLICY, head=head)
