"""Say whether this machine can draw: `python -m gelenk.sim.cameras.probe`.

One JSON object on stdout: `{"renderer": ...}`, or `{"problem": ..., "remedy": ...}` and
exit code 1. A program of its own, since a broken driver may take the process with it.
"""

from __future__ import annotations

import json
import sys

from gelenk.sim.cameras.gl import RenderError, describe_renderer


def main() -> int:
    """Draw a pixel and report."""
    try:
        answer = {"renderer": describe_renderer()}
    except RenderError as error:
        answer = {"problem": error.problem, "remedy": error.remedy}
    sys.stdout.write(json.dumps(answer) + "\n")
    return 0 if "renderer" in answer else 1


if __name__ == "__main__":
    sys.exit(main())
