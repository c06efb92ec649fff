"""Strangers at the door of the server, and messages that no page sends: they are refused, and it goes on serving."""

import http.client
import os
import re
import signal
import socket
import stat
import subprocess
import sys
from contextlib import suppress
from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("viser", reason="octoscope[web] is not installed")

from websockets.exceptions import ConnectionClosed, InvalidStatus

from octoscope.viewer.features.web import guard
from octoscope.viewer.features.web.guard import LARGEST_BYTES
from octoscope.viewer.features.web.server import ServerUnavailable, WebServer, kept_token
from tests.viewer.chromium import wait_for
from tests.viewer.features.web.serving import CAMERA, TOKEN, closes, connected, packed
from tests.viewer.features.web.test_messages import BAD


@pytest.fixture(scope="module")
def server():
    server = WebServer("127.0.0.1", 0, TOKEN, "a <test>")
    yield server
    server.stop()


def get(server, path: str, **headers: str) -> tuple[int, bytes, dict]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    connection.putrequest("GET", path, skip_host="Host" in headers)
    for name, value in headers.items():
        connection.putheader(name, value)
    connection.endheaders()
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, body, {name.lower(): value for name, value in answer.getheaders()}


def test_the_page_comes_with_the_whole_address_and_may_talk_to_nobody_else(server):
    assert re.fullmatch(rf"http://127\.0\.0\.1:{server.port}/{TOKEN}/", server.address)
    status, body, headers = get(server, f"/{TOKEN}/")
    assert status == 200 and b"<html" in body and b"<title>a &lt;test&gt; - Octoscope</title>" in body
    assert headers["referrer-policy"] == "no-referrer"
    assert "default-src 'self'" in headers["content-security-policy"]


@pytest.mark.parametrize("path", ["/", "/index.html", "/wrong", f"/{TOKEN}x/", f"/{TOKEN[:-1]}/", "/%2e/", "//", "//["])
def test_without_the_token_there_is_nothing(server, path):
    status, body, _ = get(server, path)
    assert status == 403 and len(body) < 200


@pytest.mark.parametrize("rest", ["index.html", "../", "..%2f..%2fetc/passwd", "/etc/passwd", "%2e%2e/__init__.py"])
def test_no_file_can_be_reached(server, rest):
    assert get(server, f"/{TOKEN}/{rest}")[0] == 404


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "localhost.evil.example", "10.0.0.1", "", "[::"])
def test_a_name_that_another_site_had_resolved_to_this_machine_is_refused(server, host):
    assert get(server, f"/{TOKEN}/", Host=host)[0] in (400, 403)


def test_names_of_this_machine_are_good_also_through_a_tunnel(server):
    for host in ("localhost:9000", "127.0.0.1", "[::1]:80"):
        assert get(server, f"/{TOKEN}/", Host=host)[0] == 200


@pytest.mark.parametrize(
    "origin", [None, "http://evil.example", "null", "http://[", "http://127.0.0.1:1", "https://localhost"]
)
def test_a_page_of_another_origin_may_not_connect(server, origin):
    with pytest.raises(InvalidStatus) as refused:
        connected(server, origin=origin)
    assert refused.value.response.status_code == 403


@pytest.mark.parametrize("path", ["", "wrong", f"{TOKEN}/more"])
def test_a_connection_without_the_token_is_refused(server, path):
    with pytest.raises(InvalidStatus) as refused:
        connected(server, path=path)
    assert refused.value.response.status_code in (403, 404)


@pytest.mark.parametrize("raw", BAD.values(), ids=BAD)
def test_a_bad_message_ends_its_connection_and_no_other(server, raw, capfd):
    with connected(server) as other, connected(server) as bad:
        bad.send(raw)
        assert closes(bad)
        other.send(packed("ViewerCameraMessage", **CAMERA))
        other.ping().wait(10)
    assert get(server, f"/{TOKEN}/")[0] == 200
    assert capfd.readouterr() == ("", "")


def test_a_huge_message_and_a_flood_end_their_connections(server, monkeypatch):
    monkeypatch.setattr(guard, "_MESSAGES_A_SECOND", 0.0)  # a flood, however slowly this machine sends it
    with connected(server) as huge:
        huge.send(os.urandom(LARGEST_BYTES + 1))
        assert closes(huge)
    with connected(server) as flood:
        with suppress(ConnectionClosed):
            for _ in range(5000):
                flood.send(packed("CommandTriggerMessage", uuid="a"))
        assert closes(flood)


def test_what_is_no_http_at_all_harms_nothing(server, capfd):
    rng = np.random.default_rng(1)
    for size in (1, 100, 10_000):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
        connection.connect()
        connection.sock.sendall(rng.bytes(size) + b"\r\n\r\n")
        connection.close()
    assert get(server, f"/{TOKEN}/")[0] == 200
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("line", ["GET /\xff HTTP/1.1", "GET // HTTP/1.1\r\nOrigin: \xff", "GET /\\u0100[ HTTP/1.1"])
def test_letters_that_no_address_has_are_refused(server, line):
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as stranger:
        stranger.sendall(f"{line}\r\nHost: localhost\r\n\r\n".encode("latin-1"))
        assert stranger.recv(12) == b"HTTP/1.1 403"


def test_browsers_that_do_not_take_leave_hold_nothing_up():
    server = WebServer("127.0.0.1", 0, TOKEN, "test")
    browsers = subprocess.Popen([sys.executable, "-c", STALLED, str(server.port)], stdout=subprocess.PIPE)
    assert browsers.stdout.readline() == b"connected\n"
    browsers.send_signal(signal.SIGSTOP)
    server.viser.scene.add_point_cloud("more than waits in sockets", np.zeros((10**6, 3)), (0, 0, 0))
    (connection, *_) = server._guard._connections
    wait_for(lambda: connection.transport.get_write_buffer_size() > 0, "the sockets to be full")
    thread = server.viser._websock_server._server_thread
    server.stop()  # which waits for that thread, but not for ever
    is_left = thread.is_alive()
    browsers.kill()
    browsers.communicate()
    assert not is_left


STALLED = """
import sys, time
from types import SimpleNamespace
from tests.viewer.features.web.serving import connected
browsers = [connected(SimpleNamespace(port=int(sys.argv[1]))) for _ in range(20)]
print("connected", flush=True)
time.sleep(600)
"""
MANY_STRANGERS = """
import resource, socket
from tests.viewer.features.web.serving import TOKEN
from octoscope.viewer.features.web.server import WebServer
resource.setrlimit(resource.RLIMIT_NOFILE, (60, 60))
server = WebServer("127.0.0.1", 0, TOKEN, "test")
strangers = []
try:
    while True:
        strangers.append(socket.create_connection(("127.0.0.1", server.port), timeout=10))
except OSError:  # this process has none left either
    pass
strangers.pop().close()
server.stop()
"""


@pytest.mark.slow
def test_strangers_that_take_all_descriptors_are_no_tracebacks():
    done = subprocess.run([sys.executable, "-c", MANY_STRANGERS], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


def test_no_more_browsers_than_the_server_can_serve(server):
    open_ones = []
    with pytest.raises(InvalidStatus) as refused:
        for _ in range(60):
            open_ones.append(connected(server))
    assert refused.value.response.status_code == 503
    for each in open_ones:
        each.close()


def test_a_port_that_is_taken_and_a_host_that_is_not_here_are_said_in_a_line(server):
    with pytest.raises(ServerUnavailable, match=rf"port {server.port}: .*in use; --port 0"):
        WebServer("127.0.0.1", server.port, TOKEN, "test")
    with pytest.raises(ServerUnavailable, match=r"192\.0\.2\.1"):
        WebServer("192.0.2.1", 0, TOKEN, "test")


def test_viser_without_the_guard_does_not_serve(monkeypatch):
    from octoscope.viewer.features.web import guard

    monkeypatch.setattr(guard.websocket_server, "serve", guard.websocket_server.serve)

    def went_another_way(self, *_, **__):
        self.unguarded = True

    import viser

    monkeypatch.setattr(viser.ViserServer, "__init__", went_another_way)
    monkeypatch.setattr(viser.ViserServer, "stop", lambda self: None)
    monkeypatch.setattr(viser.ViserServer, "_websock_server", SimpleNamespace(_server_thread=None), raising=False)
    with pytest.raises(ServerUnavailable, match="cannot be guarded"):
        WebServer("127.0.0.1", 0, TOKEN, "test")


def test_the_token_is_kept_where_nobody_else_can_read_it(tmp_path):
    token = kept_token(tmp_path / "new")
    (path,) = (tmp_path / "new").iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert kept_token(tmp_path / "new") == token and len(token) >= 32
    path.chmod(0o644)  # somebody may have read it
    assert kept_token(tmp_path / "new") != token
    path.write_text("../short")
    assert len(kept_token(tmp_path / "new")) >= 32
