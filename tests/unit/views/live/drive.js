// Stands after the modules of a page: moves every system of a list of jobs, and prints what came of it.
const { readFileSync } = await import("node:fs");
const { runInThisContext } = await import("node:vm");

/** What a job asks for, in its order: each step is [what, arguments]. */
function done(job) {
  const system = new LiveSystem(makeKernels(job.source, runInThisContext), job.table, job.options ?? {});
  const now = () => ({ t: system.t, q: [...system.q], v: [...system.v], structure: system.structure });
  return job.steps.map(([what, ...given]) => {
    if (what === "poses") return [...system.poses(given[0])];
    if (what === "energies") return system.energies(...given);
    if (what === "close") {
      const found = system.close(...given);
      return { ...found, q: [...found.q] };
    }
    if (what === "velocities") {
      const found = system.closeVelocities(...given);
      return { ...found, v: [...found.v] };
    }
    if (what === "advance") {
      return given[0].map((t) => {
        system.advance(t, given[1]);
        return now();
      });
    }
    if (what === "crawl") {
      let calls = 0;
      for (; system.t < given[0] && system.stopped === null; calls++) system.advance(given[0], { budget_ms: 0 });
      return { ...now(), calls };
    }
    if (what === "state") return now();
    if (what === "form") {
      const [parameters, q, v] = given;
      const wrong = system.start({ parameters, changes: { q: new Map(q), v: new Map(v) } });
      return { ...now(), wrong };
    }
    if (what === "swings") {
      const found = smallSwings(system);
      return "swings" in found ? { ...found, q: [...found.q] } : found;
    }
    if (what === "total") return system.energies(system.q, system.v).total;
    if (what === "work") return system.work;
    if (what === "events") return system.events;
    if (what === "stopped") return system.stopped;
    if (what === "refused") return system.refused;
    return system[what](...given);
  });
}

const jobs = JSON.parse(readFileSync(process.argv[2], "utf-8"));
process.stdout.write(JSON.stringify(jobs.map(done)));
