"""The command line: `maelstrom`.

Exit codes: 0 well, 1 the input was at fault, 2 usage, 3 the provider or the store.
Answers go to stdout, in UTF-8 whatever the locale; errors to stderr, one line each,
without a traceback. A reader that closes its pipe, and Ctrl-C, end it quietly. Each
command is a module of its own with ``add_to(commands)``; what one needs is imported when
it runs, so that none waits for an SDK that it does not use.
"""

from maelstrom.adapters.cli.app import main

__all__ = ["main"]
