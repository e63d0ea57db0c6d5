import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gelenk.robots.amee.wire import (
    Command,
    Message,
    Report,
    Request,
    WireProblem,
    bytes_from_packets,
    decode_message,
    decode_request,
    encode,
    packets_from_bytes,
)

metres = st.floats(-0.7, 0.7)


@pytest.mark.capability("QW-85")
@given(st.lists(metres, min_size=6, max_size=6))
def test_coordinates_survive_sixteen_bits_to_a_tenth_of_a_millimetre(numbers):
    request = Request(Command.DO_STEP, tuple(numbers))
    encoded = encode(request)
    assert len(encoded.packets) == 13
    assert not encoded.saturated
    back = decode_request(encoded.packets)
    assert isinstance(back, Request)
    assert back.values == pytest.approx(numbers, abs=0.5e-4 + 1e-12)


@given(st.floats(-math.pi, math.radians(275)))
def test_angles_survive_up_to_whole_turns(angle):
    encoded = encode(Request(Command.MOVE_ANGLE, (angle, 0.0, 0.0, 0.0)))
    back = decode_request(encoded.packets)
    assert isinstance(back, Request)
    assert not encoded.saturated
    turns = (back.values[0] - angle) / (2 * math.pi)
    assert abs(turns - round(turns)) < 1e-4


@pytest.mark.capability("QW-85")
def test_the_printed_scaling_saturates_and_says_so():
    request = Request(Command.MOVE_POINT, (0.3, -0.4, 0.0))
    encoded = encode(request, "thesis")
    assert encoded.saturated == (1,)
    back = decode_request(encoded.packets, "thesis")
    assert isinstance(back, Request)
    assert back.values == pytest.approx((0.3, -0.32768, 0.0))
    # A hand-made golden sequence, high byte first: -400.0 mm are -4000 = 0xF060.
    assert encode(request).packets == (0x103, 0x0B, 0xB8, 0xF0, 0x60, 0, 0)


@pytest.mark.parametrize(
    ("packets", "offset", "word"),
    [
        ([], 0, "expected a header"),
        ([3, 0, 0], 0, "expected a header"),
        ([0x1FF], 0, "from 0 to 12"),
        ([0x103, 0, 0], 3, "needs 6 packets"),
        ([0x103, 0, 0x101, 0, 0, 0, 0], 2, "cut short"),
    ],
)
def test_broken_packets_say_where(packets, offset, word):
    problem = decode_request(packets)
    assert isinstance(problem, WireProblem)
    assert problem.offset == offset
    assert word in problem.problem


@given(st.lists(st.integers(0, 511), max_size=20))
def test_no_packets_raise_and_bytes_carry_them(packets):
    assert isinstance(decode_message(packets), Message | WireProblem)
    assert packets_from_bytes(bytes_from_packets(packets)) == packets


def test_a_report_with_a_byte():
    message = Message(Report.COLLISION, (2.0,))
    assert decode_message(encode(message).packets) == message
