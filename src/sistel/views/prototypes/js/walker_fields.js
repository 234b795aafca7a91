// The names of fields and nodes stand between dollar signs: every language has its own.

const FIELD = { place: "$place$", orientation: "$orientation$", sizes: "$sizes$", joints: "$joints$", legs: "$legs$", code: "$code$" };
const PART = {
  place: () => $place$, orientation: () => $orientation$, sizes: () => $sizes$,
  legs: () => Array.from($legs$), feet: () => Array.from($feet$),
  gait: () => ({ stride: $stride$, lift: $lift$, cycle: $cycle$ }),
  walks: () => $walk$, time: () => $time$, trunk: () => $trunk$, clock: () => $clock$,
  report: (shown) => { $time$ = shown; },
};
function initialize() { begin(); }
function set_$place$() { show(PART.time()); }
function set_$orientation$() { show(PART.time()); }
function set_$sizes$() { build(); }
function set_$feet$() { show(PART.time()); }
function set_$stride$() { show(PART.time()); }
function set_$lift$() { show(PART.time()); }
function set_$cycle$() { show(PART.time()); }
function set_$legs$() { show(PART.time()); }
function set_$walk$() { setOff(); }
function set_$time$(value) { if (!$walk$) show(value); }
function $tick$(value) { tick(value); }
