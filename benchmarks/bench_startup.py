"""How long a person waits before sistel does anything: processes from start to end, against a bare interpreter."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from _bench import Case, measure, options, report

SISTEL = Path(sys.executable).with_name("sistel")


def process(*command: str) -> Case:
    def run() -> None:
        subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)

    return run


def main() -> None:
    arguments = options(__doc__, rounds=30)
    text = subprocess.run([SISTEL, "--help"], stdin=subprocess.DEVNULL, capture_output=True, check=True).stdout
    assert b"sistel" in text
    cases = {
        "python -c pass": process(sys.executable, "-c", "pass"),
        "import sistel": process(sys.executable, "-c", "import sistel"),
        "sistel --help": process(str(SISTEL), "--help"),
    }
    report("startup", measure(cases, rounds=max(20, arguments.rounds), calls=1), arguments.json)


if __name__ == "__main__":
    main()
