// Written by tools/payload.py from src/sistel/views/_page_data.py: change the types there.

/** A text in both languages. */
export interface Words {
  en: string;
  ru: string;
}

/**
 * A number of the file.
 *
 * A number times the first of `scale` over the second is in SI, `value` is what the model has [SI], `min` and `max`
 * are in the unit of the field. `place` is where the number stands in the text of the file, or nothing where the file
 * leaves it out; then `slot` says which piece of text it would gain. `of` is what it sets of the motion.
 * `drawn` says whether bodies would be drawn otherwise with another number: the picture keeps those of the file.
 */
export interface FormField {
  key: string;
  group: "parameters" | "gravity" | "start";
  name: Words;
  about: Words;
  written: string;
  unit: Words;
  scale: [number, number];
  value: number | null;
  min: number | null;
  max: number | null;
  formula: boolean;
  required: boolean;
  of: "parameter" | "q" | "v" | "";
  parameter: string;
  drawn: boolean;
  index: number;
  line: number;
  place: number[];
  slot: number;
}

/** A piece of text that the file gains as soon as one of its fields is filled in; `parent` is -1 for none. */
export interface FormSlot {
  first: number;
  last: number;
  parent: number;
  before: string;
  after: string;
}

/** A form of the file of a page: the block of its text, and its encoding where it is not UTF-8. */
export interface FormData {
  id: string;
  file: string;
  encoding: number[];
  fields: FormField[];
  slots: FormSlot[];
  left: Words[];
}

/** Arguments of a kernel: what it reads, then what it writes. */
export interface KernelBlocks {
  inputs: [string, number][];
  outputs: [string, number][];
}

/** A transition out of a structure; `passage` is None where the page cannot compute it. */
export interface LiveExit {
  transition: string;
  target: number;
  word: number[];
  first: number;
  passage: number | null;
  links: string[];
  refused: Words | null;
  tick: boolean;
  quiet: boolean;
}

/** What moves a structure: numbers of kernels, and what is watched. */
export interface LiveMotion {
  flow: number | null;
  watch: number | null;
  leaves: number;
  kinds: number[];
  exits: LiveExit[];
  first: number;
  modes: number;
  switches: [number, string][];
  choose: number | null;
  corrects: boolean;
  correct: number | null;
  data?: number | null;
  find?: number | null;
  found?: number;
  held?: number | null;
}

/** A contact, a stop or dry friction: its rows, its laws, places of its numbers, what it is called by status. */
export interface LiveElement {
  label: string;
  kind: "contact" | "stop" | "grip";
  normal: number;
  tangent: number;
  friction: number | null;
  back: number;
  grasp: [number, number];
  newton: number;
  poisson: number;
  bound: number;
  tight: number;
  pull: number;
  partners: [number, number][];
  said: Words[];
}

/** A watched function of an element, and what happens where it ends: the one or the other, by its status. */
export interface LiveLeaf {
  element: number;
  which: number;
  place: number;
  names: string[];
  said: Words[];
}

/**
 * All that decide by themselves what they do.
 *
 * `sides` is how many tangents a row of numbers has room for, `reads` whether conditions or ticks read what contacts
 * carry, in each of its rows.
 */
export interface LiveElements {
  elements: LiveElement[];
  leaves: LiveLeaf[];
  rows: number;
  size: number;
  share: number;
  groups: number[][];
  sides: number;
  reads: boolean;
}

/** A structure: what closes its loops, and what moves it, if something does. */
export interface LiveStructure {
  name: string;
  rows: number;
  forced: number[];
  constraints: number | null;
  anchors?: number;
  anchor?: number | null;
  motion: LiveMotion | null;
  signals?: number | null;
  loads?: number | null;
  carriers?: string[];
  refused?: Words;
}

/** The state of the file, and which of its numbers the file gives. */
export interface LiveStart {
  q: number[];
  v: number[];
  t: number;
  structure: number;
  givenQ: number[];
  givenV: number[];
}

/** A parameter of the kernels; `place` is where a live one stands among the others. */
export interface LiveParameter {
  name: string;
  value: number;
  unit: Words;
  about: string;
  live: boolean;
  place: number | null;
  min: number;
  max: number;
  refused: Words | null;
}

/** What a hand needs to push: how every velocity moves what hangs on it, bases of the bodies, the mass [kg]. */
export interface LivePush {
  twists: number | null;
  bases: number[];
  mass: number;
  acts: boolean;
}

/** How to drive the kernels of a system. */
export interface LiveTable {
  nq: number;
  nv: number;
  bodies: number;
  joints: [number, number, number, number][];
  limits: [number | null, number | null][];
  memory: [string, string, number][];
  poses: number | null;
  energies: number | null;
  rays?: number | null;
  push?: LivePush;
  structures: LiveStructure[];
  start: LiveStart;
  refused: Words | null;
  hoisted?: number;
  line?: number | null;
  sizes?: number | null;
  begin?: number | null;
  flowing?: string[];
  elements?: LiveElements;
  parameters: LiveParameter[];
  kernels: KernelBlocks[];
}

/** The live motion of a page: the block of its kernels, their table, and whether the panel is there. */
export interface LiveData {
  id: string;
  table: LiveTable;
  on: boolean;
}

/** A body, its number and that of its base. */
export interface Body {
  number: number;
  name: string;
  base: number;
}

/** A coordinate and its limits. */
export interface Coordinate {
  name: string;
  kind: "angle" | "length" | "number";
  body: number;
  min: number | null;
  max: number | null;
}

/** A velocity. */
export interface Rate {
  name: string;
  kind: "angle" | "length" | "number";
}

/** A joint with a quaternion: where its coordinates and velocities begin, and whether it also moves freely. */
export interface Spin {
  q: number;
  v: number;
  free: boolean;
}

/** A body, a point or a frame: where it is in its body, with axes by rows. */
export interface Place {
  name: string;
  kind: "body" | "point" | "frame";
  body: number;
  p: number[];
  R?: number[];
}

/** A point of a body. */
export interface Point {
  body: number;
  p: number[];
}

export interface StructureRow {
  name: string;
  key: string;
  said: Words;
  class: string;
}

/** Coordinates, velocities, the time and the number of the structure. */
export interface State {
  q: number[];
  v: number[];
  t: number;
  structure: number;
}

/** How long a structure lasts. */
export interface Stay {
  structure: number;
  begin: number;
  end: number;
}

/** The strongest of an event [N·s]. */
export interface Impulse {
  name: string;
  size: number | null;
}

/** Something that happened: the structures before and after it, the energy lost [J]. */
export interface RunEvent {
  time: number;
  before: number;
  after: number;
  said: string | Words;
  loss: number | null;
  impulse: Impulse | null;
  where?: Point;
}

/** What a user must know of a run. */
export interface Warned {
  time: number;
  said: Words;
  hint: Words | null;
  place: string;
  count: number;
}

/** The motion of a run: how to read its keys, and which structure holds when. */
export interface RunKeys {
  begin: number;
  end: number;
  whole: number;
  id: string;
  columns: number[][];
  keys: number;
  counts: number[];
  stays: Stay[];
  joined: number;
  steps: number;
  stopped: Words | null;
}

/** Forces of a contact: where it touches [m] and what it does there [N], three numbers for every time. */
export interface PushRow {
  name: string | Words;
  place: number[];
  force: number[];
}

/** Forces of contacts along a run; `usual` is that of the longest arrow [N]. */
export interface Pushes {
  times: number[];
  rows: PushRow[];
  usual: number;
}

/** A state that a behaviour enters [s]. */
export interface EnteredState {
  time: number;
  behaviour: string;
  state: string;
}

/** States that behaviours enter: the first of them, and how many there are in all. */
export interface Entered {
  all: number;
  rows: EnteredState[];
}

/** A run: its motion, and what happened in it. */
export interface RunData {
  begin: number;
  end: number;
  whole: number;
  id: string;
  columns: number[][];
  keys: number;
  counts: number[];
  stays: Stay[];
  joined: number;
  steps: number;
  stopped: Words | null;
  eventsInAll: number;
  events: RunEvent[];
  warnings: Warned[];
  pushes: Pushes | null;
  entered: Entered | null;
}

/**
 * A curve of a run: its number in its group, its least and greatest value.
 *
 * Of places, the number is three times that of the place in the page, and the axis; energies count from `zero` [J].
 */
export interface Curve {
  name: string | Words;
  of: number;
  low: number;
  high: number;
  zero?: number;
}

/**
 * Curves of one axis; `per` is a power of seconds, `error` how far they are from the run, over their range.
 *
 * Curves without times are those that the page reads off the states of its motion.
 */
export interface Chart {
  group: string;
  title: string | Words;
  kind: "angle" | "length" | "number" | "force" | "moment" | "energy" | "power";
  per: number;
  milli: boolean;
  curves: Curve[];
  count: number;
  error: number;
}

/** The curves of a run, and how to read their block. */
export interface Curves {
  id: string;
  begin: number;
  end: number;
  levels: number;
  charts: Chart[];
}

/** Another run, over the one of the page: its motion and its curves, and how its states are laid out. */
export interface ComparedRun {
  name: string;
  run: RunKeys;
  curves: Curves;
  structures: StructureRow[];
  events: number;
  coordinates: Coordinate[];
  rates: Rate[];
  spins: Spin[];
  partners: number[];
  values: Record<string, number> | null;
}

/** The scheme of a planar system, in a block of the page. */
export interface PlanarPicture {
  kind: "planar";
  prefix: string;
  size: number;
  window: number[];
  follow: Follow | null;
  bodies: SchemeBody[];
  springs: SchemeSpring[];
  labels: SchemeLabel[];
  marks: SchemeMark[];
  pieces: SchemePiece[];
  id: string;
}

/** The scheme of a spatial system, in a block of the page. */
export interface SpatialPicture {
  kind: "spatial";
  prefix: string;
  size: number;
  window: number[];
  follow: Follow | null;
  figures: SchemeFigure[];
  labels: SchemeLabel[];
  id: string;
}

/** The scene of a page, and the blocks that it is in; `trail` is the width of lines [px]. */
export interface PageSceneData {
  transforms: string[];
  bases: number[];
  places: (number[] | null)[];
  world: string;
  camera: string;
  axes: number[];
  springs: SceneSpring[];
  nodes: SceneNode[];
  floor: number;
  corners: number[][][];
  rings: [string, number][];
  layers: Record<string, string[]>;
  paints: Record<string, string>;
  notes: Words[];
  follow: SceneFollow;
  views: Words[];
  id: string;
  x_ite: string;
  style: string;
  trail: number;
}

/** What pages and lessons are told alike. */
export interface CommonData {
  name: string;
  summary: Words;
  planar: boolean;
  size: number;
  bodies: Body[];
  coordinates: Coordinate[];
  rates: Rate[];
  spins: Spin[];
  partners: number[];
  loops: boolean;
  places: Place[];
  trails: number[];
  contacts: Record<string, Point>;
  lang: "en" | "ru";
  structures: StructureRow[];
  start: State;
  run: RunData | null;
  scheme: PlanarPicture | SpatialPicture;
  scene: PageSceneData | null;
  chart: Record<"en" | "ru", string> | null;
  curves: Curves | null;
  equations: EquationsData | null;
  parameters: ParameterRow[];
}

/** A signal of a scheme: where it stands among what states remember, or among what flows; and how it is shown. */
export interface ControlSignal {
  name: string;
  unit: Words;
  scale: number;
  truth: boolean;
  memory: number | null;
  flow: number | null;
  kind: "angle" | "length" | "number" | "force" | "moment";
  title: Words;
}

/** What an operator touches; `signals` are the numbers that it gives [SI]. */
export interface ConsoleInput {
  name: string;
  face: string;
  signals: number[];
  start: number;
  min: number | null;
  max: number | null;
  positions: number[];
}

/** What an operator sees. */
export interface ConsoleDisplay {
  name: string;
  kind: string;
  signal: number;
  min: number | null;
  max: number | null;
  colour: string | null;
  digits: number | null;
}

/**
 * Functional schemes: blocks of their drawings, what their wires carry, and the console.
 *
 * `given` and `record` are what inputs were in the run: values at its beginning, and (time, signal, value) of every
 * change.
 */
export interface ControlData {
  drawing: Record<"en" | "ru", string>;
  drawn: number;
  signals: ControlSignal[];
  plotted: number;
  all: number;
  inputs: ConsoleInput[];
  displays: ConsoleDisplay[];
  given: number[];
  record: [number, number, number][];
}

/** What follows parameters: a script with one kernel, from them to numbers, and where those stand in the payload. */
export interface GeometryData {
  id: string;
  kernel: KernelBlocks;
  places: (string | number)[][];
}

/** The file of the model: the block of its text, its parameters there and those of the page [SI], by name. */
export interface SourceData {
  id: string;
  own: Record<string, number>;
  wanted: Record<string, number>;
}

/** The payload of the page of a system. */
export interface PageData {
  name: string;
  summary: Words;
  planar: boolean;
  size: number;
  bodies: Body[];
  coordinates: Coordinate[];
  rates: Rate[];
  spins: Spin[];
  partners: number[];
  loops: boolean;
  places: Place[];
  trails: number[];
  contacts: Record<string, Point>;
  lang: "en" | "ru";
  structures: StructureRow[];
  start: State;
  run: RunData | null;
  scheme: PlanarPicture | SpatialPicture;
  scene: PageSceneData | null;
  chart: Record<"en" | "ru", string> | null;
  curves: Curves | null;
  equations: EquationsData | null;
  parameters: ParameterRow[];
  source: SourceData | null;
  chart_of: "chart" | "drives";
  live: LiveData;
  form: FormData | null;
  control: ControlData | null;
  tree: TreeData;
  geometry: GeometryData | null;
  called: string;
  compared: ComparedRun[];
}

/** The body that the camera goes along with, in which directions, and where it was [mm]. */
export interface Follow {
  body: number;
  x: boolean;
  y: boolean;
  home: number[] | null;
}

/** A body and its base, by number. */
export interface SchemeBody {
  number: number;
  base: number;
}

/** A spring: its ends as a body with a point [mm], and how it is coiled. */
export interface SchemeSpring {
  id: string;
  ends: number[][];
  coils: number;
  half: number;
  straight: number;
}

/** The number of a body: where it is in it, and how far it is moved on the paper [mm]. */
export interface SchemeLabel {
  id: string;
  body: number;
  at: number[];
  shift: number[];
}

/** The symbol of a link, and the structures in which it holds. */
export interface SchemeMark {
  id: string;
  structures: string[];
}

/** A figure of an isometric scheme: its points, each a body with a place in it [mm]. */
export interface SchemeFigure {
  id: string;
  kind: string;
  points: number[][];
  radius: number;
  half: number;
  axis: number[];
  bias: number;
}

/** An attribute of an element that follows parameters: texts, and numbers between them [mm]. */
export interface SchemePiece {
  id: string;
  attribute: string;
  parts: (string | number)[];
}

/** What moves the scheme of a planar system. */
export interface PlanarScheme {
  kind: "planar";
  prefix: string;
  size: number;
  window: number[];
  follow: Follow | null;
  bodies: SchemeBody[];
  springs: SchemeSpring[];
  labels: SchemeLabel[];
  marks: SchemeMark[];
  pieces: SchemePiece[];
}

/** What moves the scheme of a spatial system. */
export interface SpatialScheme {
  kind: "spatial";
  prefix: string;
  size: number;
  window: number[];
  follow: Follow | null;
  figures: SchemeFigure[];
  labels: SchemeLabel[];
}

/** A spring of a scene: its node, its ends as bodies with points, its radius. */
export interface SceneSpring {
  node: string;
  ends: [number, number[]][];
  radius: number;
}

/**
 * A Transform that follows parameters: its place [m], its turn as a matrix by rows, its scale.
 *
 * A link is stretched and turned instead: `was` is where its far end is in the figure, `now` where that has to be [m].
 */
export interface SceneNode {
  node: string;
  at: number[] | null;
  axes: number[] | null;
  scale: number[] | null;
  was: number[] | null;
  now: number[] | null;
}

/** The body that the camera goes along with, and how far that goes before it does. */
export interface SceneFollow {
  body: number;
  room: number;
}

/** What one evaluation of a quantity takes. */
export interface Cost {
  name: string | Words;
  sign: string;
  count: string | Words;
}

/** Equations: where they are not shown, `note` says how to get them. */
export interface EquationsData {
  id: string;
  shown: boolean;
  counts: Cost[];
  note: string | Words | null;
  others: string | Words | null;
}

/** A symbol: its formula by number, what it is. */
export interface EquationSymbol {
  sign: number;
  about: string | Words;
  value: string;
  unit: string | Words;
}

/** A part of the equations: formulas by number, with headings before some of them. */
export interface EquationSection {
  key: string;
  title: string | Words;
  about: string | Words;
  heads: Record<string, string | Words>;
  rows: number[];
}

/** The equations of a structure. */
export interface EquationStructure {
  name: string | Words;
  dof: number;
  holds: string[];
  heroes: number[];
  notes: (string | Words)[];
  symbols: EquationSymbol[];
  sections: EquationSection[];
}

/** The block of equations: every formula once, as MathML. */
export interface EquationsBlock {
  structures: EquationStructure[];
  formulas: string[];
}

/** A word and a value. */
export interface Fact {
  word: string | Words;
  value: string | Words;
}

/** A body in the tree, and what is known of it. */
export interface TreeBody {
  number: number;
  name: string;
  base: number;
  joint: string | Words;
  jointName: string;
  mass: string | Words;
  details: Fact[];
}

export interface TreeStructure {
  name: string;
  initial: boolean;
  class: string;
  dof: number;
  holds: string[];
  changes: string | Words;
  whyNot: string | Words;
}

/** A transition in words. */
export interface TreeTransition {
  name: string;
  sources: string[];
  target: string;
  condition: string | Words;
  impact: string | Words;
  resets: string | Words;
}

/** A column of a table: aligned to the right, or kept in one line. */
export interface TableColumn {
  title: string;
  right: boolean;
  keep: boolean;
}

/** A table, of which the first rows are here. */
export interface Table {
  title: string;
  columns: TableColumn[];
  rows: string[][];
  total: number;
}

export interface TreeData {
  id: string;
  about: string;
  class: string;
  classSaid: string | Words;
  facts: Fact[];
  others: string | Words;
  ground: string | Words;
  bases: string;
  bodies: TreeBody[];
  hidden: number;
  declared: boolean;
  structures: TreeStructure[];
  transitions: TreeTransition[];
  tables: Record<"en" | "ru", Table[]>;
  graph: boolean;
}

/** The same, with what the live motion knows of it: between which values a slider goes. */
export interface ParameterRow {
  name: string;
  value: number | null;
  unit: string | Words;
  shown: string | Words;
  range: string | Words;
  about: string;
  min: number | null;
  max: number | null;
  scale: number;
  shownUnit: string | Words;
  live: boolean;
  low: number | null;
  high: number | null;
  refused: Words | null;
}

/** A coordinate that moves the tool. */
export interface LessonJoint {
  place: number;
  low: number | null;
  high: number | null;
  name: string;
  turns: boolean;
}

/** Numbers of the searches of the library. */
export interface LessonSearch {
  slow: number;
  least: number;
  most: number;
  stall: number;
  choice: number;
  polish: number;
  patience: number;
  patient: number;
}

/** A generator of the places where attempts begin: its state, the ranges, how many. */
export interface LessonDraw {
  state: string;
  increment: string;
  first: number[];
  last: number[];
  count: number;
  start: number[];
}

/** The tool. */
export interface LessonFrame {
  name: string;
  body: number;
  p: number[];
  R: number[];
}

/** A row of the table of Denavit and Hartenberg. */
export interface DhRow {
  name: string;
  kind: string;
  theta: number;
  d: number;
  a: number;
  alpha: number;
}

/** The table, with the poses of its base and its tool. */
export interface DhTable {
  rows: DhRow[];
  base: number[][];
  tool: number[][];
}

/** The mass of a body, where its centre is, and moments of inertia about that: xx, yy, zz, xy, xz, yz. */
export interface LessonLink {
  mass: number;
  com: number[];
  inertia: number[];
}

/** The numbers of a neuro-fuzzy network. */
export interface Network {
  low: number[];
  span: number[];
  centres: number[][];
  widths: number[][];
  consequents: number[][];
}

/** Networks of forces; `uses` says which signals each reads. */
export interface DynamicsNetworks {
  networks: Network[];
  nodes: number[];
  uses: number[][];
}

/** Networks of inverse kinematics, and how targets are told to them. */
export interface IkNetworks {
  networks: Network[];
  nodes: number[];
  orientation: string;
  uses: number[];
  middle: number[];
  low: number[];
  high: number[];
}

/** Networks of an arm, None for those that are not given. */
export interface Networks {
  ik: IkNetworks | null;
  dynamics: DynamicsNetworks | null;
}

/** Polynomials between knots: coefficients by piece, power and coordinate; each counts from its origin. */
export interface Trajectory {
  knots: number[];
  origins: number[][];
  coefficients: number[][][];
}

/** What a lesson opens with. */
export interface LessonBegin {
  mode: "forward" | "inverse" | "trajectory";
  q: number[] | null;
  target: number[] | null;
  task: "pose" | "position" | "pointing";
  method: "lm" | "ccd" | "anfis";
  to: number[] | null;
  kind: string;
  duration: number | null;
  trajectory: Trajectory | null;
  payload: number;
}

/** All of a lesson. */
export interface Lesson {
  poses: number | null;
  look: number | null;
  steps: Record<string, number | null>;
  forces: number | null;
  load: number | null;
  arguments: KernelBlocks[];
  joints: LessonJoint[];
  search: LessonSearch;
  draw: LessonDraw;
  source: string;
  nv: number;
  frame: LessonFrame;
  dh: DhTable | null;
  links: LessonLink[];
  rotors: number[];
  gravity: number[];
  networks: Networks;
  begin: LessonBegin;
}

/** The payload of a lesson. */
export interface LessonData {
  name: string;
  summary: Words;
  planar: boolean;
  size: number;
  bodies: Body[];
  coordinates: Coordinate[];
  rates: Rate[];
  spins: Spin[];
  partners: number[];
  loops: boolean;
  places: Place[];
  trails: number[];
  contacts: Record<string, Point>;
  lang: "en" | "ru";
  structures: StructureRow[];
  start: State;
  run: RunData | null;
  scheme: PlanarPicture | SpatialPicture;
  scene: PageSceneData | null;
  chart: Record<"en" | "ru", string> | null;
  curves: Curves | null;
  equations: EquationsData | null;
  parameters: ParameterRow[];
  lesson: Lesson;
}

/** The page of one scene: its viewer, and what of it the page carries. */
export interface ViewerData {
  viewer: "x_ite" | "x3dom";
  title: string;
  lang: "en" | "ru";
  parts: string[];
  fonts: string[];
  blocks: string[];
  fit: boolean;
}

/** The page of the gripper: components of the viewer, fields of the prototype by key, codes, and a tour. */
export interface GripperData {
  lang: "en" | "ru";
  parts: string[];
  fields: Record<string, string>;
  octants: number[][];
  euler: Record<string, number[]>;
  tour: number[];
}

/** Bytes for a drive in hexadecimal digits; whether, how soon and until what it answers; when they are sent [ms]. */
export interface SentItem {
  data: string;
  answer: boolean;
  patience: number;
  until: [number, number] | null;
  time: number | null;
  shown: string;
}

/** What one click sends. */
export interface SentStage {
  title: Words;
  items: SentItem[];
}

/** The page that sends a program to drives over a serial line. */
export interface SenderData {
  lang: "en" | "ru";
  baud: number;
  frame: "line" | "telegram" | "packet";
  good: string;
  stages: SentStage[];
  stop: SentItem[];
}
