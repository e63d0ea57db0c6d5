"""Messages on the bus, as the page lists them."""

from __future__ import annotations

from gelenk.robots.amee.panel.traffic import KEPT, TOGETHER, Traffic
from gelenk.robots.amee.wire import Command, Message, Report, Request

SYNC = Message(Report.SYNC)
NEXT = Request(Command.NEXT)


def test_equal_messages_of_several_legs_share_a_line() -> None:
    traffic = Traffic()
    traffic.hear(1.0, ((SYNC,), (), (), ()), ())
    traffic.hear(1.1, ((), (), (SYNC,), ()), ())
    traffic.hear(1.2, ((), (), (), ()), [(0, NEXT), (2, NEXT)])

    assert [(line.is_order, line.legs, line.text) for line in traffic.lines] == [
        (False, [0, 2], "syncNext"),
        (True, [0, 2], "next"),
    ]
    assert (traffic.num_orders, traffic.num_reports) == (2, 2)


def test_repeats_are_counted_and_what_comes_much_later_is_another_line() -> None:
    traffic = Traffic()
    traffic.hear(1.0, ((SYNC, SYNC), ()), ())
    traffic.hear(1.0 + 1.1 * TOGETHER, ((), (SYNC,)), ())

    assert [(line.legs, line.count) for line in traffic.lines] == [([0], 2), ([1], 1)]


def test_points_are_written_in_millimetres_and_old_lines_are_forgotten() -> None:
    traffic = Traffic()
    for k in range(2 * KEPT):
        order = Request(Command.MOVE_POINT, (1e-3 * k, -0.4, 0.0))
        traffic.hear(float(k), (), [(3, order)])

    assert len(traffic.lines) == KEPT
    assert traffic.lines[-1].text == f"Move2Point:{2 * KEPT - 1}:-400:0"
