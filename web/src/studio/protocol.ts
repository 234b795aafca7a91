// What the window and what answers it say to each other; places are counted in UTF-16 units, as editors count them.
import type { Words } from "../payload";

export type { Words };

/** One change of a text: what stands from `from` to `to` before it becomes `insert`. */
export interface Edit {
  from: number;
  to: number;
  insert: string;
}

export interface Fix {
  title: Words;
  edits: Edit[];
}

export interface Diagnostic {
  severity: "error" | "warning" | "info";
  code: string;
  from: number;
  to: number;
  line: number;
  column: number;
  message: Words;
  expected: Words | null;
  hint: Words | null;
  related: { from: number; to: number; line: number; column: number; message: Words }[];
  /** Where it stands, when that is not the text that was sent. */
  file: string | null;
  fixes: Fix[];
}

export interface FileEntry {
  path: string;
  size: number;
  stamp: string;
  kind: string;
}

export interface Hello {
  version: string;
  folder: string;
  files: FileEntry[];
  recent: string[];
  /** Whether there is no server: what it alone can do is not there. */
  alone?: boolean;
  /** What a script showed last. */
  shown?: { title: string; run?: string; url?: string; path?: string } | null;
  /** Which file to open first. */
  open?: string | null;
}

export interface ReadFile {
  path: string;
  text: string;
  stamp: string;
  draft?: { text: string; stamp: string } | null;
}

export interface Checked {
  diagnostics: Diagnostic[];
  /** [ms] */
  took: number;
  facts?: Words | null;
  kind?: "system" | "part" | "task" | "drives" | "motors" | "cell";
}

export interface RunEntry {
  id: string;
  name: string;
  model: string;
  path: string;
  /** What was written over: values of parameters. */
  changed?: Record<string, number>;
  /** What inputs were given, as it was written; under an empty name a table. */
  inputs?: Record<string, string>;
  until: number | null;
  /** [s] since 1970. */
  made: number;
  events: number;
  warnings: number;
  /** [s] */
  took?: number;
  /** Largest departure of the energy, as a part of it; null where it is no law of the run. */
  drift?: number | null;
  kind?: string;
  /** Of a sweep: whether it is done, how many of its runs are, what it is of. */
  state?: "done" | "unfinished";
  runs?: number;
  done?: number;
  vary?: { name: string; begin: number; end: number; count: number }[];
  quantity?: string;
  /** The condition that was to end it, and when it did [s]. */
  stop?: { condition: string; time: number | null } | null;
}

export interface JobEntry {
  job: string;
  kind: string;
  name: string;
  /** 0 … 1; null while it is not known. */
  share: number | null;
  note: string | Words | null;
}

export interface JobEnd {
  job: string;
  kind?: string;
  name: string;
  run?: RunEntry | string | null;
  result?: unknown;
  failed?: Failure | null;
  interrupted?: boolean;
  took: number;
}

export interface Failure {
  code: string;
  message: Words;
  diagnostics: Diagnostic[];
}

/** A place of a picture that can be dragged. */
export interface Handle {
  id: string;
  kind: string;
  at: [number, number];
  /** The direction in which it can go; everywhere without. */
  along?: [number, number] | null;
  label: Words;
  /** The number of the body that it is of; 0 for the ground. */
  body: number;
  /** Shown for the chosen body alone. */
  minor: boolean;
  /** In space, the handle that it is an axis of, and which; that one itself stays. */
  of?: string;
  axis?: "x" | "y" | "z";
  fixed?: boolean;
  /** The place of the text that it writes to. */
  from: number;
  to: number;
}

/** A body of a picture, and where it is written. */
export interface Bodied {
  number: number;
  name: string;
  from: number;
  to: number;
}

export interface Scheme {
  svg: string;
  unit: string;
  /** Left, top, width and height. */
  window: [number, number, number, number];
  handles: Handle[];
  bodies: Bodied[];
  /** What is wrong with the posture. */
  note: Words | null;
}

export interface Moved extends Scheme {
  edits: Edit[];
  /** Where the handle is now. */
  at: [number, number] | null;
  /** What was held back. */
  notes: Words[];
}

/** The way of a point while one coordinate goes all round. */
export interface Way {
  points: [number, number][];
  closed: boolean;
  /** That coordinate. */
  drive: string | null;
}

export interface Branch {
  id: string;
  /** The kind of thing: the key of its element. */
  kind: string;
  word: Words;
  name: string;
  from: number;
  to: number;
  /** Where its start tag ends. */
  tagTo: number;
  children: Branch[];
}

/** An attribute in the form of an element. */
export interface Field {
  name: string;
  key: string | null;
  value: string | null;
  about: Words | null;
  default: Words | null;
  required: boolean;
  unit: Words | null;
  /** Its words, where it has no others. */
  choices: string[] | null;
  /** What it may name. */
  names: string[] | null;
}

/** The element at a place. */
export interface WordsHere {
  kind: string;
  word: Words;
  about: Words | null;
  name: string;
  from: number;
  to: number;
  attributes: Field[];
  addable: { name: string; word: Words; about: Words }[];
  /** Whether it is the whole system. */
  root: boolean;
}

/** Somebody who still names what is gone. */
export interface Left {
  name: string;
  line: number;
  from: number;
  to: number;
}

export interface Parameter {
  name: string;
  value: number;
  unit: string;
  written: string;
  low: number;
  high: number;
  about: string | Words | null;
}

export interface GraphNode {
  id: string;
  name: string;
  at?: [number, number] | null;
  from: number;
  to: number;
  note?: string | Words;
  /** Whether runs begin there. */
  first: boolean;
}

export interface GraphEdge {
  id: string;
  source: string;
  target: string;
  when: string;
  from: number;
  to: number;
}

export interface StructureGraph {
  nodes: GraphNode[];
  edges: GraphEdge[];
}

/** A place of a block where a signal comes in. */
export interface SchemeIn {
  /** The attribute that says what comes in, and which of its values. */
  id: string;
  label: string;
  /** As it stands in the text. */
  value: string;
  /** Whether it is written inside, and cannot be joined here. */
  fixed: boolean;
}

export interface SchemeOut {
  /** The name of the signal in its scheme. */
  id: string;
  label: string;
  unit: string | null;
  /** What a run calls it; null for a vector as a whole. */
  signal: string | null;
  truth: boolean;
}

/** What stands behind a thing: a sub-scheme, in another file perhaps, or the states of a behaviour. */
export interface Opens {
  scheme?: string;
  /** The use whose signals are meant. */
  use?: string;
  file?: string;
  behaviour?: string;
}

/** An element of a scheme, or a value from outside of it. */
export interface SchemeNode {
  id: string;
  name: string;
  /** signal, block, sensor, use, output, input, lamp, dial, indicator, behaviour, repeat, outside, or port. */
  kind: string;
  /** Which of them: pd, rangefinder, … */
  sort: string | null;
  title: Words | null;
  ins: SchemeIn[];
  outs: SchemeOut[];
  from: number;
  to: number;
  /** Column and row, where the file gives them. */
  at: [number, number] | null;
  opens: Opens | null;
}

export interface SchemeWire {
  id: string;
  /** Node and signal that it comes from. */
  source: string;
  out: string;
  /** Node and place that it leads to. */
  target: string;
  in: string;
  unit: string | null;
  /** Whether it is taken with the other sign. */
  negative: boolean;
  /** Whether more comes in at that place than this alone. */
  formula: boolean;
}

export interface ControlScheme {
  schemes: { id: string; name: string; period: string | null; ports: string[]; from: number; to: number }[];
  /** Which of them this is; null in a file without any. */
  id: string | null;
  nodes: SchemeNode[];
  wires: SchemeWire[];
  /** Before the names of its signals, where it is used by another. */
  prefix: string;
}

/** An attribute of a thing, as a panel shows it. */
export interface ThingAttribute {
  key: string;
  word: Words;
  about: Words;
  unit: Words | null;
  value: string | null;
  needed: boolean;
  usual: Words | null;
  choices: string[] | null;
  from: number;
  to: number;
}

export interface ThingPanel {
  id: string;
  about: Words;
  attributes: ThingAttribute[];
}

/** The states of a behaviour; outer ones come first. */
export interface StateChart {
  name: string;
  states: {
    id: string;
    name: string;
    kind: string;
    parent: string | null;
    first: boolean;
    gives: string[];
    from: number;
    to: number;
  }[];
  passages: { id: string; source: string; target: string; when: string; from: number; to: number }[];
}

/** A thing to put into a scheme. */
export interface PaletteItem {
  id: string;
  kind: string;
  sort?: string | null;
  label: string | Words;
  about: string | Words;
  group: string | Words;
}

export type SchemeChange =
  | { do: "create"; name?: string; period?: string; ports?: string }
  | { do: "add"; item: string; at?: [number, number] }
  | { do: "remove"; ids: string[] }
  | { do: "wire"; source: string; out: string; target: string; in: string }
  | { do: "unwire"; target: string; in: string; out: string }
  | { do: "set"; id: string; attribute: string; value: string | null }
  | { do: "rename"; id: string; name: string }
  | { do: "move"; places: Record<string, [number, number]> }
  | { do: "arrange" };

/** What a change of a text comes to, and what is chosen then. */
export interface Changed {
  edits: Edit[];
  select?: { from: number; to: number } | null;
  left?: Left[];
  /** What the graph calls the thing that was made. */
  made?: string;
}

/** Values of signals of a run, at the same instants [s]. */
export interface Curves {
  times: number[];
  begin: number;
  end: number;
  curves: Curve[];
  /** Of those that the run does not have, why. */
  failed: Record<string, Words>;
}

export interface Curve {
  name: string;
  unit: string;
  /** Whether a clock holds it between two instants. */
  held: boolean;
  values: (number | null)[];
  /** The least and the greatest value until the next instant, where there is more than is told. */
  low?: (number | null)[];
  high?: (number | null)[];
}

/** What an operator touches and sees. */
export interface OperatorConsole {
  inputs: {
    name: string;
    /** number, button, latching, toggle, rotary, slider or joystick. */
    face: string;
    truth: boolean;
    start: number;
    low: number | null;
    high: number | null;
    positions: number[];
    unit: string;
  }[];
  displays: {
    name: string;
    kind: string;
    low: number | null;
    high: number | null;
    colour: string | null;
    digits: number | null;
  }[];
}

/** A motion that keeps pace with the clock, as it is now. */
export interface LiveState {
  job: string;
  /** [s] */
  t: number;
  values: Record<string, number | null>;
  touches: { t: number; name: string; value: number }[];
  refused: string[];
  /** How far it is behind the clock [s]. */
  late: number;
}

/** How a signal answers to a step. */
export interface Response {
  start: number;
  target: number;
  /** A part of the step. */
  overshoot: number;
  /** [s] */
  peak: number | null;
  /** [s]; null where it does not settle. */
  settling: number | null;
  band: number;
  error: number;
}

/** What is told without a question. */
export type Told =
  | { told: "file.changed"; with: { path: string; stamp: string } }
  | { told: "file.gone"; with: { path: string } }
  | { told: "files.changed"; with: Record<string, never> }
  | { told: "job.progress"; with: { job: string; share: number | null; note: string | Words | null; events?: number } }
  | { told: "job.ended"; with: JobEnd }
  | { told: "run.live"; with: LiveState }
  | { told: "runs.changed"; with: Record<string, never> }
  | { told: "shown"; with: { title: string; run?: string; url?: string; path?: string } }
  | { told: "said"; with: { kind: "info" | "warning"; text: Words } }
  | { told: "bye"; with: { why: Words | string } }
  /** Without a server: how much of Python has come, and why it does not run. */
  | { told: "starting"; with: { share: number | null; failed?: Words } }
  /** Without a server: why files are not kept. */
  | { told: "unkept"; with: { why: string | Words } };

export interface Question {
  id: number;
  call: string;
  with: object;
  latest?: string;
}

export type Answer = { id: number; done: unknown } | { id: number; failed: Failure };
