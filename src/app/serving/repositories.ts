/** Where the repositories of a server come from: work trees of this machine, or a store. */
import type { Workspace } from "../workspace/workspace.ts";

export type Repositories = {
  /** The names of all repositories, in order. */
  names(): Promise<readonly string[]>;
  /**
   * The repository with an index that is as new as its source, or null if there is none of that name. Waits for an index in the making.
   * The caller takes a connection of its own (`withOwnIndex`).
   */
  open(name: string, signal: AbortSignal): Promise<Workspace | null>;
  /** The index of a repository gave wrong bytes to an answer: it is checked, and made anew if it is damaged, before it is opened again. */
  distrust(name: string): void;
  /** Null once every repository can answer; otherwise what is missing, without names. */
  missing(): Promise<string | null>;
  /** Makes what is missing, one repository after the other, until the signal fires. */
  prepare(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
};
