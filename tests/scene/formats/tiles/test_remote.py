"""Tilesets on servers: what is asked for, how often, and what is done about answers that fail."""

from __future__ import annotations

import gzip
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest

from octoscope.scene import ReadError
from octoscope.scene.formats.tiles.files import remote
from octoscope.scene.spatial.lod_view import LodView
from octoscope.scene.streaming.opening import open_tileset
from octoscope.scene.streaming.streamed_tiles import StreamedTiles
from tests.scene.formats.tiles.test_any_tileset import (
    CORNERS,
    EVERYWHERE,
    glb,
    in_order,
    in_scene,
    shown,
    tile,
    tileset,
)

Answer = Callable[[BaseHTTPRequestHandler, bytes], object]


class Server:
    """A folder on a server; `answers` says how single files are answered, one after another."""

    def __init__(self, folder: Path) -> None:
        self.asked: list[str] = []
        self.bodies: Counter[str] = Counter()
        self.answers: dict[str, list[Answer]] = {}
        self.headers: dict[str, str] = {}
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                name = self.path.partition("?")[0]
                server.asked.append(self.path)
                file = folder / name.lstrip("/")
                waiting = server.answers.get(name.lstrip("/"), [])
                if not file.is_file():
                    return self.send_error(404)
                data = file.read_bytes()
                if waiting:
                    return waiting.pop(0)(self, data)
                if self.headers.get("If-None-Match") == f'"{len(data)}"':
                    self.send_response(304)
                    return self.end_headers()
                server.bodies[name] += 1
                answer(self, data, **server.headers, ETag=f'"{len(data)}"')

            def log_message(self, *arguments: object) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True).start()
        self.address = f"http://127.0.0.1:{self._http.server_port}"

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()


def answer(handler: BaseHTTPRequestHandler, data: bytes, *, length: int | None = None, **headers: str) -> None:
    handler.send_response(200)
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.send_header("Content-Length", str(len(data) if length is None else length))
    handler.end_headers()
    handler.wfile.write(data)


def failing(code: int) -> Answer:
    return lambda handler, data: handler.send_error(code)


def cut_off(handler: BaseHTTPRequestHandler, data: bytes) -> None:
    answer(handler, data[: len(data) // 2], length=len(data))
    handler.close_connection = True


def late(handler: BaseHTTPRequestHandler, data: bytes) -> None:
    time.sleep(1.0)
    handler.close_connection = True


def hanging_up(handler: BaseHTTPRequestHandler, data: bytes) -> None:
    handler.close_connection = True


def zipped(handler: BaseHTTPRequestHandler, data: bytes) -> None:
    answer(handler, gzip.compress(data), Content_Encoding="gzip")


@pytest.fixture
def server(tmp_path, monkeypatch) -> Iterator[Server]:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setenv(remote.CACHE_VARIABLE, str(tmp_path / "cache"))
    monkeypatch.setattr(remote, "_WAITS_SECONDS", (0.0, 0.0))
    monkeypatch.setattr(remote, "_TIMEOUT_SECONDS", 0.4)
    (tmp_path / "www").mkdir()
    made = Server(tmp_path / "www")
    yield made
    made.close()
    forget()


def forget() -> None:
    """Do as a new start of the program does: the cache is there, and nothing is known of the server."""
    (servers,) = (place for place in remote.PLACES if isinstance(place, remote._Servers))
    servers._asked.clear()
    servers._failed.clear()


def write_city(folder: Path) -> None:
    """A tileset in a tileset: a coarse tile, and below it two finer ones."""
    glb(folder / "coarse.glb", CORNERS * 2.0)
    glb(folder / "deep" / "a.glb")
    glb(folder / "deep" / "b.glb", CORNERS + 5.0)
    finer = [tile(content={"uri": f"{name}.glb"}) for name in "ab"]
    tileset(folder / "deep" / "finer.json", tile(error=9, children=finer))
    below = tile(error=9, content={"uri": "deep/finer.json"})
    tileset(folder / "tileset.json", tile(error=9, content={"uri": "coarse.glb"}, children=[below]))


def read_all(address: str, view: LodView = EVERYWHERE) -> tuple[StreamedTiles, list[str]]:
    tiles = open_tileset(address, budget=10**9)
    return tiles, [*tiles.scene.report.warnings, *tiles.read_all([view])]


FINE = in_order(np.concatenate([in_scene(), in_scene(corners=CORNERS + 5.0)]))


def test_each_file_is_asked_for_once_and_what_has_not_changed_is_not_sent_again(server, tmp_path):
    write_city(tmp_path / "www")
    for opened in range(3):
        tiles, problems = read_all(f"{server.address}/tileset.json")
        assert problems == []
        np.testing.assert_allclose(shown(tiles.scene), FINE, atol=2e-3)
        assert max(Counter(server.asked).values()) == 1 and len(server.asked) == 5
        if opened == 0:
            continue
        assert set(server.bodies.values()) == {1}
        server.asked.clear()
        forget()
    glb(tmp_path / "www" / "deep" / "b.glb", np.repeat(CORNERS, 3, axis=0)[:4] + 7.0)  # of the same size
    forget()
    assert read_all(f"{server.address}/tileset.json")[1] == []


def test_what_a_server_says_stays_fresh_is_not_asked_for_again(server, tmp_path):
    write_city(tmp_path / "www")
    server.headers = {"Cache_Control": "max-age=600"}
    for _ in range(2):
        read_all(f"{server.address}/tileset.json")
        forget()
    assert max(Counter(server.asked).values()) == 1


def test_no_more_is_asked_for_than_a_picture_needs(server, tmp_path):
    write_city(tmp_path / "www")
    read_all(f"{server.address}/", LodView(np.full(3, 1e6), np.zeros((0, 4)), 1.0))
    assert [name for name in server.asked if name.endswith(".glb")] == ["/coarse.glb"]


@pytest.mark.parametrize("fault", [failing(503), failing(429), cut_off, late, hanging_up])
@pytest.mark.parametrize("name", ["tileset.json", "deep/finer.json", "deep/b.glb"])
def test_answers_that_fail_twice_are_asked_for_again(server, tmp_path, fault, name):
    write_city(tmp_path / "www")
    server.answers[name] = [fault, fault]
    tiles, problems = read_all(f"{server.address}/tileset.json")
    assert problems == [] and server.asked.count(f"/{name}") == 3
    np.testing.assert_allclose(shown(tiles.scene), FINE, atol=2e-3)


@pytest.mark.parametrize(
    ("fault", "said", "tries"),
    [
        (failing(404), "does not have it", 1),
        (failing(403), "may need a key", 1),
        (failing(500), "try again later", 3),
        (cut_off, "cut off", 3),
        (late, "no answer in time", 3),
    ],
)
def test_what_cannot_be_fetched_is_told_in_a_line_and_the_rest_is_shown(server, tmp_path, fault, said, tries):
    write_city(tmp_path / "www")
    server.answers["deep/b.glb"] = [fault] * 9
    tiles, (line,) = read_all(f"{server.address}/tileset.json?key=secret")
    assert said in line and "\n" not in line and "secret" not in line
    assert f"{server.address}/deep/b.glb: " in line
    assert server.asked.count("/deep/b.glb?key=secret") == tries
    np.testing.assert_allclose(shown(tiles.scene), in_order(in_scene()), atol=2e-3)
    with pytest.raises(ReadError, match=r"^http://127[^\n]*/none.json: the server does not have it \(404\)[^\n]*$"):
        open_tileset(f"{server.address}/none.json")


def test_keys_in_the_address_go_on_to_all_files_and_own_ones_stay(server, tmp_path):
    write_city(tmp_path / "www")
    child = tile(error=9, content={"uri": "deep/finer.json?session=2"})
    tileset(tmp_path / "www" / "tileset.json", tile(error=9, children=[child]))
    assert read_all(f"{server.address}/tileset.json?key=a%20b")[1] == []
    assert set(server.asked) == {
        "/tileset.json?key=a%20b",
        "/deep/finer.json?session=2&key=a%20b",
        "/deep/a.glb?session=2&key=a%20b",
        "/deep/b.glb?session=2&key=a%20b",
    }


def test_packed_answers_are_unpacked_and_other_servers_are_not_asked(server, tmp_path):
    write_city(tmp_path / "www")
    server.answers["coarse.glb"] = [zipped]
    child = tile(content={"uri": "http://127.0.0.1:9/x.glb"})
    tileset(
        tmp_path / "www" / "tileset.json", tile(error=9, refine="ADD", content={"uri": "coarse.glb"}, children=[child])
    )
    tiles, (line,) = read_all(f"{server.address}/tileset.json")
    assert "on another server" in line
    np.testing.assert_allclose(shown(tiles.scene), in_order(in_scene(corners=CORNERS * 2.0)), atol=2e-3)


def test_the_cache_keeps_to_its_size_and_survives_damage(server, tmp_path, monkeypatch):
    write_city(tmp_path / "www")
    read_all(f"{server.address}/tileset.json")
    files = list((tmp_path / "cache").iterdir())
    assert len(files) == 5
    for number, file in enumerate(files):
        file.write_bytes([b"", b"{}\n", file.read_bytes()[:-1], b"\xff\n", b"[]\nx"][number])
    forget()
    assert read_all(f"{server.address}/tileset.json")[1] == []
    whole = sum(file.stat().st_size for file in files)
    monkeypatch.setattr(remote, "_CACHE_BYTES", whole / 2)
    monkeypatch.setattr(remote._CACHE, "_total", None)
    for file in files:
        file.unlink()
    forget()
    assert read_all(f"{server.address}/tileset.json")[1] == []
    assert sum(file.stat().st_size for file in (tmp_path / "cache").iterdir()) <= whole / 2
    monkeypatch.setenv(remote.CACHE_VARIABLE, str(tmp_path / "www" / "tileset.json" / "none"))  # no folder can be there
    forget()
    assert read_all(f"{server.address}/tileset.json")[1] == []


def test_without_a_network_the_cache_is_shown_and_what_is_not_there_is_told_in_one_line(server, tmp_path):
    write_city(tmp_path / "www")
    tileset(tmp_path / "www" / "other.json", tile(content={"uri": "coarse.glb"}))
    read_all(f"{server.address}/other.json")
    server.close()
    forget()
    tiles, problems = read_all(f"{server.address}/other.json")
    assert problems == [] and tiles.scene.element_count("triangle") == 4
    with pytest.raises(ReadError, match=r"^http://[^\n]*cannot be fetched[^\n]*check the address and the network$"):
        open_tileset(f"{server.address}/tileset.json")
