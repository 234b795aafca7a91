"""Clusters that are not there: said kindly, in both languages, and soon."""

from __future__ import annotations

import asyncio
import socket
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

import sistel
from sistel.cli import main
from sistel.ensembles import Ensemble, _cluster, serving

MODEL = Path(__file__).resolve().parents[3] / "models" / "simplest_walker_basin.xml"
MAP = ("map", str(MODEL), "--x", "theta=0.05:0.3:8", "--y", "excess=-0.01:0.03:6", "--events", "20")


@pytest.fixture(scope="module")
def system() -> sistel.System:
    return sistel.load(MODEL)


def basin(system: sistel.System, **options: Any) -> Ensemble:
    return system.ensemble(200.0, parameters={"theta": [0.1, 0.2]}, events=2, **options)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def test_nobody_is_there(system: sistel.System, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(_cluster, "CONNECTING", 1.0)
    with pytest.raises(sistel.SistelError, match=r"no cluster answers at tcp://127\.0\.0\.1") as problem:
        basin(system, cluster=f"127.0.0.1:{free_port()}")
    (said,) = problem.value.diagnostics
    assert said.code == "no-cluster" and said.hint is not None and "sistel cluster" in said.hint.ru


def test_something_else_is_there(system: sistel.System, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that takes the connection and says nothing, or something else."""
    pytest.importorskip("distributed")
    monkeypatch.setattr(_cluster, "CONNECTING", 2.0)
    for word in (b"", b"HTTP/1.1 400 Bad Request\r\n\r\n" * 20):
        with socket.create_server(("127.0.0.1", 0)) as server:
            held: list[socket.socket] = []

            def answer(server: socket.socket = server, word: bytes = word, held: list[socket.socket] = held) -> None:
                while True:
                    try:
                        held.append(server.accept()[0])
                        held[-1].sendall(word)
                    except OSError:
                        return

            threading.Thread(target=answer, daemon=True).start()
            with pytest.raises(sistel.SistelError) as problem:
                basin(system, cluster=f"tcp://127.0.0.1:{server.getsockname()[1]}")
            assert problem.value.diagnostics[0].code == "no-cluster"
            server.shutdown(socket.SHUT_RDWR)
            for each in held:
                each.close()


@pytest.mark.parametrize(
    "address", ["", "cluster", "tcp://", "tcp://host", "host:port", "http://a b:80", "tcp://h:1/x"]
)
def test_no_address(system: sistel.System, address: str) -> None:
    pytest.importorskip("distributed")
    with pytest.raises(sistel.SistelError, match="is no address of a cluster") as problem:
        basin(system, cluster=address)
    assert "tcp://192.168.0.5:8786" in problem.value.render("ru")


def test_one_place_at_a_time(system: sistel.System) -> None:
    pytest.importorskip("distributed")
    with pytest.raises(sistel.SistelError, match="one of them"):
        basin(system, cluster="tcp://127.0.0.1:8786", threads=2)


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """Runs a command in Russian; its status and what it says."""
    monkeypatch.setattr(_cluster, "CONNECTING", 1.0)
    monkeypatch.setattr(serving, "ANSWERING", 1.0)

    def run(*words: str) -> tuple[int, str]:
        # Browsers that other tests of this process have opened keep a loop of events at work, which is none of the command's.
        loop = asyncio._get_running_loop()
        asyncio._set_running_loop(None)
        try:
            status = main([*words, "--lang", "ru"])
        finally:
            asyncio._set_running_loop(loop)
        out, err = capsys.readouterr()
        assert not out and "Traceback" not in err
        return status, err

    return run


def test_nobody_is_there_for_the_commands(call: Any) -> None:
    pytest.importorskip("distributed")
    address = f"tcp://127.0.0.1:{free_port()}"
    for words, status, said in (
        ((*MAP, "--cluster", address), 2, "кластер не отвечает"),
        ((*MAP, "--cluster", "cluster"), 2, "не адрес кластера"),
        (("cluster", "--join", address), 1, "диспетчер не отвечает"),
        (("cluster", "--join", "cluster"), 1, "не адрес кластера"),
        (("cluster", "--host", "192.0.2.77"), 1, "слушать по адресу 192.0.2.77"),
    ):
        found, text = call(*words)
        assert found == status and said in text, words


def test_wrong_calls(call: Any) -> None:
    for words, said in (
        (("--join", "tcp://127.0.0.1:1", "--port", "1"), "--port — порт диспетчера"),
        (("--join", "tcp://127.0.0.1:1", "--workers", "0"), "для --join нужны исполнители"),
        (("--workers", "many"), "--workers не может быть"),
        (("--port", "65536"), "--port не может быть"),
    ):
        status, text = call("cluster", *words)
        assert status == 2 and said in text, words


def test_without_dask(system: sistel.System, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(sistel.SistelError, match="need the package distributed") as problem:
        basin(system, cluster="tcp://127.0.0.1:8786")
    assert "pip install 'sistel[cluster]'" in problem.value.render("ru")


def test_commands_without_dask(call: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    for words in (("cluster",), (*MAP, "--cluster", "tcp://127.0.0.1:8786")):
        status, text = call(*words)
        assert status == 1 and "pip install 'sistel[cluster]'" in text
