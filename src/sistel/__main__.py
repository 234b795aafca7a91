"""`python -m sistel` is the command `sistel`."""

import sys

from sistel.cli import main

if __name__ == "__main__":
    sys.exit(main())
