"""A pose that is taken again after the calibration: does the new model fit?"""

from __future__ import annotations

from gelenk.robots.nao.automaton import BoardView
from gelenk.robots.nao.detection import expected_board, find_board
from gelenk.robots.nao.fit import Fit
from gelenk.robots.nao.panel.onlooker import Onlooker
from gelenk.robots.nao.panel.pictures import board_picture
from gelenk.robots.nao.session import Session
from gelenk.runtime.panel import AnnotatedImage


class Replay:
    """One image of a pose that was taken again; drawn when it is first asked for.

    Args:
        view: Whose pose it is.
        session: The robot in its world.
        onlooker: Knows the readings.
    """

    def __init__(self, view: BoardView, session: Session, onlooker: Onlooker) -> None:
        self._view, self._session, self._onlooker = view, session, onlooker
        self._picture: AnnotatedImage | None = None

    def picture(self, name: str, fit: Fit) -> AnnotatedImage:
        """Return the image with the board as the fit expects it.

        Args:
            name: Of the picture.
            fit: The new parameters.
        """
        if self._picture is None:
            self._picture = self._take(name, fit)
        return self._picture

    def _take(self, name: str, fit: Fit) -> AnnotatedImage:
        session, side = self._session, self._view.side
        image, angles = session.world.image(session.names.lower), self._onlooker.angles
        assert image is not None, "the camera has taken images before"
        assert angles is not None, "the joints were read before"
        values = fit.calibration.values
        expected = expected_board(fit.problem, values, angles, side)
        cfg = session.cfg.cognition.detection
        corners, _, status = find_board(cfg, image.pixels, expected, everywhere=False)
        return board_picture(
            name,
            image.pixels,
            corners=corners,
            expected=expected,
            words=f"{image.time:.1f} s, taken again with the new parameters: {status}",
            color="good",
        )
