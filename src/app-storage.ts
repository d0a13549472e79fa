/**
 * What the data folder holds, by plain names, and how large it is.
 */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { DataPaths } from "./db/paths.ts";
import { listSessions } from "./db/session.ts";

/** `bytes` with the part that still waits in a write-ahead log; `files` is 1, or the number of sessions. */
export type Stored = { readonly name: string; readonly bytes: number; readonly files: number };

/** One row for each thing that is there. */
export function storedIn({ curated, raw, parseCache, memory, sessions }: DataPaths): readonly Stored[] {
  const single = [
    ["index", curated],
    ["log", raw],
    ["parse cache", parseCache],
    ["memory", memory],
  ] as const;
  const tasks = listSessions(sessions);
  return [
    ...single.flatMap(([name, path]) => (sizeOf(path) === null ? [] : [{ name, bytes: withLog(path), files: 1 }])),
    ...(tasks.length === 0
      ? []
      : [
          {
            name: "sessions",
            bytes: tasks.reduce((sum, task) => sum + withLog(join(sessions, `${task}.sqlite`)), 0),
            files: tasks.length,
          },
        ]),
  ];
}

const withLog = (path: string): number => (sizeOf(path) ?? 0) + (sizeOf(`${path}-wal`) ?? 0);

function sizeOf(path: string): number | null {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isFile() ? stat.size : null;
}
