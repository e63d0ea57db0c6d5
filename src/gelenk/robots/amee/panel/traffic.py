"""Messages on the bus, the last ones, as people can follow them."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from gelenk.robots.amee.wire import Message, Request, format_words

KEPT = 60  # lines
TOGETHER = 0.5  # [s], in which equal messages of several legs are one line


@dataclass(slots=True, kw_only=True)
class BusLine:
    """Equal messages to or from some legs.

    Attributes:
        time: Of the first [s].
        is_order: Whether they went to the legs.
        legs: Indices, in the order of their messages.
        text: Header and values as on the wire.
        count: How often one leg said it, and nothing else in between.
    """

    time: float
    is_order: bool
    legs: list[int]
    text: str
    count: int = 1


class Traffic:
    """Keeps the last messages; equal ones of several legs share a line.

    Attributes:
        lines: Oldest first.
        num_orders, num_reports: Messages so far.
    """

    def __init__(self) -> None:
        self.lines: deque[BusLine] = deque(maxlen=KEPT)
        self.num_orders = self.num_reports = 0

    def hear(
        self,
        now: float,
        reports: Sequence[Sequence[Message]],
        orders: Sequence[tuple[int, Request]],
    ) -> None:
        """Take what was said in a tick.

        Args:
            now: Time [s].
            reports: What each leg has said.
            orders: What legs were told, by their index.
        """
        for leg, messages in enumerate(reports):
            for message in messages:
                self.num_reports += 1
                self._add(now, leg, message, is_order=False)
        for leg, request in orders:
            self.num_orders += 1
            self._add(now, leg, request, is_order=True)

    def _add(
        self, now: float, leg: int, item: Message | Request, *, is_order: bool
    ) -> None:
        text = format_words(item)
        last = self.lines[-1] if self.lines else None
        if last is not None and (last.text, last.is_order, last.legs) == (
            text,
            is_order,
            [leg],
        ):
            last.count += 1
            return
        for line in reversed(self.lines):
            if now - line.time > TOGETHER:
                break
            if line.text == text and line.is_order == is_order:
                if leg not in line.legs:
                    line.legs.append(leg)
                    return
                break
        self.lines.append(BusLine(time=now, is_order=is_order, legs=[leg], text=text))
