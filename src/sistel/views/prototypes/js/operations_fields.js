// The names of fields and nodes stand between dollar signs: every language has its own.

const FIELD = { list: "$list$", place: "$place$", orientation: "$orientation$", spread: "$spread$" };
const PART = {
  flange: () => $flange$, clock: () => $clock$,
  loads: () => Array.from($loads$), grippers: () => Array.from($grippers$),
  list: () => $list$, fitted: () => $fitted$, mode: () => $mode$, order: () => $order$, time: () => $time$,
  report: (state, shown) => {
    if ($fitted$ !== state.fitted) $fitted$ = state.fitted;
    if ($held$ !== state.held) $held$ = state.held;
    if ($time$ !== shown) $time$ = shown;
  },
};
function initialize(time) { begin(time); }
function set_$list$(value, time) { read(value, time); }
function set_$time$(value) { if (!run) show(value); }
function $tick$(value) { tick(value); }
function $click$(value, time) { click(time); }
