"""What a leg and its main controller say to each other."""

from gelenk.robots.amee.wire.gateway import Gateway as Gateway
from gelenk.robots.amee.wire.packets import bytes_from_packets as bytes_from_packets
from gelenk.robots.amee.wire.packets import decode_message as decode_message
from gelenk.robots.amee.wire.packets import decode_request as decode_request
from gelenk.robots.amee.wire.packets import encode as encode
from gelenk.robots.amee.wire.packets import packets_from_bytes as packets_from_bytes
from gelenk.robots.amee.wire.table import Command as Command
from gelenk.robots.amee.wire.table import ErrorCode as ErrorCode
from gelenk.robots.amee.wire.table import Message as Message
from gelenk.robots.amee.wire.table import Report as Report
from gelenk.robots.amee.wire.table import Request as Request
from gelenk.robots.amee.wire.table import WireProblem as WireProblem
from gelenk.robots.amee.wire.text import format_message as format_message
from gelenk.robots.amee.wire.text import format_request as format_request
from gelenk.robots.amee.wire.text import format_response as format_response
from gelenk.robots.amee.wire.text import format_words as format_words
from gelenk.robots.amee.wire.text import parse_message as parse_message
from gelenk.robots.amee.wire.text import parse_request as parse_request
