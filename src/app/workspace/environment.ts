/** The process and the options of every command as the app sees them: data that `main-process.ts` and the CLI build. */
import { dirname, resolve } from "node:path";
import type { Config, Layer } from "../../config/settings.ts";
import type { Variables } from "../../config/variables.ts";
import type { Notice } from "../../notice.ts";

/** What a run may know about its process, as plain data. Only `main-process.ts` builds it. */
export type Environment = {
  /** The absolute folder that relative paths start from. */
  readonly cwd: string;
  readonly variables: Variables;
  /** The user's number; null on systems without one. */
  readonly uid: number | null;
  /** Processors that may be used at once, at least 1. */
  readonly processors: number;
  /** This process and its machine, which name the holder of a lock. */
  readonly pid: number;
  readonly host: string;
  /** The command that starts this program again: its file, after that of the runtime when it runs from source. */
  readonly program: readonly string[];
};

/** Whether a folder is the root of a file system or the user's home, which is read as a whole only if the user asks for it. */
export function isStartFolder(folder: string, { HOME, USERPROFILE }: Variables): boolean {
  const home = HOME ?? USERPROFILE;
  return dirname(folder) === folder || (home !== undefined && resolve(home) === folder);
}

/** Names this process as the holder of a lock, from now on. */
export const lockHolder = ({ pid, host }: Pick<Environment, "pid" | "host">) => ({
  pid,
  host,
  startedAt: new Date().toISOString(),
});

export type AppRequest = {
  readonly environment: Environment;
  /** A folder as typed; null searches upward from the working folder. */
  readonly repo: string | null;
  /** Settings as typed, strongest first. */
  readonly flags: readonly Layer[];
};

/** The settings in force, with the repository's root (null for a bare one). */
export type LoadedConfig = { readonly root: string | null; readonly config: Config };

/** The state of a long step: `done` of `total` items (null while it is unknown), or of bytes if `unit` says so. */
export type ProgressStep = {
  readonly phase: string;
  readonly done: number;
  readonly total: number | null;
  readonly unit?: "bytes";
};
export type OnProgress = (step: ProgressStep) => void;

/** Where a long step says what happens. */
export type Reporting = { readonly onNotice: (notice: Notice) => void; readonly onProgress: OnProgress };
