"""The server from outside: a process of its own, windows by the socket, and those who must not come in."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.studio import Studio, studio
from websockets.exceptions import InvalidStatus

GALLERY = Path(__file__).resolve().parents[3] / "models"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    folder = tmp_path_factory.mktemp("models")
    for name in ("pendulum", "walker"):
        (folder / f"{name}.xml").write_bytes((GALLERY / f"{name}.xml").read_bytes())
    with studio(folder) as found:
        yield found


def test_the_page_has_a_place_for_the_application_and_a_policy(served: Studio) -> None:
    status, headers, body = served.get("/")
    assert status == 200 and b"data-studio" in body
    nonce = re.search(rb'nonce="([^"]+)"', body)
    assert nonce is not None and f"'nonce-{nonce[1].decode()}'" in headers["content-security-policy"]
    assert "default-src 'none'" in headers["content-security-policy"]


def test_the_token_makes_a_strict_cookie_and_leaves_the_address(served: Studio) -> None:
    token = served.address.partition("token=")[2]
    status, headers, body = served.get(f"/?token={token}&lang=ru", cookie=None)
    assert status == 200 and token.encode() not in body and b"url=/?lang=ru" in body
    assert "HttpOnly" in headers["set-cookie"] and "SameSite=Strict" in headers["set-cookie"]


@pytest.mark.parametrize("path", ["/", "/studio/studio.js", "/pages/1", "/?token=wrong"])
def test_nobody_comes_in_without_the_cookie(served: Studio, path: str) -> None:
    status, headers, _ = served.get(path, cookie=None)
    assert status == 403 and "set-cookie" not in headers


def test_other_names_of_this_machine_are_refused(served: Studio) -> None:
    assert served.get("/", host="evil.example")[0] == 421
    assert served.get("/", host=f"localhost:{served.port}")[0] == 200
    assert served.get(f"/?{served.address.partition('?')[2]}", cookie=None, host="evil.example")[0] == 421


def test_pages_of_others_are_refused(served: Studio) -> None:
    assert served.get("/", Origin="https://evil.example")[0] == 403
    assert served.get("/", Sec_Fetch_Site="cross-site")[0] == 403


@pytest.mark.parametrize(
    "other",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": None},
        {"cookie": ""},
        {"cookie": "sistel-0000000000=x"},
        {"host": "evil.example"},
    ],
)
def test_sockets_of_others_are_refused(served: Studio, other: dict[str, str]) -> None:
    with pytest.raises(InvalidStatus, match="403"):
        served.window(**other)


def test_a_window_says_hello_and_asks_about_a_text(served: Studio) -> None:
    with served.window() as window:
        hello = window.call("hello")
        assert {each["path"]: each["kind"] for each in hello["files"]} == {
            "pendulum.xml": "model",
            "walker.xml": "model",
        }
        read = window.call("files.read", path="walker.xml")
        assert window.call("text.check", path="walker.xml", text=read["text"])["diagnostics"] == []
        broken = window.call("text.check", path="walker.xml", text='<system name="a"><bodi name="b"/></system>')
        assert broken["diagnostics"][0]["code"] == "unknown-element"


@pytest.mark.parametrize("message", ["[]", "{", "7", '{"id":1}', '{"id":1,"call":3}', '{"id":1,"call":"x","with":[]}'])
def test_what_is_no_call_is_said_so(served: Studio, message: str) -> None:
    with served.window() as window:
        window.link.send(message)
        assert "bad-message" in window.link.recv(timeout=20)
        window.call("files.list")


def test_unknown_methods_and_wrong_parameters_are_told(served: Studio) -> None:
    with served.window() as window:
        assert window.fails("text.chek", path="a.xml", text="")["code"] == "unknown-method"
        assert window.fails("files.read", path=7)["code"] == "bad-parameter"
        assert window.fails("files.read", path="none.xml")["code"] == "no-file"


def test_it_stops_with_a_goodbye(tmp_path: Path) -> None:
    with studio(tmp_path) as found, found.window() as window:
        window.call("hello")
        assert found.stop() == 0
        assert window.wait_told("bye")["why"] == "stopped"
