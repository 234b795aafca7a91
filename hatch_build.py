"""What wheels and source archives carry beside what is under version control: scripts and libraries of pages.

`tools/assets` gathers them with npm. A build that finds them uses them; one that does not, or finds scripts of other
sources, gathers them; and where that cannot be, there is no wheel, for its pages would be empty. Editable installs go
without: `make setup` tries again.
"""

from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FILES = Path("src", "sistel", "views", "assets", "files")


class Pages(BuildHookInterface):  # type: ignore[type-arg]
    """Sees to it that the libraries of pages are there."""

    def dependencies(self) -> list[str]:
        """What gathering takes: fonts are cut to the letters that pages use."""
        return [] if self._there() else ["brotli>=1.1", "fonttools>=4.50"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Before a build; `version` is "editable" where the files of the checkout themselves are installed."""
        if version == "editable" or self._there():
            return
        tool = Path(self.root, "tools", "assets")
        done = subprocess.run([sys.executable, str(tool)], capture_output=True, text=True, check=False)
        if done.returncode != 0 or not self._there():
            # Its last line consoles those who need no pages.
            lines = [line.strip() for line in done.stderr.splitlines() if line.strip()][:-1][:3]
            self.app.abort(
                f"sistel cannot be built: {FILES.as_posix()}, which pages need, is not there, and tools/assets could "
                f"not gather it: {' '.join(lines)} Run `make setup` with npm at hand, and build again."
            )

    def _there(self) -> bool:
        # The folder is put in place at once, when all of it is written.
        return bool(runpy.run_path(str(Path(self.root, "tools", "assets")))["current"]())
