/**
 * What the process gives the interface: its terminal, and what only a process can do with it.
 *
 * Only `main-process.ts` builds one.
 */
import type { ReadStream, WriteStream } from "node:tty";

export type Device = {
  /** Where keys come from, in the terminal's usual mode; null when standard input is no terminal. */
  keys(): ReadStream | null;
  readonly screen: WriteStream;
  /** The words that the program was called with. */
  readonly words: readonly string[];
  /** What was piped in before the keys were taken from the terminal itself; null when nothing was. */
  piped(): AsyncIterable<Uint8Array | string> | null;
  /** Has the terminal put back before the process says its last words, whatever ends it. Must not throw. */
  onLeaving(restore: () => void): void;
  /** Runs a program that has the terminal meanwhile: an interrupt is that program's alone. */
  lent(use: () => Promise<void>): Promise<void>;
  /** Stops the process and its group, which git is not in, until somebody continues them. At once where nobody could. */
  suspend(): Promise<void>;
};
