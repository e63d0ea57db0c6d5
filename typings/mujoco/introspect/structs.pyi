# MuJoCo's Python module carries no types; what it holds is taken as Any.
from typing import Any

def __getattr__(name: str) -> Any: ...
