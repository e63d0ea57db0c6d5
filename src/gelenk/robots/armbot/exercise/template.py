"""The file that a student starts from."""

from __future__ import annotations

import textwrap

from gelenk.robots.armbot.exercise.record import Answer, Argument, Exercise, Function

WIDTH = 88
MANNER = (
    "Angles are in radians, lengths in metres. Vectors and matrices come as NumPy "
    "arrays; lists, tuples and arrays may be returned. Leave the arguments as they are."
)


def task_text(exercise: Exercise) -> str:
    """Return the task in lines of readable length; formulas keep their lines."""
    paragraphs = [*exercise.task.split("\n\n"), MANNER]
    return "\n\n".join(p if "|" in p else textwrap.fill(p, WIDTH) for p in paragraphs)


def template_of(exercise: Exercise) -> str:
    """Return a Python file with the task and the functions still to be written."""
    check = f"gelenk armbot exercise {exercise.name} --submission FILE.py"
    head = (
        f'"""{exercise.title}\n\n{task_text(exercise)}\n\n'
        f'To check this file:\n    {check}\n"""\n\nimport numpy as np\n'
    )
    return head + "".join(f"\n\n{_function(f)}" for f in exercise.functions)


def _function(function: Function) -> str:
    lines = [f"def {function.signature}:", f'    """{function.text}', "", "    Args:"]
    lines += [f"        {a.name}: {a.text}{_unit(a)}" for a in function.arguments]
    returns = f"{function.answer.text}{_unit(function.answer)}"
    lines += ["", "    Returns:", f"        {returns}", '    """']
    lines += [f'    raise NotImplementedError("write {function.name}")', ""]
    return "\n".join(lines)


def _unit(item: Argument | Answer) -> str:
    if item.unit in ("", "1"):
        return ""
    units = item.unit if isinstance(item.unit, str) else ", ".join(item.unit)
    return f" [{units}]"
