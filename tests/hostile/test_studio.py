"""Attacks on the studio: real servers, raw sockets. Nobody comes in, nothing is lost, nothing grows without end."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.studio import Studio, Window, studio
from support.thorough import cases
from websockets.exceptions import ConnectionClosed, InvalidStatus

from sistel.studio.workspace import Folder

pytestmark = pytest.mark.skipif(os.name != "posix", reason="processes are looked at in /proc")

MODEL = (Path(__file__).resolve().parents[2] / "models" / "pendulum.xml").read_text(encoding="utf-8")
SECRET = "the secret of the user"
PLACES = (
    "../secret.txt",
    "a/../../secret.txt",
    "..\\secret.txt",
    "/etc/passwd",
    "//etc/passwd",
    "C:\\secret.txt",
    "C:/secret.txt",
    "\\\\host\\share\\x",
    "%2e%2e/secret.txt",
    "..%2fsecret.txt",
    "....//secret.txt",
    "out/secret.txt",
    "link.txt",
    ".sistel/server.json",
    ".sistel/runs/x/entry.json",
    ".SISTEL/server.json",
    "./.sistel/server.json",
    "a/./.sistel/x",
    ".hidden",
    "nul",
    "con.xml",
    "aux",
    "a\0.xml",
    "a.xml\0.txt",
    "a\n.xml",
    "a:stream.xml",
    "a.xml.",
    "a.xml ",
    "\u202etxt.xml",
    "\ud800.xml",
    "",
    "/",
    ".",
    "..",
    "x" * 5000,
    "/".join("d" for _ in range(200)) + "/a.xml",
    "file:///etc/passwd",
)
"""Names that lead out of the folder, into what is the studio's own, or nowhere on some system."""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("attacked")
    folder = root / "folder"
    folder.mkdir()
    (root / "secret.txt").write_text(SECRET, encoding="utf-8")
    (folder / "a.xml").write_text(MODEL, encoding="utf-8")
    (folder / ".hidden").write_text(SECRET, encoding="utf-8")
    (folder / "out").symlink_to(root)
    (folder / "link.txt").symlink_to(root / "secret.txt")
    return folder


@pytest.fixture(scope="module")
def served(place: Path) -> Iterator[Studio]:
    with studio(place, "--memory", "1024") as found:
        yield found


def tree(folder: Path) -> dict[str, bytes]:
    """All files above and in a folder, but for the studio's own."""
    return {
        str(path.relative_to(folder.parent)): path.read_bytes()
        for path in folder.parent.rglob("*")
        if path.is_file() and not path.is_symlink() and ".sistel" not in path.parts
    }


def raw(served: Studio, data: bytes, seconds: float = 10.0) -> bytes:
    """What a server says to bytes."""
    with socket.create_connection(("127.0.0.1", served.port), seconds) as line:
        line.settimeout(seconds)
        with contextlib.suppress(OSError):
            line.sendall(data)
        said = b""
        with contextlib.suppress(OSError):
            while part := line.recv(65536):
                said += part
        return said


def memory(process: int) -> float:
    """Of a process [MiB]."""
    text = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    return int(text.partition("VmRSS:")[2].split()[0]) / 1024


def test_no_name_leads_out_of_the_folder(served: Studio, place: Path) -> None:
    """In every call that takes a name of a file, as any of its parameters."""
    before = tree(place)
    calls: list[tuple[str, dict[str, object]]] = [
        ("files.read", {}),
        ("files.save", {"text": "x", "force": True}),
        ("files.draft", {"text": "x"}),
        ("files.create", {"text": "x"}),
        ("files.remove", {}),
        ("files.rename", {"to": "b.xml"}),
        ("studio.show", {}),
        ("run.start", {"text": MODEL, "until": 0.01}),
        ("sweep.start", {"text": MODEL, "vary": [{"name": "L", "from": 1, "to": 2, "count": 2}]}),
        ("page.make", {"text": MODEL}),
        ("text.check", {"text": MODEL}),
        ("parameters.list", {"text": MODEL}),
    ]
    with served.window() as window:
        asked = []
        for name, more in calls:
            for bad in PLACES:
                asked.append((window.send(name, **{**more, "path": bad}), name, bad))
                if len(asked) == 40:
                    refused(window, asked)
        asked = [(window.send("files.rename", path="a.xml", to=bad), "files.rename to", bad) for bad in PLACES]
        refused(window, asked)
        # Texts that name files read them from the folder, and no others.
        for bad in ("../secret.txt", "/etc/passwd", "out/secret.txt", "link.txt"):
            text = MODEL.replace("</system>", f'<include href="{bad}"/></system>')
            found = json.dumps(window.call("text.check", path="a.xml", text=text))
            assert SECRET not in found and "root:x:0" not in found
    assert tree(place) == before


def refused(window: Window, asked: list[tuple[int, str, str]]) -> None:
    for number, name, bad in asked:
        found = window.reply(number)
        if bad == "" and name in ("text.check", "parameters.list"):
            continue  # a text without a name
        assert "failed" in found, (name, bad, found)
        code = found["failed"]["code"]
        assert code in ("bad-name", "leads-out", "no-file", "bad-parameter", "file-exists"), (name, bad, found)
        assert SECRET not in json.dumps(found)
    asked.clear()


def test_no_address_leads_out_of_the_folder(served: Studio) -> None:
    hosts = f"Host: 127.0.0.1:{served.port}\r\nCookie: {served.cookie}\r\nConnection: close\r\n"
    for name in (*PLACES[:20], "../../../../etc/passwd", "..%2f..%2fsecret.txt", "%00", "%c0%ae%c0%ae/secret.txt"):
        path = name.replace(" ", "%20").replace("\n", "%0a").replace("\0", "%00")
        for base in ("/pages/", "/studio/", "/"):
            said = raw(served, f"GET {base}{path} HTTP/1.1\r\n{hosts}\r\n".encode("utf-8", "replace"))
            status = said.partition(b" ")[2][:3]
            assert status in (b"404", b"400", b"403", b"405", b""), (base, name, said[:80])
            assert SECRET.encode() not in said and b"root:x:0" not in said


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "PROPFIND"])
def test_other_methods_do_nothing(served: Studio, place: Path, method: str) -> None:
    before = tree(place)
    hosts = f"Host: 127.0.0.1:{served.port}\r\nCookie: {served.cookie}\r\nConnection: close\r\nContent-Length: 1\r\n"
    said = raw(served, f"{method} / HTTP/1.1\r\n{hosts}\r\nx".encode())
    assert b" 405 " in said or b" 400 " in said, said[:80]
    assert b"access-control-allow" not in said.lower() and tree(place) == before


@pytest.mark.parametrize(
    "head",
    [
        "Host: evil.example",
        "Host: 127.0.0.1.evil.example:{port}",
        "Host: 127.0.0.1:{port}.evil.example",
        "Host: 127.0.0.1",
        "Host: 127.0.0.1:{other}",
        "Host: [::ffff:7f00:1]:{port}",
        "Host: localhost.:{port}",
        "Host: 127.0.0.1:{port}\r\nOrigin: http://evil.example",
        "Host: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{other}",
        "Host: 127.0.0.1:{port}\r\nOrigin: null",
        "Host: 127.0.0.1:{port}\r\nSec-Fetch-Site: same-site",
        "X-Forwarded-Host: 127.0.0.1:{port}\r\nHost: evil.example",
    ],
)
def test_names_of_strangers_that_lead_here_are_refused(served: Studio, head: str) -> None:
    """DNS rebinding, other ports of this machine, pages of others: with the cookie, and with the token itself."""
    told = head.format(port=served.port, other=served.port + 1)
    token = served.address.partition("token=")[2]
    for path in ("/", f"/?token={token}", "/studio/studio.js"):
        if "token" in path and "Sec-Fetch" in told:
            continue  # whoever has the token may follow the link from anywhere
        said = raw(
            served, f"GET {path} HTTP/1.1\r\n{told}\r\nCookie: {served.cookie}\r\nConnection: close\r\n\r\n".encode()
        )
        assert b" 403 " in said[:20] or b" 421 " in said[:20] or b" 400 " in said[:20], (path, said[:60])
        assert b"set-cookie" not in said.lower()


@pytest.mark.parametrize("token", ["", "x", "x" * 32, "%00", "\u00e9", "null", "undefined"])
def test_wrong_tokens_open_nothing(served: Studio, token: str) -> None:
    name = served.cookie.partition("=")[0]
    status, headers, _ = served.get(f"/?token={token}".encode("ascii", "ignore").decode(), cookie=None)
    assert status == 403 and "set-cookie" not in headers
    with pytest.raises((InvalidStatus, UnicodeEncodeError)):
        served.window(cookie=f"{name}={token}")


def test_a_million_messages_are_answered_or_held_back(served: Studio) -> None:
    """A window that only sends: others are answered meanwhile, and the server does not grow."""
    message = json.dumps({"id": 1, "call": "jobs.list", "with": {}})
    with served.window() as quiet, served.window() as loud:
        quiet.call("hello")
        before = memory(served.process.pid)
        ended = threading.Event()
        sent = [0]

        def flood() -> None:
            with contextlib.suppress(OSError, ConnectionClosed):
                while sent[0] < 1_000_000 and not ended.is_set():
                    loud.link.send(message)
                    sent[0] += 1
            ended.set()

        thread = threading.Thread(target=flood, daemon=True)
        thread.start()
        slowest = 0.0
        end = time.monotonic() + 6.0  # the flood goes on as long as the window's answers are not read: it is held back
        while time.monotonic() < end and not ended.is_set():
            begin = time.monotonic()
            quiet.call("jobs.list")
            slowest = max(slowest, time.monotonic() - begin)
            time.sleep(0.05)
        grown = memory(served.process.pid) - before
        ended.set()
        loud.link.socket.shutdown(socket.SHUT_RDWR)
        thread.join(10.0)
        assert sent[0] > 100 and slowest < 3.0 and grown < 64.0, (sent[0], slowest, grown)
        assert quiet.call("jobs.list") == []


def test_a_flood_that_reads_its_answers_is_answered(served: Studio) -> None:
    with served.window() as window:
        before = memory(served.process.pid)
        count = cases(4_000, 20_000)
        for _ in range(count // 50):
            for number in [window.send("jobs.list") for _ in range(50)]:
                window.reply(number)
        assert memory(served.process.pid) - before < 32.0


def test_huge_and_deep_messages_are_refused(served: Studio) -> None:
    deep = '{"id":1,"call":"jobs.list","with":' + '{"a":' * 100_000 + "0" + "}" * 100_000 + "}"
    with served.window() as window:
        window.link.send(deep)
        assert "bad-message" in window.link.recv(timeout=20)
        window.link.send('{"id":1,"call":"jobs.list","with":{"a":' + "9" * 100_000 + "}}")
        assert "bad-message" in window.link.recv(timeout=20)
        window.link.send(b"\xff\xfe binary")
        with contextlib.suppress(ConnectionClosed, TimeoutError):
            window.link.recv(timeout=2)
    with served.window() as window, contextlib.suppress(ConnectionClosed, OSError):
        window.link.send("x" * (40 << 20))  # more than any message may have
        window.link.recv(timeout=20)
    with served.window() as window:
        # A text as large as messages may be, and one with a hundred thousand elements: told, and the next call works.
        many = cases(4_000, 100_000)
        for text in ("<a>" * many, "<system>" + "<body name='a'/>" * many + "</system>", "x" * (17 << 20)):
            found = window.reply(window.send("text.check", path="a.xml", text=text), 90.0)
            assert "done" in found or found["failed"]["code"] in ("too-deep", "too-slow", "too-much-memory", "crashed")
        assert window.fails("files.save", path="big.xml", text="x" * (17 << 20), force=True)["code"] == "file-too-large"
        assert window.call("text.check", path="a.xml", text=MODEL)["diagnostics"] == []


def test_half_requests_and_endless_heads_do_not_hold_the_server(served: Studio) -> None:
    lines = [socket.create_connection(("127.0.0.1", served.port), 10) for _ in range(200)]
    for line in lines:
        line.sendall(b"GET / HTTP/1.1\r\nHost: ")
    said = raw(served, b"GET / HTTP/1.1\r\nX: " + b"x" * (1 << 20))
    assert b" 200 " not in said[:20]
    assert served.get("/")[0] == 200
    for line in lines:
        line.close()


def test_what_others_put_into_the_own_folder_is_no_run(tmp_path: Path) -> None:
    """A folder from elsewhere may bring a .sistel that somebody has prepared."""
    own = tmp_path / ".sistel"
    (tmp_path / "a.xml").write_text(MODEL, encoding="utf-8")
    secret = tmp_path.parent / f"{tmp_path.name}-secret.txt"
    secret.write_text(SECRET, encoding="utf-8")
    entries = (
        "null",
        "[]",
        "{}",
        '{"path": 7, "name": {}}',
        '{"kind": "sweep", "path": "../x", "name": "n", "vary": 3}',
        '{"kind": "run", "path": "/etc/passwd", "name": "n"}',
        "[" * 100_000,
    )
    for number, text in enumerate(entries):
        run = own / "runs" / f"1a1f59f0d4{number}-9be5bf"
        run.mkdir(parents=True)
        (run / "entry.json").write_text(text, encoding="utf-8")
        (run / "run.npz").symlink_to(secret)
        (run / "model.xml").symlink_to(secret)
    (own / "recent.json").write_text('[7, "../x", null, "a.xml"]', encoding="utf-8")
    (own / "server.json").write_text('{"address": "http://evil.example/?token=x"}', encoding="utf-8")
    (own / "drafts").mkdir()
    with studio(tmp_path) as served, served.window() as window:
        assert window.call("hello")["recent"] == ["a.xml"]
        for entry in window.call("runs.list"):
            assert isinstance(entry["name"], str) and isinstance(entry["path"], str)
            for call in ("runs.page", "sweep.resume"):
                found = window.reply(window.send(call, id=entry["id"]))
                assert "failed" in found and found["failed"]["code"] != "own-error", found
                assert SECRET not in json.dumps(found)
    secret.unlink()


def test_only_a_server_of_this_user_gives_its_token_to_the_next(tmp_path: Path) -> None:
    """Killed, it is there again under its address; a folder that brings a token of its own is not believed."""

    def written() -> dict[str, Any]:
        found: dict[str, Any] = Folder(tmp_path).served()
        return found

    with studio(tmp_path) as served:
        first, told = served.address, json.loads((tmp_path / ".sistel" / "server.json").read_text(encoding="utf-8"))
        os.killpg(served.process.pid, signal.SIGKILL)
    with studio(tmp_path) as served:
        assert served.address == first
        # As long as it runs, a second start says where; one with an address of its own has a token of its own.
        with studio(tmp_path) as other:
            assert other.address == first and other.process.wait(20) == 0
        with studio(tmp_path, "--base", "/own/") as other:
            assert other.address.partition("token=")[2] not in first
            assert told["pid"] != served.process.pid == written()["pid"]
            assert other.stop() == 0
        assert written()["pid"] == served.process.pid and written()["address"] == first
        # When the first one ends, another that still runs takes its place.
        with studio(tmp_path, "--base", "/own/") as other:
            assert served.stop() == 0
            end = time.monotonic() + 30.0
            while written().get("pid") != other.process.pid:
                assert time.monotonic() < end
                time.sleep(0.05)
            os.killpg(other.process.pid, signal.SIGKILL)
    own = tmp_path / ".sistel" / "server.json"
    own.write_text(json.dumps({**told, "address": told["address"].replace("token=", "token=x")}), encoding="utf-8")
    with studio(tmp_path) as served:
        assert "token=x" not in served.address and served.address != first
        assert served.stop() == 0
    with studio(tmp_path) as served:
        assert served.address.partition("token=")[2] not in first


def test_a_server_killed_while_it_saves_loses_nothing(tmp_path: Path) -> None:
    """The file is the old one or the new one, whole; what was typed is a draft until it is saved."""
    file = tmp_path / "a.xml"
    file.write_text("v0 " + "x" * 200_000, encoding="utf-8")
    seen = set()
    for turn in range(cases(3, 12)):
        with studio(tmp_path) as served, served.window() as window:
            read = window.call("files.read", path="a.xml")
            version = int(read["text"].split()[0][1:])
            assert read["text"] == f"v{version} " + "x" * 200_000
            window.call("files.draft", path="a.xml", text=f"typed {turn}", stamp=read["stamp"])
            stop = time.monotonic() + 0.05 + 0.03 * turn
            while time.monotonic() < stop:
                version += 1
                window.send("files.save", path="a.xml", text=f"v{version} " + "x" * 200_000, force=True)
                window.send("files.draft", path="a.xml", text=f"typed {turn} {version}")
            os.killpg(served.process.pid, signal.SIGKILL)
        text = file.read_text(encoding="utf-8")
        kept = int(text.split()[0][1:])
        seen.add(kept)
        assert text == f"v{kept} " + "x" * 200_000
    with studio(tmp_path) as served, served.window() as window:
        read = window.call("files.read", path="a.xml")
        draft = read.get("draft")
        # The last draft that was answered for, or the file that was saved after it.
        assert draft is None or draft["text"].startswith(f"typed {turn}")
        assert [each["path"] for each in window.call("files.list")["files"]] == ["a.xml"]
    assert not [name for name in os.listdir(tmp_path) if name.endswith(".draft")] and len(seen) > 1


def test_two_tabs_on_one_file_lose_nothing(tmp_path: Path) -> None:
    """Saves of both at the same time, many times: every one that was accepted followed the one before it."""
    (tmp_path / "a.xml").write_text("0", encoding="utf-8")
    with studio(tmp_path) as served:
        accepted: list[list[tuple[str, str]]] = [[], []]

        def type_into(tab: int) -> None:
            with served.window() as window:
                for turn in range(30):
                    read = window.call("files.read", path="a.xml")
                    text = f"{tab} {turn}"
                    found = window.reply(window.send("files.save", path="a.xml", text=text, stamp=read["stamp"]))
                    if "done" in found:
                        accepted[tab].append((read["text"], text))
                    else:
                        assert found["failed"]["code"] == "conflict"

        threads = [threading.Thread(target=type_into, args=(tab,)) for tab in (0, 1)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        followed = dict(accepted[0] + accepted[1])
        assert len(followed) == len(accepted[0]) + len(accepted[1])  # nobody wrote over what he had not read
        text = "0"
        while text in followed:
            text = followed.pop(text)
        assert not followed and text == (tmp_path / "a.xml").read_text(encoding="utf-8")
