import pytest

from gelenk.robots.amee.wire import (
    Command,
    Gateway,
    Message,
    Report,
    Request,
    WireProblem,
    decode_request,
    encode,
)

STEP = Request(Command.DO_STEP, (0.07, -0.63, 0.0, -0.07, -0.63, 0.0))
STOP, NEXT = 0x101, 0x102


def drain(gateway, room=1, limit=1000):
    packets = []
    while len(packets) < limit and (more := gateway.packets_for_leg(room)):
        packets += more
    return packets


@pytest.mark.capability("QW-86", "QW-87")
def test_a_babbling_node_never_reaches_the_leg():
    gateway = Gateway()
    for i in range(5000):
        answer = gateway.receive_text(b"Explode:%d" % i)
        assert isinstance(answer, WireProblem)
    assert drain(gateway) == []
    assert gateway.refused == 5000


@pytest.mark.capability("QW-88")
def test_stop_and_next_are_served_amid_a_transfer():
    gateway = Gateway()
    gateway.receive(STEP)
    sent = gateway.packets_for_leg(4)
    gateway.receive(Request(Command.NEXT))
    assert gateway.packets_for_leg(1) == [NEXT]
    sent += gateway.packets_for_leg(2)
    gateway.receive(Request(Command.STOP))
    assert drain(gateway) == [STOP]  # the rest of the step is gone
    assert sent == list(encode(STEP).packets[:6])


@pytest.mark.capability("QW-87", "QW-90")
def test_a_flood_keeps_the_newest_and_a_slow_leg_loses_nothing_of_it():
    gateway = Gateway()
    gateway.receive(STEP)
    first = gateway.packets_for_leg(1)
    for height in range(300, 600):
        gateway.receive_text(f"Move2Point:0:-{height}:0")
    packets = first
    for _ in range(12):  # the leg takes one packet now and then
        assert gateway.packets_for_leg(0) == []
        packets += gateway.packets_for_leg(1)
    assert decode_request(packets) == STEP
    rest = drain(gateway)
    assert decode_request(rest) == Request(Command.MOVE_POINT, (0.0, -0.599, 0.0))
    assert gateway.overwritten == 299


def test_reports_are_put_together_and_rubbish_is_counted():
    gateway = Gateway()
    found = Message(Report.FOUND, (0.01, -0.63, 0.0))
    packets = list(encode(found).packets)
    assert gateway.receive_packets(packets[:3]) == []
    assert gateway.receive_packets(packets[3:]) == [found]
    assert gateway.receive_packets([7, 0x1F0, *packets[:2], 0x107]) == [
        Message(Report.READY)
    ]
    assert gateway.broken == 3
