"""What Python does first inside a browser: the studio without a server begins here."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path


def start(folder: str) -> Callable[[str], str]:
    """Make ready to answer calls about the files of a folder.

    Args:
        folder: Where they are; made when it is not there.

    Returns:
        What answers a call, both as JSON.
    """
    if find_spec("numpy") is None:
        from sistel.studio.browser import arrays

        sys.modules["numpy"] = arrays
    from sistel.cli.studio import samples
    from sistel.studio.browser import Desk
    from sistel.studio.workspace import Files, Folder

    Path(folder).mkdir(parents=True, exist_ok=True)
    os.chdir(folder)
    return Desk(Files(Folder(folder), samples())).answer
