"""What is not as it should be with eyes and servos: faults that end play, and notes."""

from __future__ import annotations

from dataclasses import dataclass

from gelenk.robots.piggy.tracker import Frame


@dataclass(frozen=True, slots=True, kw_only=True)
class SupervisionCfg:
    """When something counts as wrong.

    Attributes:
        blind: Without images of both cameras for so long, play ends [s].
        storm: Circles in one image that are worth a note.
        repeat: The same note is not made again for [s].
        kept: Notes that are kept.
    """

    blind: float = 0.3
    storm: int = 25
    repeat: float = 1.0
    kept: int = 2000


class Supervision:
    """Watches what arrives from the cameras.

    Args:
        cfg: When something counts as wrong.
    """

    def __init__(self, cfg: SupervisionCfg | None = None) -> None:
        self.cfg = cfg or SupervisionCfg()
        self.notes: list[tuple[float, str]] = []
        self._seen: dict[str, float] = {}
        self._noted: dict[str, float] = {}

    def see(
        self, now: float, frame: Frame | None, has_left: bool, has_right: bool
    ) -> None:
        """Take note of what a frame brought.

        Args:
            now: [s].
            frame: What the tracker made of it.
            has_left: Whether the left camera sent an image.
            has_right: Likewise.
        """
        for name, has in (("left", has_left), ("right", has_right)):
            if has:
                self._seen[name] = now
            else:
                self._seen.setdefault(name, now)
                self.note(now, f"camera {name} sent nothing", key=f"{name} silent")
        if frame is None:
            return
        most = max(len(circles) for circles in frame.circles)
        if most >= self.cfg.storm:
            self.note(now, f"{most} circles in one image", key="storm")
        if len(frame.tracks) > 1:
            ids = ", ".join(str(track.id) for track in frame.tracks)
            self.note(now, f"{len(frame.tracks)} balls at once: {ids}", key="balls")

    def rest(self, now: float) -> None:
        """Take note that no images are wanted now."""
        self._seen = dict.fromkeys(("left", "right"), now)

    def fault(self, now: float) -> str:
        """Return why play must end; empty: it need not."""
        silent = {
            name: now - last
            for name, last in self._seen.items()
            if now - last > self.cfg.blind
        }
        if not silent:
            return ""
        names = " and ".join(sorted(silent))
        return f"no images of camera {names} for {max(silent.values()):.2f} s"

    def note(self, now: float, text: str, *, key: str = "") -> None:
        """Write something down, the same thing not too often."""
        key = key or text
        if now - self._noted.get(key, -self.cfg.repeat) < self.cfg.repeat:
            return
        self._noted[key] = now
        self.notes.append((now, text))
        del self.notes[: -self.cfg.kept]
