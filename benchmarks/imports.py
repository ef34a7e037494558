"""What does an import cost, beside the libraries that it stands on, and beside peers?

    python -m benchmarks.imports [--rounds 15] [--peer PYTHON MODULE ...]

CPU milliseconds of an import in a process of its own, in which nothing but Python itself
was imported before, with compiled bytecode; modules that it loads. ``--peer`` adds what
another Python has installed, say a2ui.core.basic_catalog or pydantic_ai.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
from statistics import median

from benchmarks.paired import ratio

BASE = "attrs, cattrs, returns, tenacity"
IMPORTS = {
    BASE: "import attrs, cattrs, returns.pipeline, returns.result, tenacity",
    "the same, asyncio, jsonschema_rs": (
        "import attrs, cattrs, returns.pipeline, returns.result, tenacity\n"
        "import asyncio, jsonschema_rs"
    ),
    "maelstrom.core": "import maelstrom.core",
    "maelstrom.effects": "import maelstrom.effects",
    "an engine and its planner": (
        "from maelstrom.effects import create_engine, llm_planner"
    ),
}
SCRIPT = """
import sys, time
before, known = time.process_time(), len(sys.modules)
{}
print(time.process_time() - before, len(sys.modules) - known)
"""


def imported(python, lines, cache):
    """Seconds and modules."""
    kept = {**os.environ, "PYTHONPYCACHEPREFIX": cache}
    kept.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [python, "-c", SCRIPT.format(lines)]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, env=kept)
    spent, modules = ran.stdout.split()
    return float(spent), int(modules)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument(
        "--peer", nargs=2, action="append", default=[], metavar=("PYTHON", "MODULE")
    )
    options = parser.parse_args()
    asked = {name: (sys.executable, lines) for name, lines in IMPORTS.items()}
    asked |= {module: (python, f"import {module}") for python, module in options.peer}
    times, modules = {name: [] for name in asked}, {}
    with tempfile.TemporaryDirectory() as cache:
        for number in range(options.rounds + 1):  # the first one compiles
            for name in random.sample(list(asked), len(asked)):
                spent, modules[name] = imported(*asked[name], cache)
                if number:
                    times[name].append(spent)
    print(f"{'':36}{'ms':>8}{'modules':>9}  x {BASE}")
    for name, spent in times.items():
        beside = ratio(times, name, BASE)
        print(f"{name:36}{median(spent) * 1e3:8.1f}{modules[name]:9}{beside:7.2f}")


if __name__ == "__main__":
    main()
