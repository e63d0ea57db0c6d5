"""Access control of the page's server: host, origin and token.

Every web page that is open in the same browser can send requests to this machine. A
request is therefore heard only if it names us as its host and, where it has an origin,
comes from a page of ours. Other people of the machine or of the network are kept out by
a token: it stands in the address that is printed, and is then kept in a cookie.
"""

from __future__ import annotations

import hmac
import ipaddress
import secrets
import socket
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import parse_qs, urlsplit

from gelenk.errors import ConfigError


class Headers(Protocol):
    """Rules for the headers of a request."""

    def get_all(self, key: str) -> list[str]:
        """Return all values of a header."""
        ...


def new_token() -> str:
    """Return a token that nobody guesses."""
    return secrets.token_urlsafe(18)


def is_loopback(host: str) -> bool:
    """Return whether a host can be reached from this machine alone."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessControl:
    """Checks requests.

    Attributes:
        host: Address that the server listens on.
        port: Its port.
        token: Secret that a page has to know; empty: none, only on this machine.

    Raises:
        ConfigError: If others could reach the server without a token.
    """

    host: str
    port: int
    token: str = ""

    def __post_init__(self) -> None:
        if not self.token and not is_loopback(self.host):
            raise ConfigError(
                f"`--host {self.host}` can be reached from the network, so a token is "
                "needed; leave `--token` out to get one"
            )

    @property
    def cookie(self) -> str:
        """Name of the cookie; browsers do not tell ports apart."""
        return f"gelenk_{self.port}"

    @property
    def url(self) -> str:
        """Address to be printed and opened."""
        host = {"0.0.0.0": socket.gethostname(), "::": socket.gethostname()}.get(
            self.host, self.host
        )
        host = f"[{host}]" if ":" in host else host
        query = f"?token={self.token}" if self.token else ""
        return f"http://{host}:{self.port}/{query}"

    def refusal(self, headers: Headers, *, needs_origin: bool) -> str:
        """Return why a request is not heard; empty if it is.

        Args:
            headers: Headers of the request.
            needs_origin: Whether it must say which page it comes from; browsers do so
                for sockets, not for files.
        """
        hosts, origins = headers.get_all("Host"), headers.get_all("Origin")
        if len(hosts) != 1 or not self._is_own_host(hosts[0].lower()):
            shown = ", ".join(hosts)[:80]
            return f"this server is not {shown!r}; open {self.url.split('?')[0]}"
        if not origins and not needs_origin:
            return ""
        if [origin.lower() for origin in origins] != [f"http://{hosts[0].lower()}"]:
            return "only pages of this server may talk to it"
        return ""

    def _is_own_host(self, text: str) -> bool:
        parts = urlsplit(f"//{text}")
        try:
            name, port = parts.hostname, parts.port
        except ValueError:
            return False
        if name is None or parts.netloc != text or parts.username is not None:
            return False
        if (80 if port is None else port) != self.port:
            return False
        names = {"localhost", "127.0.0.1", "::1", self.host.lower()}
        if is_loopback(self.host):
            return name in names
        # A name that leads here could be anybody's; an address cannot.
        machine = socket.gethostname().lower()
        return name in {*names, machine, f"{machine}.local"} or _is_address(name)

    def knows(self, path: str, headers: Headers) -> bool:
        """Return whether a request has the token, in its address or as a cookie."""
        if not self.token:
            return True
        offered = self.offered(path)
        for header in headers.get_all("Cookie"):
            for part in header.split(";"):
                name, _, value = part.strip().partition("=")
                if name == self.cookie:
                    offered = [*offered, value]
        return any(self._is_token(text) for text in offered)

    def offered(self, path: str) -> list[str]:
        """Return the tokens in an address."""
        return parse_qs(urlsplit(path).query).get("token", [])

    def _is_token(self, text: str) -> bool:
        return hmac.compare_digest(text.encode(), self.token.encode())


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
