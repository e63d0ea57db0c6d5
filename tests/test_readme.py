"""The code that greets a new user runs, in the order in which it is read."""

import re
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"


def test_code_of_the_readme_runs_and_does_what_it_says() -> None:
    blocks = re.findall(r"```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    assert len(blocks) == 2
    names: dict = {}

    exec(blocks[0], names)  # the arm of the catalogue

    assert names["sol"].converged
    assert abs(names["qdd"]).max() < 1e-9  # it holds itself still
    assert names["J"].shape == (6, 7)

    exec(blocks[1], names)  # the arm from parts

    assert names["arm"].num_joints == 5
