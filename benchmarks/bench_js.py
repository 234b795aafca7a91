"""Printed JavaScript under node: how long a part of a long program should be.

V8 compiles no function of more than 60 KB of bytecode, so a humanoid's equations in one piece are interpreted for good.
Each case is warmed up for a second, as an animation would do; then rounds follow in which each has its turn.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from _bench import Timing, options, report

import sistel
from sistel.kernels import compile_program, to_js
from sistel.mechanics import build_tree, derive

ROBOTS = Path(sysconfig.get_path("purelib"), "cmeel.prefix", "share", "example-robot-data", "robots")
PARTS = (1000, 100, 300, 2000, 4000, 10**6)
CALLS = {"panda inverse_dynamics": 2000, "g1 forward_dynamics": 200}

SCRIPT = """
import fs from "node:fs";
const cases = JSON.parse(fs.readFileSync("cases.json"));
for (const item of cases) {
  item.run = (await import(`./${item.file}`)).f;
  item.blocks = item.inputs.map((row) => Float64Array.from(row));
  item.blocks.push(new Float64Array(item.size));
  const start = performance.now();
  while (performance.now() - start < 1000) for (let i = 0; i < 20; i++) item.run(...item.blocks);
  item.result = Array.from(item.blocks[3]);
  item.seconds = [];
}
for (let round = 0; round < ROUNDS; round++) {
  for (const item of cases) {
    const [a, b, c, d] = item.blocks, run = item.run, calls = item.calls;
    const start = performance.now();
    for (let i = 0; i < calls; i++) run(a, b, c, d);
    item.seconds.push((performance.now() - start) / calls * 1e-3);
  }
}
console.log(JSON.stringify(cases.map((item) => ({ result: item.result, seconds: item.seconds }))));
"""


def programs() -> dict[str, Any]:
    fingers = ("panda_finger_joint1", "panda_finger_joint2")
    panda = sistel.load(ROBOTS / "panda_description" / "urdf" / "panda.urdf", lock=fingers)
    g1 = sistel.load(ROBOTS / "g1_description" / "urdf" / "g1_29dof_rev_1_0.urdf", base="free")
    return {
        "panda inverse_dynamics": derive(build_tree(panda.model), "inverse_dynamics"),
        "g1 forward_dynamics": derive(build_tree(g1.model), "forward_dynamics"),
    }


def main() -> int:
    arguments = options(__doc__, rounds=15)
    node = shutil.which("node")
    if node is None:
        print("node is missing", file=sys.stderr)
        return 1
    rng = np.random.default_rng(1)
    cases: list[dict[str, Any]] = []
    expected: list[Any] = []
    with tempfile.TemporaryDirectory() as folder:
        for title, program in programs().items():
            rows = [rng.uniform(-1.0, 1.0, size) for _, size in program.inputs]
            reference = compile_program(program, backend="numpy")(*rows)
            for part in PARTS:
                file = f"f{len(cases)}.mjs"
                Path(folder, file).write_text(to_js(program, "f", part=part), encoding="utf-8")
                pieces = -(-len(program) // part)
                case = {"name": f"{title}, parts of {part}" if pieces > 1 else f"{title}, in one piece", "file": file}
                if case["name"] in [other["name"] for other in cases]:
                    continue
                inputs = [row.tolist() for row in rows]
                cases.append(case | {"inputs": inputs, "size": program.outputs[0][1], "calls": CALLS[title]})
                expected.append(reference)
        Path(folder, "cases.json").write_text(json.dumps(cases))
        Path(folder, "run.mjs").write_text(SCRIPT.replace("ROUNDS", str(arguments.rounds)))
        done = subprocess.run([node, "run.mjs"], cwd=folder, capture_output=True, text=True, check=True)
    results = json.loads(done.stdout)
    for case, result, reference in zip(cases, results, expected, strict=True):
        error = np.abs(np.array(result["result"]) - reference).max() / np.abs(reference).max()
        assert error < 1e-11, f"{case['name']}: {error}"
    timings = [
        Timing(name=case["name"], calls=case["calls"], seconds=tuple(result["seconds"]))
        for case, result in zip(cases, results, strict=True)
    ]
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    report("js", timings, arguments.json, extra={"node": version})
    return 0


if __name__ == "__main__":
    sys.exit(main())
