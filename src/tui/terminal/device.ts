/**
 * The interface to the process: its terminal, and operations that only a process can perform.
 *
 * Only `main-process.ts` creates one.
 */
import type { ReadStream, WriteStream } from "node:tty";

export type Device = {
  /** The source of keys, in the terminal's normal mode; null if standard input is not a terminal. */
  keys(): ReadStream | null;
  readonly screen: WriteStream;
  /** Reads the size of the screen again, which emits `resize` if it is another one: a suspended process hears of no change. */
  refreshSize(): void;
  /** The arguments of the program. */
  readonly words: readonly string[];
  /** The text that was piped in before the keys were read from the terminal itself; null if there is none. */
  piped(): AsyncIterable<Uint8Array | string> | null;
  /** Registers a function that restores the terminal before the last output of the process, however it ends. Must not throw. */
  onLeaving(restore: () => void): void;
  /** Runs a program in the terminal. An interrupt reaches only that program. */
  lent(use: () => Promise<void>): Promise<void>;
  /** Suspends the process and its group, except git, until it is continued. Returns at once if nobody could continue it. */
  suspend(): Promise<void>;
};
