"""The server of the studio: one user, one folder, on this machine alone."""

from sistel.studio.server._serve import Options, check_installed, serve

__all__ = ["Options", "check_installed", "serve"]
