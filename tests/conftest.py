"""What every test may ask for. Nothing heavy is imported here: a unit test of the markup must start at once."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import sysconfig
import threading
import time
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    import numpy as np
    from support.browser import Chromium

ROOT = Path(__file__).resolve().parent.parent

# Tests fill the processors by themselves; further threads of linear algebra only wait for each other there, and took
# nine tenths of the time of some. NumPy asks when it is first imported, and so do programs that tests start.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# The same examples on every run and every machine; `pytest --hypothesis-profile=explore` looks for new ones.
settings.register_profile("ci", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("explore", derandomize=False, deadline=None, max_examples=2000)
settings.load_profile("ci")

# A shell lets what it starts in the background ignore interrupts, and what that starts as well; tests send some.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN and threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write the golden files anew instead of comparing")
    parser.addoption("--within", type=float, metavar="SECONDS", help="skip what has not begun by then")


BEGUN = pytest.StashKey[float]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[BEGUN] = time.monotonic()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Sixteen thousand tests are made, and stay: nothing of them is searched for cycles, neither now nor later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()
        # Derivations make millions of objects and hardly a cycle: looking for some took a twentieth of the time.
        gc.set_threshold(20_000, 20, 20)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What needs a browser or the site of the documentation is slow: it starts or builds one."""
    for item in items:
        if not {"chromium", "docs_site"}.isdisjoint(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.slow)


def pytest_runtest_setup(item: pytest.Item) -> None:
    within = item.config.getoption("--within")
    if within is not None and time.monotonic() - item.config.stash[BEGUN] > within:
        pytest.skip(f"there was no time for it within {within:g} s")


@pytest.fixture(scope="module", autouse=True)
def _survivors_rest() -> Iterator[None]:
    """What outlives a module (caches, models, the tests themselves: millions of objects) is not searched for cycles again.

    Otherwise every collection of the oldest generation takes seconds towards the end of a session.
    """
    yield
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def root_dir() -> Path:
    """The root of the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def models_dir() -> Path:
    """The gallery."""
    return ROOT / "models"


@pytest.fixture(scope="session")
def shared_dir() -> Path:
    """Reference material that may lie beside the checkout: papers, published problems. Not part of the project."""
    path = ROOT.parent / "shared"
    if not path.is_dir():
        pytest.skip("no folder `shared` beside the checkout")
    return path


@pytest.fixture(scope="session")
def robots_dir() -> Path:
    """The robots of the package example-robot-data, one folder `*_description` each; it has files but no module."""
    path = Path(sysconfig.get_path("purelib"), "cmeel.prefix", "share", "example-robot-data", "robots")
    assert path.is_dir(), "example-robot-data is not installed; run `make setup`"
    return path


@pytest.fixture(scope="session")
def docs_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of the documentation: built once for all workers, by the first that asks for it."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        return _built_site(tmp_path_factory.mktemp("docs"))
    folder = tmp_path_factory.getbasetemp().parent / "docs"
    try:
        folder.mkdir()
    except FileExistsError:
        last = time.monotonic() + 300.0
        while not (folder / "built").exists():
            assert time.monotonic() < last, "another worker has not built the site"
            time.sleep(0.2)
    else:
        _built_site(folder / "site")
        (folder / "built").touch()
    return folder / "site"


def _built_site(folder: Path) -> Path:
    call = (sys.executable, str(ROOT / "tools" / "docs"), "--target", str(folder))
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="session")
def chromium() -> Iterator[Chromium]:
    """A browser for pages, one for all tests of a worker."""
    from support.browser import open_chromium

    with open_chromium() as browser:
        yield browser


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> np.random.Generator:
    """Random numbers that are the same on every run, and different for every test."""
    import numpy

    generator: np.random.Generator = numpy.random.default_rng(zlib.crc32(request.node.nodeid.encode()))
    return generator
