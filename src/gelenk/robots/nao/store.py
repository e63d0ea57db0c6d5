"""Calibrations on disk: one JSON file per robot, with all that led to its numbers.

A file holds values with their covariance, what the residuals say, the views that they
rest on and every setting, so that the fit can be run again. SI units and radians. It is
written beside its name and then renamed; the file that was there becomes the backup.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

import gelenk
from gelenk.errors import ConfigError, FileFormatError
from gelenk.robots.nao.automaton import BoardView, Verdict
from gelenk.robots.nao.cognition import CognitionCfg
from gelenk.robots.nao.compensation import Compensation, compensation_from_values
from gelenk.robots.nao.errors import Vec3
from gelenk.robots.nao.fit import Fit, fit_views
from gelenk.robots.nao.joints import NUM_BODY, SIDES
from gelenk.robots.nao.sandal import NUM_CORNERS
from gelenk.runtime.config import InvalidConfigError, layer_of, resolve
from gelenk.runtime.config_values import to_plain
from gelenk.runtime.files import as_plain, backup_of, replace_text
from gelenk.typing import BoolArray, FloatArray

FORMAT = "gelenk nao calibration"
VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Residuals:
    """What is left of the corners after the fit.

    Attributes:
        noise: Standard deviation of a coordinate without outliers [px].
        sigma_x, sigma_y: Root mean squares, without outliers [px].
        chi2_before, chi2_after: Sums of squares of all corners [px^2].
        points, outliers: Corners, and those that counted less than half.
        iterations: Accepted steps.
        status: Of the solver.
    """

    noise: float
    sigma_x: float
    sigma_y: float
    chi2_before: float
    chi2_after: float
    points: int
    outliers: int
    iterations: int
    status: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Manual:
    """What a person adds to a calibration.

    Attributes:
        joints: Offsets by joint [rad].
        camera: Yaw, pitch, roll [rad].
    """

    joints: Mapping[str, float] = field(default_factory=dict)
    camera: Vec3 = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Record:
    """A calibration as it is kept.

    Attributes:
        robot: Name of the robot.
        date: When it was calibrated, in the caller's words; ISO 8601 is wise.
        software: Version of gelenk.
        model: "published" or "extended".
        verdict, reason: How it ended.
        names, units, values: Parameters, (P,).
        covariance: (P, P).
        residuals: What the fit leaves.
        views: The data.
        config: All settings.
        manual: What a person has added since.
    """

    robot: str
    date: str
    software: str = gelenk.__version__
    model: str
    verdict: str
    reason: str
    names: tuple[str, ...]
    units: tuple[str, ...]
    values: FloatArray
    covariance: FloatArray
    residuals: Residuals
    views: tuple[BoardView, ...]
    config: CognitionCfg
    manual: Manual = field(default_factory=Manual)

    @property
    def is_calibrated(self) -> bool:
        return self.verdict == Verdict.CALIBRATED

    @property
    def sigma(self) -> FloatArray:
        """Standard deviations, (P,)."""
        return np.sqrt(np.diag(self.covariance))

    def compensation(self) -> Compensation:
        """Return what to apply: the calibration, and on top what a person added."""
        values = dict(zip(self.names, map(float, self.values), strict=True))
        found = compensation_from_values(values)
        return found.refined(self.manual.joints, self.manual.camera)


def make_record(
    fit: Fit,
    views: Sequence[BoardView],
    *,
    robot: str,
    date: str,
    config: CognitionCfg | None = None,
) -> Record:
    """Return a fit as it is kept.

    Args:
        fit: The result.
        views: What it rests on.
        robot: Name of the robot.
        date: When; the caller knows.
        config: All settings.
    """
    found = fit.calibration
    sigma_x, sigma_y = map(float, found.residual_sigma)
    return Record(
        robot=robot,
        date=date,
        model=fit.model,
        verdict=str(fit.answer.verdict),
        reason=fit.answer.reason,
        names=found.names,
        units=found.units,
        values=found.values,
        covariance=found.covariance,
        residuals=Residuals(
            noise=found.noise,
            sigma_x=sigma_x,
            sigma_y=sigma_y,
            chi2_before=found.chi2_before,
            chi2_after=found.chi2_after,
            points=found.num_points,
            outliers=found.num_outliers,
            iterations=found.iterations,
            status=str(found.status),
        ),
        views=tuple(views),
        config=config or CognitionCfg(),
    )


def refit(record: Record) -> Fit:
    """Return the fit of the kept views under the kept settings, once more."""
    return fit_views(record.views, record.config.fit)


def write_record(record: Record, path: str | Path) -> None:
    """Write a calibration; what was there under this name becomes its backup.

    Args:
        record: The calibration.
        path: Of the file; the backup has `.bak` behind it.

    Raises:
        ConfigError: If the calibration failed and there is a file: it stays.
        FileFormatError: If the file cannot be written; the old one stays.
    """
    path = Path(path)
    if not record.is_calibrated and path.exists():
        raise ConfigError(
            f"{path} stays as it is: this calibration ended with "
            f"{record.verdict!r} ({record.reason}); write it under another name"
        )
    text = json.dumps(_plain(record), indent=1, allow_nan=False) + "\n"
    replace_text(path, text)


def read_record(path: str | Path) -> Record:
    """Return a calibration from its file.

    Raises:
        FileFormatError: If it is missing or something else; with the place.
    """
    path = Path(path)
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise FileFormatError(path, f"cannot be read: {error}") from error
    except json.JSONDecodeError as error:
        spare = backup_of(path)
        remedy = f"the calibration before it is {spare}" if spare.exists() else ""
        problem = f"is not JSON: {error.msg}"
        raise FileFormatError(
            path, problem, line=error.lineno, remedy=remedy
        ) from error
    return _Reader(path).record(document)


def _plain(record: Record) -> dict[str, Any]:
    parameters = zip(
        record.names, record.units, record.values, record.sigma, strict=True
    )
    return {
        "format": FORMAT,
        "version": VERSION,
        "robot": record.robot,
        "date": record.date,
        "software": record.software,
        "model": record.model,
        "verdict": record.verdict,
        "reason": record.reason,
        "parameters": [
            {"name": n, "unit": u, "value": float(v), "sigma": as_plain(s)}
            for n, u, v, s in parameters
        ],
        "covariance": as_plain(record.covariance),
        "residuals": as_plain(to_plain(record.residuals)),
        "manual": to_plain(record.manual),
        "config": to_plain(record.config),
        "views": [to_plain(view) for view in record.views],
    }


class _Reader:
    """Takes a document apart and says where it is not what it should be."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def record(self, document: Any) -> Record:
        if not isinstance(document, dict) or document.get("format") != FORMAT:
            self.fail("format", f"expected {FORMAT!r}: this is another kind of file")
        version = self.get(document, "version", int)
        if version != VERSION:
            self.fail("version", f"expected {VERSION}, got {version}; update gelenk")
        rows = list(self.rows(document, "parameters"))
        names = tuple(self.get(row, "name", str, at) for at, row in rows)
        values = np.array([self.get(row, "value", float, at) for at, row in rows])
        size = len(names)
        covariance = self.array(document, "covariance", (size, size))
        return Record(
            robot=self.get(document, "robot", str),
            date=self.get(document, "date", str),
            software=self.get(document, "software", str),
            model=self.get(document, "model", str),
            verdict=self.get(document, "verdict", str),
            reason=self.get(document, "reason", str),
            names=names,
            units=tuple(self.get(row, "unit", str, at) for at, row in rows),
            values=values,
            covariance=covariance,
            residuals=self.table(document, "residuals", Residuals),
            views=tuple(self.view(at, v) for at, v in self.rows(document, "views")),
            config=self.table(document, "config", CognitionCfg),
            manual=self.table(document, "manual", Manual),
        )

    def view(self, at: str, row: dict[str, Any]) -> BoardView:
        side = self.get(row, "side", str, at)
        if side not in SIDES:
            self.fail(f"{at}.side", f"expected 'left' or 'right', got {side!r}")
        return BoardView(
            side=side,
            pose=self.get(row, "pose", int, at),
            gaze=self.get(row, "gaze", int, at),
            time=self.get(row, "time", float, at),
            angles=self.array(row, "angles", (NUM_BODY,), at),
            corners=self.array(row, "corners", (NUM_CORNERS, 2), at),
            is_measured=self.flags(row, "is_measured", NUM_CORNERS, at),
        )

    def flags(self, row: dict[str, Any], key: str, size: int, at: str) -> BoolArray:
        """Return truth values; all are true where a file does not have them."""
        values = self.get(row, key, list, at) if key in row else [True] * size
        if len(values) != size or not all(isinstance(v, bool) for v in values):
            self.fail(f"{at}.{key}", f"expected {size} times true or false")
        return np.array(values, dtype=bool)

    def get(self, table: dict[str, Any], key: str, kind: type, at: str = "") -> Any:
        place = f"{at}.{key}" if at else key
        if key not in table:
            self.fail(place, "is missing")
        value = table[key]
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if kind is float and is_number:
            return float(value)
        if not isinstance(value, kind) or isinstance(value, bool):
            self.fail(place, f"expected {_WORDS[kind]}, got {value!r:.40}")
        return value

    def rows(
        self, document: dict[str, Any], key: str
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        for i, row in enumerate(self.get(document, key, list)):
            if not isinstance(row, dict):
                self.fail(f"{key}[{i}]", f"expected a table, got {row!r:.40}")
            yield f"{key}[{i}]", row

    def array(
        self, table: dict[str, Any], key: str, shape: tuple[int, ...], at: str = ""
    ) -> FloatArray:
        place = f"{at}.{key}" if at else key
        value = self.get(table, key, list, at)
        try:
            array = np.array(value, dtype=np.float64)
        except (TypeError, ValueError):
            self.fail(place, f"expected numbers of shape {shape}")
        array = np.where(np.isnan(array), np.inf, array)
        if array.shape != shape:
            self.fail(place, f"expected shape {shape}, got {array.shape}")
        if at and not np.isfinite(array).all():
            self.fail(place, "expected finite numbers")
        return array

    def table(self, document: dict[str, Any], key: str, kind: type) -> Any:
        values = self.get(document, key, dict)
        if kind is Residuals:
            values = {k: math.nan if v is None else v for k, v in values.items()}
        try:
            return resolve(kind, [layer_of(str(self.path), values)]).config
        except InvalidConfigError as error:
            raise FileFormatError(self.path, str(error), element=key) from error

    def fail(self, place: str, problem: str) -> NoReturn:
        raise FileFormatError(self.path, problem, element=place)


_WORDS = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    list: "a list",
    dict: "a table",
}
