"""Pairs of links that may touch: found by trying, kept in files.

Files are SRDF, the format of MoveIt, so that either side reads what the other wrote.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from xml.sax.saxutils import quoteattr

import numpy as np

from gelenk.collision import _batch
from gelenk.collision._tables import new_work
from gelenk.collision.robot_groups import ShapeChoice, adjacent_links
from gelenk.collision.scene import Scene
from gelenk.errors import ConfigError
from gelenk.kinematics.configuration import normalized
from gelenk.models.tree import RobotModel
from gelenk.models.xml import parse_xml, read_bytes, save_text
from gelenk.typing import FloatArray

Reason = Literal["adjacent", "excluded", "always", "never"]
_REASONS: tuple[Reason, ...] = ("adjacent", "excluded", "always", "never")
ALWAYS = 0.95  # share of colliding samples from which on a pair always collides
REACH = 1.0  # [m]: prismatic joints without limits are tried this far


@dataclass(frozen=True, slots=True, kw_only=True)
class AllowedPair:
    """Two links that need not be tested, and the reason.

    Attributes:
        pair: Names of the links.
        reason: "adjacent": they share a joint or are rigidly joined; "excluded": the
            model says so; "always": they collide nearly everywhere, which is a matter
            of their shapes; "never": they were seen to collide nowhere.

    Example:
        >>> from gelenk.collision import AllowedPair
        >>> AllowedPair(pair=("link1", "link2"), reason="adjacent").reason
        'adjacent'
    """

    pair: tuple[str, str]
    reason: Reason


def find_allowed_pairs(
    model: RobotModel,
    *,
    rng: np.random.Generator,
    samples: int = 10_000,
    shapes: ShapeChoice = "auto",
) -> tuple[AllowedPair, ...]:
    """Return the pairs of links of a robot that need not be tested.

    "never" rests on random configurations within the limits: a pair that collides in a
    share p of them is overlooked with the probability (1 - p)^samples.

    Args:
        model: Robot.
        rng: Source of random numbers.
        samples: Number of random configurations.
        shapes: Shapes that count, see `Scene`.

    Example:
        >>> import numpy as np
        >>> import gelenk
        >>> from gelenk.collision import Scene, find_allowed_pairs
        >>> arm, rng = gelenk.load("panda"), np.random.default_rng(0)
        >>> allowed = find_allowed_pairs(arm, rng=rng, samples=500, shapes="visual")
        >>> sorted({found.reason for found in allowed})
        ['adjacent', 'never']
        >>> scene = Scene(arm, allowed=allowed, shapes="visual")
    """
    scene = Scene(model, shapes=shapes)
    counts = np.zeros(len(scene.pairs), dtype=np.int64)
    rows, _, closed = scene.tree_rows(random_configurations(model, rng, samples))
    rows = np.ascontiguousarray(rows[closed])
    if not len(rows):
        raise ConfigError(
            f"none of {samples} random configurations of {model.name!r} closes its "
            "loops; give it limits within which they do"
        )
    _batch.count_touching(scene.tables, new_work(scene.tables), rows, counts)
    shares = counts / len(rows)
    near, links = adjacent_links(model), scene.link_groups
    found = [
        AllowedPair(pair=(a, b), reason="adjacent")
        for k, a in enumerate(links)
        for b in links[k + 1 :]
        if near[model.link_id(a), model.link_id(b)]
    ]
    known = {frozenset(one.pair) for one in found}
    found += [
        AllowedPair(pair=(a, b), reason="excluded")
        for a, b in model.excluded_pairs
        if frozenset((a, b)) not in known
    ]
    for pair, share in zip(scene.pairs, shares.tolist(), strict=True):
        if share == 0.0 or share >= ALWAYS:
            reason: Reason = "never" if share == 0.0 else "always"
            found.append(AllowedPair(pair=pair, reason=reason))
    return tuple(found)


def random_configurations(
    model: RobotModel, rng: np.random.Generator, count: int
) -> FloatArray:
    """Return configurations that are uniform within the limits, shape (count, nq).

    A floating base stays where it is at home; hinges without limits turn once.
    """
    q = np.tile(model.home_configuration, (count, 1))
    first = 7 if model.has_floating_base else 0
    lower, upper = model.limits
    is_hinge = np.repeat(
        model.joint_type[model.joint_ids] != 2,
        np.diff([*model.q_starts, model.nq]) if model.num_joints else 0,
    )
    wide = np.where(is_hinge, np.pi, REACH)
    lower, upper = np.maximum(lower, -wide * 2.0), np.minimum(upper, wide * 2.0)
    q[:, first:] = rng.uniform(lower, upper, (count, model.nq - first))
    for i in model.ball_joints:
        k = int(model.q_starts[i])
        q[:, k : k + 4] = rng.normal(size=(count, 4))
    return normalized(model, q)


def save_allowed_pairs(
    path: str | Path, robot: str, pairs: Iterable[AllowedPair]
) -> None:
    """Write pairs into an SRDF file.

    Args:
        path: File that is written.
        robot: Name of the robot.
        pairs: Pairs with their reasons.

    Example:
        >>> import tempfile
        >>> from pathlib import Path
        >>> from gelenk.collision import AllowedPair, load_allowed_pairs
        >>> from gelenk.collision import save_allowed_pairs
        >>> pair = AllowedPair(pair=("a", "b"), reason="never")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     save_allowed_pairs(Path(folder) / "arm.srdf", "arm", [pair])
        ...     load_allowed_pairs(Path(folder) / "arm.srdf") == (pair,)
        True
    """
    lines = [
        f"  <disable_collisions link1={quoteattr(one.pair[0])} "
        f"link2={quoteattr(one.pair[1])} reason={quoteattr(one.reason.title())}/>"
        for one in pairs
    ]
    text = "\n".join([f"<robot name={quoteattr(robot)}>", *lines, "</robot>", ""])
    save_text(path, '<?xml version="1.0"?>\n' + text)


def load_allowed_pairs(path: str | Path) -> tuple[AllowedPair, ...]:
    """Return the pairs of an SRDF file that need not be tested.

    Args:
        path: File that `save_allowed_pairs` or MoveIt's assistant has written. Reasons
            other than ours become "excluded".

    Raises:
        FileFormatError: If it is no SRDF file.

    Example:
        >>> import tempfile
        >>> from pathlib import Path
        >>> from gelenk.collision import load_allowed_pairs
        >>> text = '<robot name="arm"><disable_collisions link1="a" link2="b"/></robot>'
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     _ = (Path(folder) / "arm.srdf").write_text(text)
        ...     load_allowed_pairs(Path(folder) / "arm.srdf")[0].pair
        ('a', 'b')
    """
    root = parse_xml(read_bytes(path), path)
    if root.tag != "robot":
        raise root.error("an SRDF file begins with <robot>", "give another file")
    found: list[AllowedPair] = []
    for element in root.all("disable_collisions"):
        names = [element.attributes.get(key, "") for key in ("link1", "link2")]
        if not all(names):
            raise element.error("`link1` and `link2` are needed", "name both links")
        said = element.attributes.get("reason", "").lower()
        reason: Reason = "excluded"
        for known in _REASONS:
            reason = known if known == said else reason
        found.append(AllowedPair(pair=(names[0], names[1]), reason=reason))
    return tuple(found)
