"""Guard: checks who may connect (token in the address, origin of the page), and every message that comes through.

viser's server lets anybody in, and no setting of it changes that. It opens its socket by
`websockets.asyncio.server.serve`, which can be given a check of requests and a class of connections; `guarding` puts
them in while a viser server starts. A relay before viser would leave viser's own port open to every user and every web
page of this machine.

Only messages of a few types are taken, each with exactly the fields that its type has, finite numbers and short texts.
viser itself would also let a browser set any attribute of a control, upload files and open a tunnel to the world.
"""

from __future__ import annotations

import asyncio
import dataclasses
import errno
import hmac
import html
import http
import ipaddress
import logging
import math
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import resources
from typing import Any
from urllib.parse import quote, urlsplit
from weakref import WeakSet

import msgspec
import websockets.asyncio.server as websocket_server
from viser.infra import Message
from websockets import Headers
from websockets.asyncio.server import Server, ServerConnection
from websockets.exceptions import ConnectionClosedError
from websockets.http11 import Request, Response

LARGEST_BYTES = 64 * 1024  # of one message; those that a page sends are far smaller, but for parts of files
LARGEST_UPLOAD_BYTES = 256 * 1024 * 1024
_LARGEST_PART_BYTES = 1024 * 1024  # of a file, as a message; pages send half of that
_LONGEST_TEXT = 1000
_LONGEST_LIST = 64
_FARTHEST = 1e12  # of any number

_TAKEN = (
    "ViewerCameraMessage",
    "ScenePointerMessage",
    "GuiUpdateMessage",
    "CommandTriggerMessage",
    "TransformControlsDragStartMessage",
    "TransformControlsUpdateMessage",
    "TransformControlsDragEndMessage",
    "FileTransferStartUpload",
    "FileTransferPart",
)
_KINDS = {kind.__name__: kind for kind in Message.get_subclasses() if kind.__name__ in _TAKEN}
_MOST_CONNECTIONS = 32  # browsers at once
_MOST_MESSAGES = 500  # of one browser at once; an orbiting one sends some fifty in a second
_MESSAGES_A_SECOND = 250.0  # for longer
_LEAVE_SECONDS = 0.5
_BAD_MESSAGE = 1008  # code of a connection that is closed because of what came through it
_QUIET = logging.getLogger("octoscope.web")  # a stranger's bad request is no news for the user


class BadMessage(ValueError):
    """A message that no page of ours sends."""


def accepts(raw: str | bytes, uploads: Uploads | None = None) -> bool:
    """Return whether a message is to be handed on; False for one that a page may send, but that is not wanted here.

    Args:
        uploads: of the browser that sends it; None: it may send no files.
    """
    if not isinstance(raw, bytes) or len(raw) > _LARGEST_PART_BYTES:
        raise BadMessage("not a message in bytes, or too large")
    try:
        fields = msgspec.msgpack.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadMessage("not MessagePack") from error
    if not isinstance(fields, dict) or not isinstance(fields.get("type"), str):
        raise BadMessage("a message without a type")
    content = fields.get("content") if fields["type"] == "FileTransferPart" else None
    _check_value({**fields, "content": None} if isinstance(content, bytes) else fields)
    if len(raw) - (len(content) if isinstance(content, bytes) else 0) > LARGEST_BYTES:
        raise BadMessage("too large")
    name = fields.pop("type")
    if name not in _KINDS:
        return False
    try:
        message: Any = msgspec.convert(fields, _KINDS[name])
    except msgspec.ValidationError as error:
        raise BadMessage(str(error)) from error
    if set(fields) - {field.name for field in dataclasses.fields(message)}:
        raise BadMessage("fields that do not belong there")
    match name:
        case "GuiUpdateMessage" if set(message.updates) != {"value"}:
            raise BadMessage("a page sets values of controls, nothing else of them")
        case "FileTransferStartUpload":
            return uploads is not None and uploads.begins(message)
        case "FileTransferPart":
            return uploads is not None and uploads.takes(message)
        case "ScenePointerMessage" if message.event_type == "rect-select":
            return len(message.screen_pos) == 2
        case "ScenePointerMessage":
            return message.ray_origin is not None and message.ray_direction is not None
    return True


class Uploads:
    """What one browser may still send of the file that it uploads; one at a time, so that memory is bounded."""

    def __init__(self) -> None:
        self._transfer = ""
        self._left_bytes = self._left_parts = 0

    @property
    def is_going(self) -> bool:
        """True while parts of a file are still to come."""
        return self._left_parts > 0

    def begins(self, message: Any) -> bool:
        """Return whether a file may be sent: not a second one at once, nor one that is too large."""
        is_small = 0 <= message.size_bytes <= LARGEST_UPLOAD_BYTES
        if self.is_going or not is_small or not 0 < message.part_count <= LARGEST_UPLOAD_BYTES // LARGEST_BYTES:
            return False
        self._transfer, self._left_bytes, self._left_parts = (
            message.transfer_uuid,
            message.size_bytes,
            message.part_count,
        )
        return True

    def takes(self, message: Any) -> bool:
        """Return whether a part belongs to that file."""
        if not self.is_going or message.transfer_uuid != self._transfer:
            return False
        self._left_bytes -= len(message.content)
        self._left_parts -= 1
        if self._left_bytes < 0:
            raise BadMessage("more of a file than was announced")
        return True


def _check_value(value: object, depth: int = 0) -> None:
    """Raise BadMessage for numbers that are not finite, texts or lists that are too long, and other things."""
    if isinstance(value, str):
        is_good = len(value) <= _LONGEST_TEXT
    elif isinstance(value, bool) or value is None:
        is_good = True
    elif isinstance(value, int | float):
        is_good = math.isfinite(value) and abs(value) <= _FARTHEST
    elif isinstance(value, list | dict):
        is_good = len(value) <= _LONGEST_LIST and depth < 4
        for each in value.values() if isinstance(value, dict) else value:
            _check_value(each, depth + 1)
    else:
        is_good = False
    if not is_good:
        raise BadMessage("a value that is too large, too long, or of a wrong kind")


_QUIET.addHandler(logging.NullHandler())
_QUIET.propagate = False
_ICON = re.compile(rb'rel="icon"\s+href="[^"]*"')
# viser takes no tap whose finger the canvas has captured, as browsers do by themselves, or that moves three pixels.
_TAPS = b"""<script>{
  let down = null;
  addEventListener("pointerdown", (event) => {
    down = event.pointerType === "touch" && event.isPrimary ? event : null;
    if (down && event.target.tagName === "CANVAS") event.target.releasePointerCapture(event.pointerId);
  }, true);
  addEventListener("pointermove", (event) => {
    if (event.pointerId !== down?.pointerId) return;
    if (Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < 12) event.stopPropagation();
    else down = null;
  }, true);
}</script>"""
_HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",  # else the token would go to wherever a link leads
    "X-Content-Type-Options": "nosniff",
    # The page is one file that unpacks itself. It may talk to this server, and to nobody else.
    "Content-Security-Policy": "default-src 'self' 'unsafe-inline' 'unsafe-eval' blob: data:; "
    "connect-src 'self' blob: data:; form-action 'none'; base-uri 'none'",
}

ProcessRequest = Callable[[ServerConnection, Request], Response | None]


class Guard:
    """Decides about requests to one server.

    Args:
        token: the first part of the path of every address.
        is_local: whether the server is bound to a loopback address. Then the name in the address has to be one of this
            machine's own: a page of another site may have its name resolved to this machine (DNS rebinding).
    """

    def __init__(self, token: str, *, is_local: bool) -> None:
        self._token = token
        self._is_local = is_local
        self._connections: WeakSet[ServerConnection] = WeakSet()

    def connect(self, *arguments: Any, **options: Any) -> ServerConnection:
        """Return a connection that hands on good messages only; called by the server."""
        connection = GuardedConnection(*arguments, **options)
        self._connections.add(connection)
        return connection

    def drop_all(self) -> None:
        """Give browsers a moment to take leave, then drop those that are left, such as stopped ones; for any thread."""
        for connection in list(self._connections):
            loop = connection.loop
            with suppress(RuntimeError, AttributeError):  # the server's event loop is closed, or this has just begun
                loop.call_soon_threadsafe(loop.call_later, _LEAVE_SECONDS, connection.transport.abort)

    def refuses(self, request: Request, connections: int) -> tuple[http.HTTPStatus, str] | None:
        """Return why a request is refused, or None; `connections`: how many there are already."""
        try:
            return self._refusal(request, connections)
        except ValueError:  # of urlsplit, or letters that no address has
            return http.HTTPStatus.FORBIDDEN, "an address is broken: use the one that was printed"

    def _refusal(self, request: Request, connections: int) -> tuple[http.HTTPStatus, str] | None:
        host = _only(request.headers, "Host")
        if host is None or (self._is_local and not _names_this_machine(host)):
            return http.HTTPStatus.FORBIDDEN, "this server answers to its own address only"
        token, _, rest = urlsplit(request.path).path.removeprefix("/").partition("/")
        if not hmac.compare_digest(token.encode(), self._token.encode()):
            return http.HTTPStatus.FORBIDDEN, "the address lacks its token: use the whole address that was printed"
        if rest:
            return http.HTTPStatus.NOT_FOUND, "there is one page here, and no files"
        if is_upgrade(request):
            origin = _only(request.headers, "Origin")
            if origin is None or urlsplit(origin).netloc != host:
                return http.HTTPStatus.FORBIDDEN, "a page of another site may not connect"
            if connections >= _MOST_CONNECTIONS:
                return http.HTTPStatus.SERVICE_UNAVAILABLE, "too many browsers are connected"
        return None


def is_upgrade(request: Request) -> bool:
    """Return whether a request wants to become a WebSocket."""
    return "websocket" in ",".join(request.headers.get_all("Upgrade")).lower()


class GuardedConnection(ServerConnection):
    """A connection that hands on good messages only, and closes at the first bad one."""

    _last = 0.0  # time of the message before
    _allowed = float(_MOST_MESSAGES)

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._uploads = Uploads()

    async def recv(self, decode: bool | None = None) -> Any:
        """Return the next message that viser may have; a browser that sends what no page of ours does is cut off."""
        while True:
            raw = await super().recv(decode)
            try:
                if not self._uploads.is_going:  # whose parts come as quickly as they can
                    self._check_rate()
                if accepts(raw, self._uploads):
                    return raw
            except BadMessage as error:
                await self.close(_BAD_MESSAGE, str(error)[:100])
                raise ConnectionClosedError(None, None) from error

    def _check_rate(self) -> None:
        now = time.monotonic()
        self._allowed = min(self._allowed + (now - self._last) * _MESSAGES_A_SECOND, _MOST_MESSAGES) - 1.0
        self._last = now
        if self._allowed < 0.0:
            raise BadMessage("too many messages")


def _tell_fault(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Tell a fault of the server as asyncio does; connections that find no file descriptor wait, and are no news."""
    error = context.get("exception")
    has_none_left = isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE)
    # asyncio accepts again a second later, when the server may have been closed.
    is_closed = isinstance(error, ValueError) and "_start_serving" in str(context.get("handle"))
    if not has_none_left and not is_closed:
        loop.default_exception_handler(context)


_starting = threading.Lock()


@contextmanager
def guarding(guard: Guard, listener: socket.socket, title: str) -> Iterator[list[Server]]:
    """Make the viser server that starts meanwhile listen on a socket of ours, behind a guard.

    Yields:
        a list that gets the server as soon as it listens; it is empty if viser went another way, unguarded.
    """
    begun: list[Server] = []
    serve = websocket_server.serve

    def guarded_serve(handler: Any, *place: object, process_request: ProcessRequest, **options: Any) -> Any:
        if not handler.__module__.startswith("viser."):  # another program's, at the same moment
            return serve(handler, *place, process_request=process_request, **options)  # type: ignore[arg-type]

        def check(connection: ServerConnection, request: Request) -> Response | None:
            refusal = guard.refuses(request, len(connection.server.connections))
            if refusal is not None:
                return connection.respond(*refusal)
            if is_upgrade(request):
                return None
            # Its script is packed already, so that the page is hardly smaller in gzip.
            page = process_request(connection, Request("/", Headers()))
            return None if page is None else _page_of_ours(page, title)

        options |= {"max_size": _LARGEST_PART_BYTES, "logger": _QUIET, "create_connection": guard.connect}
        asyncio.get_running_loop().set_exception_handler(_tell_fault)
        serving = serve(handler, None, None, sock=listener, process_request=check, **options)
        begun.append(serving)  # type: ignore[arg-type]
        return serving

    with _starting:
        websocket_server.serve = guarded_serve  # type: ignore[assignment,misc]
        try:
            yield begun
        finally:
            websocket_server.serve = serve  # type: ignore[misc]


def _page_of_ours(page: Response, title: str) -> Response:
    """Return viser's page with a title and an icon of ours, taps by fingers, and what a browser is told about it."""
    head = f"<title>{html.escape(title)}</title>".encode() + _TAPS
    body = page.body.replace(b"<title>Viser</title>", head, 1)
    icon = quote(resources.files("octoscope.assets").joinpath("linux/octoscope.svg").read_bytes())
    body = _ICON.sub(b'rel="icon" href="data:image/svg+xml,' + icon.encode() + b'"', body, count=1)
    headers = Headers({"Content-Type": page.headers["Content-Type"], "Content-Length": str(len(body)), **_HEADERS})
    return Response(page.status_code, page.reason_phrase, headers, body)


def is_loopback(host: str) -> bool:
    """Return whether a host name or address means this machine alone."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _names_this_machine(host: str) -> bool:
    """Return whether a Host header, with or without a port, has a name of this machine's own."""
    try:
        name = urlsplit(f"//{host}").hostname
    except ValueError:
        return False
    return name is not None and is_loopback(name)


def _only(headers: Headers, name: str) -> str | None:
    """Return the value of a header that is there once, or None."""
    values = headers.get_all(name)
    return values[0] if len(values) == 1 else None
