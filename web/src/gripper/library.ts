// What the scripts of scenes give the page of the gripper: plain ECMAScript of src/sistel/views/prototypes/js, run as it is.
import type { Words } from "../payload";
import type { Language } from "../page/core";

export type Quaternion = number[];

/** A set of parameters of orientations or places. */
export interface NumberSet {
  said: Words;
  code: number | null;
  numbers: string[];
  /** Which of them are angles [deg]. */
  angles: number[];
  start: number[];
}

/** What a phrase says: a code, and words that were taken for others; or why it cannot be read. */
export interface ReadPhrase {
  code: number;
  guesses: [string, string][];
  problem?: Words;
}

export interface Library {
  TABLES: {
    lang: Language;
    axial: Record<string, unknown>;
    rotations: NumberSet[];
    positions: NumberSet[];
    /** How far the fingers open [m]. */
    widest: number;
  };
  Phrases: {
    read(text: string): ReadPhrase;
    say(code: number, lang: Language): string;
  };
  Poses: {
    CodeError: new (...given: never[]) => Error;
    about(axis: string, angle: number): Quaternion;
    axial(code: number): Quaternion;
    fromAxis(turn: number[]): Quaternion;
    fromSet(set: NumberSet, given: number[], rotation: boolean): number[];
    nearest(quaternion: Quaternion): { code: number; angle: number };
    refuse(en: string, ru: string): never;
    times(a: Quaternion, b: Quaternion): Quaternion;
    toAxis(quaternion: Quaternion): number[];
    unit(quaternion: Quaternion): Quaternion;
  };
}
