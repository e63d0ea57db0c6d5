"""Methods of a robotics foundations course: their place in the code, formula, example.

`find_method` looks one up by its number; scenarios show methods at work and are seen
as a `Film`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gelenk._facade import make_facade

if TYPE_CHECKING:
    from gelenk.course.film import Film as Film
    from gelenk.course.method import Method as Method
    from gelenk.course.register import all_methods as all_methods
    from gelenk.course.register import find_method as find_method

__getattr__, __dir__, __all__ = make_facade(__name__, __file__)
