"""The server of the studio: one user, one folder, on this machine alone."""

from typing import TYPE_CHECKING

from sistel.lazy import names_at_home
from sistel.studio.server._serve import Options, check_installed, serve

if TYPE_CHECKING:
    from sistel.studio.server._again import answers

__getattr__ = names_at_home(__name__, {"answers": "sistel.studio.server._again"})

__all__ = ["Options", "answers", "check_installed", "serve"]
