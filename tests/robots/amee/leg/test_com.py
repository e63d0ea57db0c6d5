import pytest

from amee_bench import make_bench
from gelenk.robots.amee.config import LegCfg, WireCfg
from gelenk.robots.amee.leg import Bench
from gelenk.robots.amee.leg.com import ComCtrl
from gelenk.robots.amee.timing import LOOP_PASS
from gelenk.robots.amee.wire import Command, Gateway, Message, Report, Request, encode

POINT = Request(Command.MOVE_POINT, (0.01, -0.6, 0.02))
STEP = Request(Command.DO_STEP, (0.06, -0.63, 0.0, -0.06, -0.63, 0.0))


def make_com():
    return ComCtrl(WireCfg(), lambda: (0.01, -0.62, 0.03))


@pytest.mark.capability("QW-82")
def test_a_newer_message_replaces_an_unread_one():
    com = make_com()
    com.receive(0.0, [*encode(POINT).packets, *encode(STEP).packets])
    assert com.newest == STEP
    com.receive(0.001, [*encode(STEP).packets[:5], *encode(POINT).packets])
    assert com.newest == POINT
    assert com.dropped == 1


@pytest.mark.capability("QW-83")
def test_half_a_message_expires_after_ten_milliseconds():
    com = make_com()
    packets = encode(POINT).packets
    com.receive(0.0, packets[:4])
    com.receive(0.0099, packets[4:5])
    com.receive(0.0190, packets[5:])
    assert com.newest == POINT
    com.newest = None
    com.receive(0.02, packets[:4])
    com.receive(0.0301, [])
    com.receive(0.0302, packets[4:])
    assert com.newest is None
    assert com.dropped == 1 + 3


@pytest.mark.capability("QW-88")
def test_stop_and_next_are_heard_amid_a_message():
    com = make_com()
    packets = list(encode(STEP).packets)
    com.receive(0.0, [*packets[:6], 0x102, *packets[6:]])
    assert com.next_seen
    assert com.newest == STEP
    com.receive(0.002, [*packets[:6], 0x101, *packets[6:]])
    assert com.stop_seen
    assert com.newest is None


@pytest.mark.capability("QW-84")
def test_four_reports_wait_in_the_ring_and_found_goes_with_sync():
    com = make_com()
    com.send(Report.FOUND)
    com.send(Report.SYNC)
    gateway = Gateway()
    said = []
    for _ in range(8):
        said += gateway.receive_packets(com.transmit(1))
    assert said == [Message(Report.FOUND, (0.01, -0.62, 0.03)), Message(Report.SYNC)]
    for _ in range(6):
        com.send(Report.ERROR, 3)
    assert com.lost == 2
    assert len(com.transmit(100)) == 8
    assert com.transmit(1) == []


def test_rubbish_on_the_link_moves_nothing():
    com = make_com()
    com.receive(0.0, [0x1FF, 0x17C, 5, 6, 7, 0x100, 300 & 0xFF])
    assert com.newest is None
    assert not com.stop_seen
    assert com.dropped == 6


@pytest.mark.capability("QW-91")
def test_messages_during_start_up_are_ignored():
    bench = Bench()
    bench.command(Command.MOVE_POINT, 0.0, -0.5, 0.0)
    bench.run(0.045)
    assert not bench.computer.is_ready
    bench.run(0.3)
    assert bench.computer.is_ready
    assert bench.computer.motion.state == Command.IDLE
    assert bench.speeds == [0] * 4
    bench.command(Command.MOVE_POINT, 0.0, -0.5, 0.0)
    bench.run(0.3)
    assert bench.computer.motion.state == Command.MOVE_POINT


def test_one_packet_in_and_out_per_pass_of_the_chip():
    bench = make_bench(LegCfg(pass_period=LOOP_PASS))
    assert bench.computer.room == 1
    assert make_bench().computer.room == 3
    bench.gateway.receive(STEP)
    passes = 0
    while bench.computer.motion.state == Command.IDLE:
        bench.step()
        passes += 1
    assert passes == 13  # header and twelve packets
