"""Page of a report: one HTML file that needs nothing else."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

import numpy as np

from gelenk.calibration.prediction import residuals
from gelenk.robots.nao.command import Finished
from gelenk.robots.nao.fit import Fit
from gelenk.robots.nao.joints import SIDES
from gelenk.robots.nao.report.advice import Advice
from gelenk.robots.nao.report.document import (
    CLOCKS,
    Shown,
    by_group,
    shown_parameters,
    worst_joint_error,
)
from gelenk.robots.nao.report.plots import (
    group_reach,
    histogram,
    interval_bar,
    pose_bars,
    scatter,
)
from gelenk.robots.nao.report.views import view_figures
from gelenk.runtime.files import shipped_files
from gelenk.typing import FloatArray

MARKER = '<meta name="generator" content="gelenk nao calibrate">'
Cells = Sequence[str]


def make_page(finished: Finished, document: Mapping[str, Any], advice: Advice) -> str:
    """Return the HTML of a report.

    Args:
        finished: The calibration, with images if they were kept.
        document: What `make_document` said.
        advice: What it means.
    """
    fit = finished.outcome.fit
    parts = [_head(document), _tiles(document), _advice(advice)]
    if fit is not None and len(fit.sights):
        parts += [
            _parameters(shown_parameters(fit, finished.request.errors)),
            _sums(document),
            _residuals(fit, finished),
            _views(view_figures(finished)),
        ]
    parts += [_missed(document), _run(document), _configuration(document)]
    style = shipped_files("nao", ".css")["report"].read_text(encoding="utf-8")
    title = escape(f"Calibration of {document['robot']}: {document['verdict']}")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"{MARKER}<title>{title}</title><style>{style}</style></head>\n<body><main>"
        + "\n".join(part for part in parts if part)
        + "</main></body></html>\n"
    )


def _head(document: Mapping[str, Any]) -> str:
    mark = "good" if document["ok"] else "bad"
    return (
        f"<header><p class=over>NAO, foot-and-eye calibration</p>"
        f"<h1>{escape(document['robot'])}</h1>"
        f'<p><span class="verdict {mark}">{escape(document["verdict"])}</span> '
        f"{escape(document['reason'])}</p></header>"
    )


def _tiles(document: Mapping[str, Any]) -> str:
    seen = document["measurements"]
    tiles = [
        ("views", f"{seen['views']} of {seen['views_expected']}", "boards found"),
        ("corners", f"{seen['corners']}", f"{seen['corners_doubted']} doubted"),
    ]
    if document["noise"] is not None:
        x, y = document["residual_sigma"]["x"], document["residual_sigma"]["y"]
        tiles += [
            ("residual sigma", f"{_short(x)}, {_short(y)}", "px, in x and in y"),
            (
                "chi-square",
                " → ".join(
                    _compact(document[f"chi2_{k}"]) for k in ("before", "after")
                ),
                f"px², in {document['iterations']} iterations",
            ),
        ]
    worst = worst_joint_error(document)
    if worst is not None:
        tiles.append(("worst joint", f"{worst[1]:.4f}°", f"from the truth: {worst[0]}"))
    if document["simulated_seconds"] is not None:
        tiles.append(
            ("duration", f"{document['simulated_seconds']:.0f} s", "simulated")
        )
    inner = "".join(
        f"<div><b>{escape(name)}</b><strong>{escape(value)}</strong>"
        f"<small>{escape(note)}</small></div>"
        for name, value, note in tiles
    )
    return f'<section class="tiles">{inner}</section>'


def _advice(advice: Advice) -> str:
    items = "".join(f"<li>{_code(text)}</li>" for text in advice.sentences)
    return f"<section><h2>What to do</h2><ul class=advice>{items}</ul></section>"


def _parameters(shown: list[Shown]) -> str:
    has_truth = any(item.true_error is not None for item in shown)
    header = ["parameter", "estimate", "± 95 %", "error, interval", "unit"]
    if has_truth:
        header[3:] = ["true", "off by", "error, interval, truth", "unit"]
    rows: list[str] = []
    for group, items in by_group(shown):
        rows.append(
            f"<tr class=group><th colspan={len(header)}>{escape(group)}</th></tr>"
        )
        reaches = {
            unit: group_reach([i for i in items if i.unit == unit])
            for unit in {i.unit for i in items}
        }
        rows += [_parameter_row(i, reaches[i.unit], has_truth) for i in items]
    head = "".join(f"<th>{name}</th>" for name in header)
    legend = (
        "Bars: estimate from zero, with the interval that holds the true value in 95 "
        "of 100 cases. Within a group one scale per unit."
    )
    if has_truth:
        legend += (
            " Dots: the true errors, which only the simulated world knows. Marked: "
            "estimates further off than their interval."
        )
    return (
        "<section><h2>Parameters</h2><div class=wide><table class=numbers><thead>"
        f"<tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
        f"<p class=note>{legend}</p></section>"
    )


def _parameter_row(item: Shown, reach: float, has_truth: bool) -> str:
    digits = 4 if item.unit in ("deg", "mm", "deg/(N m)") else 5
    spread = 1.96 * item.sigma
    interval = "kept" if item.is_frozen else _number(spread, digits)
    cells = [escape(item.name), _number(item.estimate, digits), interval]
    mark = ""
    if has_truth:
        off = item.deviation
        cells += [_number(item.true_error, digits), _number(off, digits)]
        if off is not None and not item.is_frozen and abs(off) > spread:
            mark = " class=off"
    cells += [interval_bar(item, reach), escape(item.unit)]
    return f"<tr{mark}>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def _sums(document: Mapping[str, Any]) -> str:
    rows = [
        [
            side,
            f"{item['sum']:.4f}°",
            f"{item['sigma']:.4f}°",
            f"{item['largest_single_sigma']:.4f}°",
        ]
        for side, item in document["pitch_sums"].items()
        if None not in item.values()
    ]
    if not rows:
        return ""
    header = ["leg", "HipPitch + KneePitch + AnklePitch", "sigma", "sigma of one joint"]
    return (
        "<section><h2>Three parallel joints</h2>"
        + _table(header, rows)
        + "<p class=note>Hip, knee and ankle pitch turn about parallel axes: how an "
        "error is shared among them is hard to see, their sum is not.</p></section>"
    )


def _residuals(fit: Fit, finished: Finished) -> str:
    before = residuals(fit.problem, None, fit.sights).reshape(-1, 2)
    after = fit.calibration.residuals
    owner = np.repeat(
        [s.target for s in fit.sights], [len(s.points) for s in fit.sights]
    )
    plots = []
    for word, values in (("before", before), ("after", after)):
        sets = {side: values[owner == side] for side in SIDES}
        plots.append(
            scatter(
                sets,
                f"All corners {word} [px]: left and right foot; rings at 1 and 3 sigma",
            )
        )
    for axis, name in enumerate("xy"):
        sigma = float(fit.calibration.noise)
        inside = np.mean(np.abs(after[:, axis]) <= 3.0 * sigma)
        plots.append(
            histogram(
                after[:, axis],
                sigma,
                f"Residuals in {name} after, and the normal law of sigma "
                f"{_short(sigma)} px: {100.0 * inside:.1f} % of all corners lie within "
                "3 sigma (normal law: 99.7 %)",
            )
        )
    views = finished.outcome.automaton.views
    poses = np.repeat([v.pose for v in views], [len(s.points) for s in fit.sights])
    for side in SIDES:
        mine = owner == side
        if mine.any():
            was, now = (_rms_by_pose(r[mine], poses[mine]) for r in (before, after))
            title = (
                f"Root mean square per pose of the {side} leg [px]: before and after"
            )
            plots.append(pose_bars(was, now, title))
    key = (
        '<p class="note key"><span class="left">left foot</span>'
        '<span class="right">right foot</span><span class="was">before</span>'
        '<span class="is">after</span></p>'
    )
    return (
        f"<section><h2>Residuals</h2>{key}"
        f'<div class="plots">{"".join(plots)}</div></section>'
    )


def _rms_by_pose(values: FloatArray, poses: np.ndarray) -> dict[int, float]:
    square = np.sum(values**2, axis=1)
    return {
        int(pose): math.sqrt(float(np.mean(square[poses == pose])))
        for pose in np.unique(poses)
    }


def _views(figures: str) -> str:
    if not figures:
        return ""
    return (
        '<section><h2>Seen and expected</h2><p class="note">Dots: corners that the '
        "camera saw. Grid: the board where the model puts it, on the left with the "
        "robot as documented, on the right with what was found. The views that were "
        f'most wrong before.</p><div class="views">{figures}</div></section>'
    )


def _missed(document: Mapping[str, Any]) -> str:
    rows = [
        [
            m["leg"],
            str(m["pose"]),
            str(m["gaze"]),
            f"{m['time']:.1f} s",
            escape(m["reason"]),
        ]
        for m in document["missed"]
    ]
    if not rows:
        body = "<p>None: every board was found in every view.</p>"
    else:
        body = _table(["leg", "pose", "gaze", "at", "reason"], rows)
    return f"<section><h2>Missed views</h2>{body}</section>"


def _run(document: Mapping[str, Any]) -> str:
    config = document["config"]
    rows = [
        ["leg poses", f"{config['poses_per_leg']} per leg: {escape(config['poses'])}"],
        [
            "model",
            escape(f"{document['model'] or 'none'}, {document['method']} method"),
        ],
        ["light", escape(config["light"])],
        ["level of the simulation", str(config["level"])],
        ["seed", str(config["seed"])],
        ["images searched", str(document["measurements"]["images_searched"])],
        ["simulated time", _seconds(document["simulated_seconds"])],
        ["computing the fit", _seconds(document["compute_seconds"])],
        ["computing the whole run", _seconds(document["run_compute_seconds"])],
        ["software", escape(document["software"])],
    ]
    return f"<section><h2>The run</h2>{_table(None, rows)}</section>"


def _configuration(document: Mapping[str, Any]) -> str:
    text = json.dumps(document["config"], indent=1, ensure_ascii=False)
    clocks = " and ".join(f"<code>{name}</code>" for name in CLOCKS)
    return (
        "<section><h2>Configuration</h2><details><summary>Every setting of this run"
        f"</summary><pre>{escape(text)}</pre></details>"
        "<p class=note>The same numbers for programs are in <code>report.json</code>. "
        f"The same request gives the same report, except for {clocks}.</p></section>"
    )


def _table(header: Cells | None, rows: Iterable[Cells]) -> str:
    head = ""
    if header is not None:
        cells = "".join(f"<th>{escape(name)}</th>" for name in header)
        head = f"<thead><tr>{cells}</tr></thead>"
    body = "".join(
        f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows
    )
    return f"<div class=wide><table>{head}<tbody>{body}</tbody></table></div>"


def _number(value: float | None, digits: int) -> str:
    if value is None or not math.isfinite(value):
        return "unknown"
    text = f"{value:.{digits}f}"
    return text.replace("-", "−") if float(text) else text.lstrip("-")


def _short(value: float | None) -> str:
    return "unknown" if value is None or not math.isfinite(value) else f"{value:.3f}"


def _compact(value: float | None) -> str:
    if value is None:
        return "unknown"
    return f"{value:.0f}" if value >= 100.0 else f"{value:.3g}"


def _seconds(value: float | None) -> str:
    return "not known" if value is None else f"{value:.2f} s"


def _code(text: str) -> str:
    """Return text as HTML, with code where it has backquotes."""
    pieces = escape(text).split("`")
    return "".join(
        f"<code>{piece}</code>" if i % 2 else piece for i, piece in enumerate(pieces)
    )
