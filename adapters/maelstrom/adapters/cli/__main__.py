"""`python -m maelstrom.adapters.cli`: the command line without its script."""

import sys

from maelstrom.adapters.cli import main

if __name__ == "__main__":
    sys.exit(main())
