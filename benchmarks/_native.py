"""Small C and C++ sources of the benchmarks, compiled once and kept beside the results.

What a build needs and does not find is said by `Missing`, with the way to get it; the benchmark goes on without.
"""

from __future__ import annotations

import ctypes
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sysconfig
from collections.abc import Sequence
from pathlib import Path

from _bench import RESULTS, ROOT

SOURCES = Path(__file__).resolve().parent / "peers"
BUILD = RESULTS / "build"
CMEEL = Path(sysconfig.get_path("purelib"), "cmeel.prefix", "include")
EIGEN = (
    CMEEL / "eigen3",
    Path("/usr/include/eigen3"),
    Path("/usr/local/include/eigen3"),
    Path("/opt/homebrew/include/eigen3"),
)
OPTIMISED = ("-O3", "-march=native", "-DNDEBUG", "-fPIC", "-shared", "-w")
PINOCCHIO_DEFINITIONS = (
    # What Pinocchio's own CMake targets define for users of its headers, without the instantiations of the library.
    "-DBOOST_MPL_LIMIT_LIST_SIZE=30",
    "-DBOOST_MPL_LIMIT_VECTOR_SIZE=30",
    "-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS",
    "-DBOOST_FUSION_INVOKE_MAX_ARITY=12",
)


class Missing(Exception):
    """Something that a peer needs is not installed; the message says what, and how to get it."""


def kernel_loop() -> ctypes.CDLL:
    """Calls of kernels in a C loop: `loop_rows`."""
    compiler = next((found for name in ("clang", "cc", "gcc") if (found := shutil.which(name))), None)
    if compiler is None:
        raise Missing("a C compiler is missing (Debian, Ubuntu: apt install clang)")
    library = load(build(compiler, SOURCES / "kernel_loop.c", OPTIMISED))
    library.loop_rows.restype = ctypes.c_double
    library.loop_rows.argtypes = (ctypes.c_void_p, ctypes.c_void_p, *[ctypes.c_int64] * 3)
    return library


def pinocchio_race() -> ctypes.CDLL:
    """Pinocchio's C++ algorithms in a C++ loop, header-only."""
    compiler = clang("clang++")
    flags, version = _pinocchio_flags()
    library = _engine(load(build(compiler, SOURCES / "pinocchio_race.cpp", (*OPTIMISED, *flags), version)))
    pointer, number = ctypes.c_void_p, ctypes.c_int64
    library.race_move.restype = ctypes.c_double
    library.race_move.argtypes = (pointer, number, pointer, pointer, ctypes.c_double, number)
    return library


def _pinocchio_flags() -> tuple[tuple[str, ...], bytes]:
    """What a source that includes Pinocchio is compiled with, and what it is compiled anew for when it changes."""
    eigen = next((folder for folder in EIGEN if (folder / "Eigen" / "Core").exists()), None)
    if eigen is None:
        ways = "pip install --no-deps cmeel-eigen; Debian, Ubuntu: apt install libeigen3-dev"
        raise Missing(f"the headers of Eigen are missing ({ways})")
    if not (CMEEL / "pinocchio" / "config.hpp").exists():
        raise Missing("the headers of Pinocchio are missing (pip install pin)")
    flags = ("-std=c++17", *PINOCCHIO_DEFINITIONS, f"-I{CMEEL}", f"-I{eigen}")
    return flags, (CMEEL / "pinocchio" / "config.hpp").read_bytes() + (SOURCES / "pinocchio_model.hpp").read_bytes()


def casadi_generator() -> ctypes.CDLL:
    """Pinocchio's algorithms on CasADi's symbols, printed as C: `generate_code`."""
    found = importlib.util.find_spec("casadi")
    folder = Path(found.origin).parent if found and found.origin else None
    libraries = [*folder.glob("libcasadi.so*"), *folder.glob("libcasadi.*dylib")] if folder else []
    if folder is None or not libraries or not (folder / "include" / "casadi" / "casadi.hpp").exists():
        raise Missing("CasADi with its headers is missing (pip install casadi)")
    compiler = clang("clang++")
    flags, version = _pinocchio_flags()
    # Printing code is no part of the race: little effort, a third of the time.
    quick = ("-O1", "-DNDEBUG", "-fPIC", "-shared", "-w", *flags, f"-I{folder / 'include'}")
    after = (str(min(libraries)), f"-Wl,-rpath,{folder}")
    generator = load(build(compiler, SOURCES / "casadi_generate.cpp", quick, version, after))
    generator.generate_code.restype = ctypes.c_int64
    generator.generate_code.argtypes = [ctypes.c_char_p] * 3
    generator.generate_version.restype = generator.generate_casadi.restype = ctypes.c_char_p
    return generator


def casadi_races(generator: ctypes.CDLL, key: str, description: str) -> dict[str, ctypes.CDLL]:
    """The functions that are generated for a robot in C loops, by the compiler that built them."""
    BUILD.mkdir(parents=True, exist_ok=True)
    name = f"casadi_{key}"
    if generator.generate_code(description.encode(), f"{BUILD}/".encode(), name.encode()):
        raise Missing(f"CasADi generates nothing for {key}")
    source = BUILD / f"{name}.c"
    # One statement of the generated code is one operation: without leave, clang fuses none of them.
    flags = (*OPTIMISED, "-ffp-contract=fast", "-fno-semantic-interposition", f'-DGENERATED="{source}"')
    compilers = {"clang": clang("clang")}
    if gcc := shutil.which("gcc"):
        compilers["gcc"] = gcc
    salt = source.read_bytes()
    return {
        word: _engine(load(build(compiler, SOURCES / "casadi_race.c", flags, salt, ("-lm",))))
        for word, compiler in compilers.items()
    }


def mujoco_race() -> ctypes.CDLL:
    """MuJoCo's algorithms in a C loop, with the library of the Python package."""
    folder = Path(sysconfig.get_path("purelib"), "mujoco")
    library = next(iter((*folder.glob("libmujoco.so.*"), *folder.glob("libmujoco.*.dylib"))), None)
    if library is None or not (folder / "include" / "mujoco" / "mujoco.h").exists():
        raise Missing("MuJoCo is missing (pip install mujoco)")
    flags = (*OPTIMISED, "-std=c11", f"-I{folder / 'include'}")
    after = (str(library), f"-Wl,-rpath,{folder}")
    return _engine(load(build(clang("clang"), SOURCES / "mujoco_race.c", flags, library.name.encode(), after)))


def _engine(library: ctypes.CDLL) -> ctypes.CDLL:
    """What the libraries of all engines offer."""
    pointer, number = ctypes.c_void_p, ctypes.c_int64
    for name, result, arguments in (
        ("race_new", pointer, (ctypes.c_char_p,)),
        ("race_delete", None, (pointer,)),
        ("race_nq", number, (pointer,)),
        ("race_nv", number, (pointer,)),
        ("race_task", number, (ctypes.c_char_p,)),
        ("race_version", ctypes.c_char_p, ()),
        ("race_run", ctypes.c_double, (pointer, number, number, *[pointer] * 4, number, number)),
    ):
        getattr(library, name).restype = result
        getattr(library, name).argtypes = arguments
    return library


def clang(name: str) -> str:
    """The compiler that builds peers fastest; gcc's builds of Pinocchio are up to twice as slow."""
    names = (name, *(f"{name}-{version}" for version in range(30, 12, -1)))
    found = next((path for each in names if (path := shutil.which(each))), None)
    if found is None:
        raise Missing("clang is missing (Debian, Ubuntu: apt install clang)")
    return found


def build(compiler: str, source: Path, flags: Sequence[str], salt: bytes = b"", after: Sequence[str] = ()) -> Path:
    """A shared library, compiled anew when the source, the compiler, its options or what is included change."""
    version = subprocess.run([compiler, "--version"], capture_output=True, check=True).stdout
    said = repr((compiler, version, tuple(flags), tuple(after), salt)).encode()
    key = hashlib.sha256(source.read_bytes() + said).hexdigest()[:16]
    target = BUILD / f"{source.stem}-{key}.so"
    if not target.exists():
        BUILD.mkdir(parents=True, exist_ok=True)
        wait = ", a minute or two" if source.suffix == ".cpp" else ""
        print(f"compiling {source.name}{wait} (once: kept in {BUILD.relative_to(ROOT)}) …", flush=True)
        fresh = target.with_suffix(f".{os.getpid()}")
        done = subprocess.run(
            [compiler, *flags, str(source), "-o", str(fresh), *after], capture_output=True, text=True, check=False
        )
        if done.returncode:
            errors = [line for line in done.stderr.splitlines() if "error" in line][:3]
            raise Missing(f"{source.name} does not compile here: {' / '.join(errors)[:600]}")
        fresh.replace(target)
    return target


def load(path: Path) -> ctypes.CDLL:
    try:
        return ctypes.CDLL(str(path))
    except OSError as error:
        raise Missing(f"{path.name} does not load: {error}") from error
