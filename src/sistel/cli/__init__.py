"""The command line. A module whose name has no underscore is the command of that name."""

from sistel.cli._main import main

__all__ = ["main"]
