import pytest
from hypothesis import given
from hypothesis import strategies as st

from gelenk.robots.amee.wire import (
    Command,
    Message,
    Report,
    Request,
    WireProblem,
    format_message,
    format_request,
    format_response,
    format_words,
    parse_message,
    parse_request,
)
from gelenk.robots.amee.wire.table import COMMANDS, REPORTS

values = st.floats(-5, 5).map(lambda v: round(v, 9))


@st.composite
def requests(draw):
    row = draw(st.sampled_from(COMMANDS))
    kind = st.integers(0, 255).map(float) if row.kind == "byte" else values
    numbers = draw(st.lists(kind, min_size=row.count, max_size=row.count))
    return Request(Command(row.index), tuple(numbers))


@pytest.mark.capability("QW-89")
@pytest.mark.parametrize(
    "text",
    [
        "Move2Point:0:-400:12.5",
        "/Move2Point:0:-400:12.5",
        "GET /Move2Point:0:-400:12.5 HTTP/1.1\r\nHost: leg\r\n\r\n",
        "http://192.168.0.17:3550/Move2Point:0:-400:12.5",
        b"POST /Move2Point:+0:-400.0:12.500 HTTP/1.0\r\n\r\nbody",
    ],
)
def test_a_command_is_understood_in_every_spelling(text):
    assert parse_request(text) == Request(Command.MOVE_POINT, (0.0, -0.4, 0.0125))


@pytest.mark.capability("QW-89")
def test_golden_strings_of_both_ways():
    request = Request(Command.MOVE_POINT, (0.0, -0.4, 0.0125))
    assert format_request(request, "192.168.0.17:3550") == (
        "GET /Move2Point:0:-400:12.5 HTTP/1.1\r\nHost: 192.168.0.17:3550\r\n\r\n"
    )
    found = Message(Report.FOUND, (0.0753, -0.6301, 0.0))
    assert format_words(found) == "Found:75.3:-630.1:0"
    assert format_words(Message(Report.SYNC)) == "syncNext"
    back = parse_message(format_message(found))
    assert isinstance(back, Message)
    assert back.report == Report.FOUND
    assert back.values == pytest.approx(found.values, abs=1e-12)
    assert format_response(400, "no").startswith("HTTP/1.1 400 Bad Request\r\n")


@given(requests())
def test_what_is_written_is_read_back(request):
    back = parse_request(format_request(request))
    assert isinstance(back, Request)
    assert back.command == request.command
    assert back.values == pytest.approx(request.values, abs=1e-6)


@pytest.mark.parametrize(
    ("text", "offset", "word"),
    [
        ("Move2Pint:0:0:0", 0, "unknown header"),
        ("GET /Move2Point:0:0 HTTP/1.1", 5, "needs 3 values, got 2"),
        ("Move2Point:0:nan:0", 13, "decimal number"),
        ("Move2Point:0:-400:1e9", 18, "decimal number"),
        ("Move2Point:0:-400:٣", 18, "decimal number"),
        ("speed:256", 6, "0 to 255"),
        ("speed:1.5", 6, "0 to 255"),
        ("stop:1", 0, "needs 0 values"),
        ("", 0, "unknown header"),
        (b"\xff\xfe\x00", 0, "unknown header"),
        ("x" * 600, 512, "at most 512 bytes"),
    ],
)
def test_a_broken_text_says_where_and_why(text, offset, word):
    problem = parse_request(text)
    assert isinstance(problem, WireProblem)
    assert problem.offset == offset
    assert word in problem.problem
    assert f"byte {offset}" in str(problem)


@given(st.binary(max_size=80))
def test_no_bytes_at_all_raise(data):
    for prefix in (b"", b"GET /", b"DoStep:1:2:", b"Found:"):
        assert isinstance(parse_request(prefix + data), Request | WireProblem)
        assert isinstance(parse_message(prefix + data), Message | WireProblem)


def test_tables_have_the_printed_packet_counts():
    printed = [0, 0, 0, 6, 6, 8, 8, 12, 12, 12, 1, 1]
    assert [row.packets for row in COMMANDS[:12]] == printed
    assert [row.packets for row in REPORTS[:8]] == [0, 0, 1, 1, 1, 6, 0, 0]
    assert [row.index for row in COMMANDS] == list(range(len(COMMANDS)))
    assert [row.index for row in REPORTS] == list(range(len(REPORTS)))
