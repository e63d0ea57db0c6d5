"""Skills: what every arm of a cell can do without the help of its controller.

A list such as `+mandirkin,-maninvkin` switches them on and off. A controller that finds
a skill switched off brings its own kinematics.
"""

from __future__ import annotations

from dataclasses import dataclass

from gelenk.errors import ConfigError
from gelenk.robots.armbot.problems import close_match

KEYWORDS = {"mandirkin": "direct", "maninvkin": "inverse"}  # (paper, 2.3)


@dataclass(frozen=True, slots=True, kw_only=True)
class Skills:
    """Which kinematics an arm brings along.

    Attributes:
        direct: `mandirkin`: joint values to the pose of the gripper mount.
        inverse: `maninvkin`: a position of the mount to joint values; rests on the
            direct kinematics.
    """

    direct: bool = True
    inverse: bool = True

    def __post_init__(self) -> None:
        if self.inverse and not self.direct:
            raise ConfigError(
                "skill maninvkin rests on mandirkin, which is switched off; "
                "say -mandirkin,-maninvkin"
            )


def parse_skills(text: str) -> Skills:
    """Return the skills that a comma-separated list leaves switched on.

    Args:
        text: Keywords, each with `+` or `-` before it; those not named stay on. Of a
            keyword named twice the last sign counts.

    Raises:
        ConfigError: If a sign is missing, a keyword is unknown, or the inverse
            kinematics is to work without the direct one.

    Example:
        >>> parse_skills("+mandirkin,-maninvkin")
        Skills(direct=True, inverse=False)
    """
    switches: dict[str, bool] = {}
    for item in text.split(","):
        word = item.strip()
        sign, keyword = word[:1], word[1:].strip()
        if sign not in ("+", "-") or not keyword:
            raise ConfigError(
                f"expected keywords with + or - before them, got {word!r} in {text!r}; "
                "say for example +mandirkin,-maninvkin"
            )
        if keyword not in KEYWORDS:
            known = f"; there are {' and '.join(KEYWORDS)}"
            hint = close_match(keyword, KEYWORDS, or_list=known)
            raise ConfigError(f"no skill named {keyword!r}{hint}")
        switches[KEYWORDS[keyword]] = sign == "+"
    return Skills(**switches)
