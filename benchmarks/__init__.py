"""Benchmarks: figures with targets, measured against other libraries side by side.

They run from a checkout and share models, scenes and oracles with the tests
(`tests/testkit`), which is why that folder joins the search path here.
"""

import sys
from pathlib import Path

_TESTS = str(Path(__file__).resolve().parents[1] / "tests")
if _TESTS not in sys.path:
    sys.path.append(_TESTS)
