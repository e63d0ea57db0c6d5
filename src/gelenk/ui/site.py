"""Files of the page over HTTP: the client's bundle, pictures, downloads, meshes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, unquote, urlsplit

from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from gelenk.ui.access_control import AccessControl

STATIC = Path(__file__).parent / "static"
MAX_DOWNLOAD = 512 * 2**20  # [bytes]; an answer is made in memory

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".map": "application/json",
    ".txt": "text/plain; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".gif": "image/gif",
    ".ico": "image/x-icon",
    ".webp": "image/webp",
    ".webm": "video/webm",
    ".woff2": "font/woff2",
    ".wasm": "application/wasm",
}
POLICY = (
    "default-src 'self'; connect-src 'self' ws://{host}; "
    # CodeMirror writes its style sheets into the page.
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "media-src 'self' blob:; worker-src 'self' blob:; object-src 'none'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
FOR_EVER = "max-age=31536000, immutable"
STRANGER = "open the address that gelenk printed first"
BINARY = "application/octet-stream"
MISSING = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Gelenk</title>
<body style="font:16px/1.5 system-ui;max-width:40em;margin:15vh auto;padding:0 1em">
<h1>The page is not built</h1>
<p>The server runs, but <code>gelenk/ui/static</code> has no <code>index.html</code>.
In a checkout, build it with <code>make client</code> (this needs Node 20 or newer) and
reload; otherwise install gelenk again.</p>
</body></html>
"""

FindFile = Callable[[str], Path | None]
FindAsset = Callable[[str], bytes | None]


class SiteAnswer(NamedTuple):
    """A body with what belongs to it."""

    status: HTTPStatus
    content_type: str
    body: bytes
    headers: tuple[tuple[str, str], ...] = ()


def text_answer(status: HTTPStatus, text: str) -> SiteAnswer:
    """Return a short message for people."""
    return SiteAnswer(status, TYPES[".txt"], f"{text}\n".encode())


class StaticSite:
    """Answers requests for files.

    Args:
        guard: Rule that says who may ask.
        find_file: The file behind a download that was offered, None if there is none.
        find_asset: The bytes of a mesh or texture of the open scene, None if there is
            none of that name.
        root: Folder of the bundle.
    """

    def __init__(
        self,
        guard: AccessControl,
        *,
        find_file: FindFile,
        find_asset: FindAsset,
        root: Path = STATIC,
    ) -> None:
        self._guard = guard
        self._find_file, self._find_asset = find_file, find_asset
        self._root = root.resolve()

    @property
    def is_built(self) -> bool:
        """Whether there is a page to show."""
        return (self._root / "index.html").is_file()

    def respond(self, request: Request) -> Response:
        """Return the answer to a request that is not for the socket."""
        method = getattr(request, "method", "GET")  # older websockets know no other
        host = "localhost"
        if refused := self._guard.refusal(request.headers, needs_origin=False):
            answer = text_answer(HTTPStatus.FORBIDDEN, refused)
        else:
            host = request.headers["Host"]
            answer = self._answer(request, method)
        headers = Headers(
            [
                ("Content-Type", answer.content_type),
                ("Content-Length", str(len(answer.body))),
                ("Connection", "close"),
                ("Content-Security-Policy", POLICY.format(host=host)),
                ("Cross-Origin-Opener-Policy", "same-origin"),
                ("Cross-Origin-Resource-Policy", "same-origin"),
                ("Referrer-Policy", "no-referrer"),
                ("X-Content-Type-Options", "nosniff"),
                *answer.headers,
            ]
        )
        body = b"" if method == "HEAD" else answer.body
        return Response(answer.status.value, answer.status.phrase, headers, body)

    def _answer(self, request: Request, method: str) -> SiteAnswer:
        if method not in ("GET", "HEAD"):
            return text_answer(HTTPStatus.METHOD_NOT_ALLOWED, "only GET and HEAD")
        path = unquote(urlsplit(request.path).path)
        if path.startswith("/files/"):
            return self._download(path.removeprefix("/files/"), request)
        if path.startswith("/meshes/"):
            return self._asset(path.removeprefix("/meshes/"), request)
        if path in ("/", "/index.html"):
            return self._index(request)
        return self._static(path, request)

    def _index(self, request: Request) -> SiteAnswer:
        offered = self._guard.offered(request.path)
        fresh = ("Cache-Control", "no-store")
        cookies = ()
        if offered and self._guard.token:
            if not self._guard.knows(request.path, request.headers):
                return text_answer(
                    HTTPStatus.FORBIDDEN,
                    "the token is of another run; open the address that gelenk printed",
                )
            value = (
                f"{self._guard.cookie}={self._guard.token}; Path=/; HttpOnly; "
                "SameSite=Strict"
            )
            cookies = (("Set-Cookie", value),)
        if not self.is_built:
            body = MISSING.encode()
        else:
            body = (self._root / "index.html").read_bytes()
        return SiteAnswer(HTTPStatus.OK, TYPES[".html"], body, (fresh, *cookies))

    def _static(self, path: str, request: Request) -> SiteAnswer:
        file = self._find_static(path)
        if file is None:
            return text_answer(HTTPStatus.NOT_FOUND, "there is no such file")
        body = file.read_bytes()
        if path.startswith("/assets/"):  # their names change with their content
            keep = ("Cache-Control", f"public, {FOR_EVER}")
            return SiteAnswer(HTTPStatus.OK, TYPES[file.suffix], body, (keep,))
        tag = f'"{hashlib.sha256(body).hexdigest()[:20]}"'
        headers = (("Cache-Control", "no-cache"), ("ETag", tag))
        if tag in request.headers.get_all("If-None-Match"):
            return SiteAnswer(HTTPStatus.NOT_MODIFIED, TYPES[file.suffix], b"", headers)
        return SiteAnswer(HTTPStatus.OK, TYPES[file.suffix], body, headers)

    def _find_static(self, path: str) -> Path | None:
        """Return the file of a path, None for everything outside the folder."""
        parts = path.split("/")[1:]
        if any(part in ("", ".", "..") or set(part) & set("\\:\0") for part in parts):
            return None
        file = self._root.joinpath(*parts)
        try:
            is_inside = file.resolve().is_relative_to(self._root) and file.is_file()
        except (OSError, ValueError):  # a name that the system cannot have
            return None
        return file if is_inside and file.suffix in TYPES else None

    def _asset(self, name: str, request: Request) -> SiteAnswer:
        if not self._guard.knows(request.path, request.headers):
            return text_answer(HTTPStatus.FORBIDDEN, STRANGER)
        body = self._find_asset(name)
        if body is None:
            return text_answer(HTTPStatus.NOT_FOUND, "the open scene has no such mesh")
        keep = ("Cache-Control", f"private, {FOR_EVER}")
        return SiteAnswer(
            HTTPStatus.OK, TYPES.get(Path(name).suffix, BINARY), body, (keep,)
        )

    def _download(self, name: str, request: Request) -> SiteAnswer:
        if not self._guard.knows(request.path, request.headers):
            return text_answer(HTTPStatus.FORBIDDEN, STRANGER)
        file = self._find_file(name)
        if file is None or not file.is_file():
            return text_answer(HTTPStatus.NOT_FOUND, "this file is not offered")
        if file.stat().st_size > MAX_DOWNLOAD:
            return text_answer(
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
                f"{file.name} has more than {MAX_DOWNLOAD >> 20} MiB; copy it from "
                "the machine that runs gelenk",
            )
        kind = TYPES.get(file.suffix, BINARY)
        headers = (
            ("Content-Disposition", f"attachment; filename*=UTF-8''{quote(file.name)}"),
            ("Cache-Control", "no-store"),
        )
        return SiteAnswer(HTTPStatus.OK, kind, file.read_bytes(), headers)
