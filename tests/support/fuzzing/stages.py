"""The ways of damaged files through the whole house, from bytes to pages.

Reading is cheap and done with every file; deriving and compiling is not, so that a sample of those that are read goes on
to be simulated, and a sample of these to pages. Which ones follows from the bytes alone.
"""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import sys
import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from support.fuzzing.judge import Judge
from support.fuzzing.specimens import ARM, URDF

import sistel
from sistel.cells import cell_xml, plan_cell, read_cell
from sistel.cli import main as command_line
from sistel.motion.trajectories import load_table, read_table
from sistel.simulation import Run
from sistel.simulation.run._archives import checksum
from sistel.solve import anfis
from sistel.views.cells import draw_chart, plan_csv
from sistel.views.viewer import view_scene
from sistel.views.x3d import check_scene

UNTIL = 0.2
"""Length of runs [s]."""
OWN_ERROR = 70
"""Exit status of the command line for mistakes of its own."""
MESH_URDF = '<robot name="r"><link name="a"><visual><geometry><mesh filename="{0}" scale="1 1 {1}"/></geometry></visual></link></robot>'
MESH_XML = '<system name="s" space="spatial"><body name="a" joint="free" mass="1" inertia="1, 1, 1"><mesh file="{0}"/></body></system>'
COMMANDS = (
    *(
        ("show", "{0}"),
        ("show", "{0}", "--json"),
        ("convert", "{0}", "-o", "{1}.urdf"),
        ("convert", "{0}", "-o", "{1}.mjcf"),
    ),
    *(("convert", "{0}", "--lang", "ru", "-o", "{1}.xml"), ("draw", "{0}", "-o", "{1}.svg"), ("equations", "{0}")),
    *(("run", "{0}", "--until", "0.05", "--json"), ("run", "{0}", "--until", "0.1", "-o", "{1}.csv"), ("fk", "{0}")),
    *(
        ("convert", "{0}", "-o", "{1}.csv"),
        ("convert", "{0}", "-o", "{1}.json"),
        ("dynamics", "{0}"),
        ("convert", "{0}", "-o", "{1}.x3d"),
    ),
    *(("run", "{0}", "--until", "0.1", "-o", "{1}.svg"), ("workspace", "{0}"), ("show", "{0}", "--lang", "ru")),
)
"""Commands that read a file and then do something cheap."""


@dataclass(frozen=True, slots=True)
class Rates:
    """One of how many goes on."""

    simulate: int = 12
    page: int = 5
    """Of those simulated."""
    check: int = 60
    command: int = 40
    largest: int = 10
    """Freedoms of systems that are simulated: larger ones only compile longer."""

    def times(self, depth: int) -> Rates:
        """More files go on."""
        rates = {name: max(1, getattr(self, name) // depth) for name in ("simulate", "page", "check", "command")}
        return replace(self, **rates)


class Ways:
    """What is done with a file of each kind."""

    def __init__(self, root: Path, folder: Path, rates: Rates) -> None:
        self.root, self.folder, self.rates = root, folder, rates
        self.ways: dict[str, Callable[[Path, bytes, Judge], None]] = {
            **dict.fromkeys(("xsystel", "urdf", "mjcf", "dh table", "dh xml", "screws"), self.system),
            **dict.fromkeys(("stl", "stl text", "obj", "dae", "gltf", "glb"), self.mesh),
            "srdf": self.srdf,
            "motion": self.motion,
            "cell": self.cell,
            "process": self.process,
            "networks": self.networks,
            "run": self.run,
            "x3d": self.scene,
            "part": self.part,
            "manifest": self.part,
        }
        self._reference: Any = None
        self.arm = sistel.parse(ARM)
        self.allow = [folder, root / "models"]
        (folder / "arm.urdf").write_text(URDF, encoding="utf-8")

    def go(self, kind: str, suffix: str, data: bytes, judge: Judge) -> None:
        """The whole way of one file. Systems and cells stand beside the gallery, as they name files of it."""
        path = (self.folder / "cells" if kind == "cell" else self.folder) / f"mutant{suffix}"
        path.write_bytes(data)
        self.ways[kind](path, data, judge)

    def _drawn(self, data: bytes, one_of: int, salt: int) -> bool:
        return one_of > 0 and zlib.crc32(data, salt) % one_of == 0

    def system(self, path: Path, data: bytes, judge: Judge) -> None:
        """Load, write and read again; of some: check, simulate, keep, draw, and a command."""
        system = judge.attempt("load", lambda: sistel.load(path))
        if system is not None:
            self._onwards(system, path, data, judge)
        if self._drawn(data, self.rates.command, 5):
            self._command(path, data, judge)

    def _onwards(self, system: Any, path: Path, data: bytes, judge: Judge) -> None:
        judge.attempt(
            "describe",
            lambda: (repr(system), system.structures, system.bodies, [d.render("ru") for d in system.diagnostics]),
        )
        for item in system.diagnostics:
            judge.outcome.features.add(f"load {item.code}")
        again = judge.attempt("write and read", lambda: sistel.parse(system.to_xml("ru"), str(path)))
        if again is not None and again.fingerprint != system.fingerprint:
            judge.fault(
                "changed", f"system after writing and reading: {_difference(system, again)}", system.to_xml("en")
            )
        if system.nv > self.rates.largest or len(system.structures) > 8:
            return
        if self._drawn(data, self.rates.check, 1):
            sheet = judge.attempt("check", lambda: system.check(states=1))
            if sheet is not None:
                judge.attempt("check", sheet.to_json)
        if self._drawn(data, self.rates.simulate, 2):
            self._simulated(system, data, judge)

    def _simulated(self, system: Any, data: bytes, judge: Judge) -> None:
        run = judge.attempt("simulate", lambda: system.simulate(UNTIL, memory=2.0**27))
        if run is None:
            return
        judge.run(run)
        judge.outcome.features.add(
            f"simulate {len(run.events) > 0} {run.stopped is not None} {len(set(run.structure))}"
        )
        kept = self.folder / "run.npz"
        judge.attempt("save", lambda: run.save(kept))
        if kept.exists():
            loaded = judge.attempt("reload", lambda: Run.load(kept))
            if loaded is not None and not (np.array_equal(loaded.q, run.q) and np.array_equal(loaded.v, run.v)):
                judge.fault("changed", "another run after saving and loading", "")
            kept.unlink()
        if self._drawn(data, self.rates.page, 3):
            self._pages(run, judge)

    def _pages(self, run: Any, judge: Judge) -> None:
        page = self.folder / "run.html"
        judge.attempt("page", lambda: run.save(page))
        if page.exists():
            judge.page(page.read_text(encoding="utf-8"))
            page.unlink()
        scene = self.folder / "run.x3d"
        judge.attempt("scene", lambda: run.save(scene))
        if scene.exists():
            judge.scene(scene.read_text(encoding="utf-8"))
            scene.unlink()
        judge.attempt("picture", lambda: run.save(self.folder / "run.svg"))

    def _command(self, path: Path, data: bytes, judge: Judge) -> None:
        words = COMMANDS[zlib.crc32(data, 4) % len(COMMANDS)]
        made = [word.replace("{0}", str(path)).replace("{1}", str(self.folder / "out")) for word in words]
        said = io.StringIO()

        def called() -> int:
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(said):
                return command_line([*made, "--debug"])

        status = judge.attempt("command", called)
        judge.outcome.features.add(f"command {words[0]} {status}")
        if status == OWN_ERROR:
            lines = [line.strip() for line in said.getvalue().splitlines() if line.strip()]
            place = next((line for line in reversed(lines) if line.startswith("File ") and "/src/sistel/" in line), "")
            judge.fault(
                "own-error", f"{words[0]} {place.rpartition('/src/')[2]}", " ".join(made) + "\n" + said.getvalue()
            )
        elif status not in (None, 0, 1, 2):
            judge.fault("own-error", f"{words[0]} exits {status}", said.getvalue())

    def srdf(self, path: Path, data: bytes, judge: Judge) -> None:
        """With the robot that it belongs to."""
        system = judge.attempt("load", lambda: sistel.load(self.folder / "arm.urdf", srdf=path))
        if system is not None:
            self._onwards(system, path, data, judge)

    def motion(self, path: Path, data: bytes, judge: Judge) -> None:
        """A table is read, written, and the same again."""
        table = judge.attempt("load", lambda: load_table(path))
        if table is None:
            return
        judge.numbers("table", table.times, table.values)
        again = judge.attempt("write and read", lambda: read_table(table.html(lang="ru")))
        if again is not None and not (
            np.array_equal(again.times, table.times) and np.array_equal(again.values, table.values)
        ):
            judge.fault("changed", "another table after writing and reading", table.html(lang="en"))

    def cell(self, path: Path, data: bytes, judge: Judge) -> None:
        """A cell is read and planned; of some the chart and the system of bodies are made, and moved."""
        self._planned(
            lambda: read_cell(path, lambda file: sistel.load(file).model, allow=self.allow), path, data, judge
        )

    def process(self, path: Path, data: bytes, judge: Judge) -> None:
        """With a cell of the gallery."""
        cell = self.folder / "cells" / "turning.xml"
        self._planned(
            lambda: read_cell(cell, lambda file: sistel.load(file).model, path, allow=self.allow), cell, data, judge
        )

    def _planned(self, read: Callable[[], Any], path: Path, data: bytes, judge: Judge) -> None:
        found = judge.attempt("load", read)
        plan = None if found is None else judge.attempt("plan", lambda: plan_cell(found))
        if plan is None:
            return
        judge.attempt("chart", lambda: (draw_chart(plan, "ru"), plan_csv(plan, "en")))
        text = judge.attempt("cell to system", lambda: cell_xml(plan, ".", "ru"))
        system = (
            None
            if text is None
            else judge.attempt(
                "write and read", lambda: sistel.parse(text, str(path.with_name("made.xml")), allow=self.allow)
            )
        )
        if system is not None and self._drawn(data, 3 * self.rates.simulate, 2):
            run = judge.attempt("simulate", lambda: system.simulate(UNTIL, memory=2.0**27))
            if run is not None:
                judge.run(run)

    def mesh(self, path: Path, data: bytes, judge: Judge) -> None:
        """On a body of a URDF or an XsysTel file; then a scene, and a page of some."""
        urdf = self._drawn(data, 2, 6)
        text = MESH_URDF.format(path.name, 2) if urdf else MESH_XML.format(path.name)
        system = judge.attempt(
            "load", lambda: sistel.parse(text, str(self.folder / f"mesh.{'urdf' if urdf else 'xml'}"))
        )
        scene = self.folder / "mesh.x3d"
        losses = None if system is None else judge.attempt("scene", lambda: system.save(scene))
        if losses is None:
            return
        for loss in losses:
            judge.outcome.features.add(f"mesh {loss.what.en[-40:]}")
            if not loss.what.ru or loss.what.ru == loss.what.en:
                judge.fault("one-language", "loss of a mesh", str(loss.what))
        judge.scene(scene.read_text(encoding="utf-8"))
        scene.unlink()
        if self._drawn(data, 8 * self.rates.page, 3):
            judge.attempt("page", lambda: system.save(self.folder / "mesh.html"))

    def run(self, path: Path, data: bytes, judge: Judge) -> None:
        """An archive of a run is a run or no run; of some runs the motion goes on."""
        run = judge.attempt("reload", lambda: Run.load(path))
        if run is None:
            return
        judge.attempt("describe", lambda: judge.run(run))
        judge.attempt("describe", lambda: (repr(run), run(run.end)))
        if self._drawn(data, self.rates.simulate // 3 or 1, 2):
            more = judge.attempt("simulate", lambda: run.resume(run.end + 0.05))
            if more is not None:
                judge.run(more)
        if self._drawn(data, 4 * self.rates.page, 3):
            self._pages(run, judge)

    def networks(self, path: Path, data: bytes, judge: Judge) -> None:
        """Networks that are read give numbers."""
        nets = judge.attempt("load", lambda: anfis.load(path))
        if isinstance(nets, anfis.IkNets):
            poses = self.arm.pose([[0.1, 0.7], [0.9, 1.2]], "tip")
            found = judge.attempt("predict", lambda: nets.predict(poses))
        elif isinstance(nets, anfis.DynamicsNets):
            found = judge.attempt("predict", lambda: nets.predict([0.1, 0.7], [0.2, 0.3], [1.0, -1.0]))
        else:
            return
        if found is not None:
            judge.numbers("networks", found)

    def scene(self, path: Path, data: bytes, judge: Judge) -> None:
        """A scene is shown on a page, or refused."""
        text = data.decode("utf-8", errors="replace")
        judge.attempt("check", lambda: check_scene(text))
        if self._drawn(data, self.rates.page, 3):
            judge.attempt("page", lambda: view_scene(text, base=self.folder, lang="ru"))

    # Ensembles: a folder of finished chunks, one file of which is damaged.

    def _whole(self, folder: Path) -> Any:
        system = sistel.load(self.root / "models" / "bouncing_ball.xml")
        body = system.model.coordinate_names[0]
        return system.ensemble(UNTIL, initial={f"{body}": np.linspace(0.1, 0.4, 9)}, chunk=3, threads=1, keep=folder)

    def reference(self) -> tuple[Path, Any]:
        """The folder of a whole ensemble, and what it holds."""
        if self._reference is None:
            folder = self.folder / "ensemble"
            self._reference = folder, self._whole(folder).whole
        return self._reference

    def part(self, path: Path, data: bytes, judge: Judge) -> None:
        """The ensemble goes on in a folder with a damaged file: to the bit the same, or refused."""
        folder, whole = self.reference()
        copy = self.folder / "mutant ensemble"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(folder, copy)
        name = "ensemble.json" if path.suffix == ".json" else "part-000001.npz"
        (copy / name).write_bytes(data)
        found = judge.attempt("continue", lambda: self._whole(copy))
        again = None if found is None else judge.attempt("continue", lambda: found.whole)
        if again is None:
            return
        if _summed(data):
            return  # whoever knows how to write a chunk can write another one
        for name in ("state", "outcome", "events", "structure"):
            one, other = getattr(again, name), getattr(whole, name)
            if one.dtype != other.dtype or one.shape != other.shape or one.tobytes() != other.tobytes():
                judge.fault("silent", f"ensemble: other {name} from a damaged chunk", f"{one}\n{other}")
                return


def _summed(data: bytes) -> bool:
    """Whether an archive has the sum of what is in it."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as read:
            arrays = {name: read[name] for name in read.files}
        return str(arrays.pop("checksum", "")) == checksum(arrays)
    except Exception:
        return False


def _difference(system: Any, again: Any) -> str:
    """The element in which two systems differ first."""
    pairs = zip(system.to_xml("en").splitlines(), again.to_xml("en").splitlines(), strict=False)
    return next((a.split()[0] for a, b in pairs if a != b), "nothing that is written")


def quiet() -> None:
    """The noise of the ways goes nowhere."""
    sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115
