// What works of the service give: equations, tasks, forms, papers, programs of drives.
import type { Failure, Parameter, Words } from "../../protocol";

export interface Table {
  title: string;
  columns: { title: string; right: boolean }[];
  rows: string[][];
  hidden: number;
}
export type InBoth<T> = Record<"en" | "ru", T>;

/** A file that a work has put into the folder. */
export interface MadeFile {
  path: string;
  size: number;
}
/** A file that a work gives as it is. */
export interface HandedFile {
  name: string;
  text?: string;
  base64?: string;
}
export interface MadeFiles {
  files?: MadeFile[];
  /** Address of a page. */
  page?: string | null;
}

export interface StructureEntry {
  name: string;
  why_not: Words[];
  holds: string[];
}
export interface EquationSection {
  key: string;
  title: Words;
  about: Words;
  formulas: { head: Words | null; math: string }[];
  more: number;
}
export interface EquationsShown {
  name: string;
  structure: string;
  dof: number;
  holds: string[];
  general: string[];
  notes: Words[];
  symbols: { sign: string; about: Words; value: string | null; unit: Words }[];
  sections: EquationSection[];
  costs: {
    sign: string;
    name: Words;
    multiplications: number;
    additions: number;
    sincos: number;
    other: number;
  }[];
  control: InBoth<Table[]>;
}

export interface TaskNumber {
  key: string;
  word: string;
  about: Words;
  value: string;
  from: number;
  to: number;
}
export interface TaskProblem {
  kind: string | null;
  word: string;
  about: Words | null;
  name: string;
  from: number;
  to: number;
  numbers: TaskNumber[];
}
export interface TaskLook {
  name: string;
  about: string;
  question: string;
  model: string;
  problems: TaskProblem[];
  vary: TaskProblem[];
  parameters: Parameter[];
}
export interface TaskSolved extends MadeFiles {
  name: string;
  good: boolean;
  problems: {
    kind: string;
    title: Words;
    good: boolean;
    failed: Words | null;
    answers: { wanted: Words; value: string; unit: Words; remark: Words | null }[];
    checks: { what: Words; error: string; bound: string; good: boolean }[];
    tables: InBoth<Table[]>;
    notes: Words[];
  }[];
}
export interface SheetMade extends MadeFiles {
  refused: number;
  table: InBoth<Table>;
}
export interface MarksMade extends MadeFiles {
  tables: InBoth<Table[]>;
}

export interface FormField {
  key: string;
  name: Words;
  about: Words;
  written: string;
  unit: Words;
  low: number | null;
  high: number | null;
  formula: boolean;
  required: boolean;
  from: number | null;
  to: number | null;
}
export interface FormShown {
  groups: { key: string; title: Words; fields: FormField[] }[];
  left: Words[];
}
export interface PaperFormat {
  suffix: string;
  title: Words;
  missing: Words | null;
}
export interface DriveMade extends MadeFiles {
  heading: Words;
  tables: InBoth<Table[]>;
  tracking: InBoth<Table>;
  curves: string;
  problems: Words[];
  notes: Words[];
  remarks: Words[];
  programs: HandedFile[];
  sender: string | null;
}
export type { Failure, Parameter, Words };
