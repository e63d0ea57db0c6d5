"""Skills: the list of the command line, and which combinations make sense."""

from __future__ import annotations

import pytest

from gelenk.errors import ConfigError
from gelenk.robots.armbot.skills import Skills, parse_skills


@pytest.mark.capability("AB-28")
@pytest.mark.parametrize(
    ("text", "direct", "inverse"),
    [
        ("+mandirkin,-maninvkin", True, False),
        ("+mandirkin,+maninvkin", True, True),
        ("-mandirkin,-maninvkin", False, False),
        ("-maninvkin", True, False),
        (" -maninvkin , +mandirkin ", True, False),
        ("-maninvkin,+maninvkin", True, True),
        ("+mandirkin", True, True),
    ],
)
def test_a_list_switches_skills(text: str, direct: bool, inverse: bool) -> None:
    assert parse_skills(text) == Skills(direct=direct, inverse=inverse)


@pytest.mark.capability("AB-28")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("+mandirkim", "no skill named 'mandirkim'; did you mean 'mandirkin'?"),
        ("+fly", "no skill named 'fly'; there are mandirkin and maninvkin"),
        ("mandirkin", "with + or - before them, got 'mandirkin'"),
        ("+mandirkin,", "with + or - before them, got ''"),
        ("", "with + or - before them, got ''"),
        ("+", "with + or - before them, got '+'"),
    ],
)
def test_a_list_that_cannot_be_read_says_why(text: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_skills(text)

    assert message in str(caught.value)


@pytest.mark.capability("AB-29")
@pytest.mark.parametrize("text", ["-mandirkin,+maninvkin", "-mandirkin"])
def test_inverse_kinematics_needs_the_direct_one(text: str) -> None:
    with pytest.raises(ConfigError, match="say -mandirkin,-maninvkin"):
        parse_skills(text)
