/**
 * The worker that looks into the databases of a data folder, so that the main thread keeps hearing signals.
 *
 * Opens everything without a trace; it may be ended from outside at any time.
 */

import { checkParseCache, checkVectorCache } from "../db/check/caches.ts";
import { checkCurated, holdsIndex } from "../db/check/curated.ts";
import type { Diagnostic } from "../db/check/diagnostic.ts";
import { checkMemory } from "../db/check/memory.ts";
import { checkRawLog, loggedRounds } from "../db/check/raw-log.ts";
import { checkSession } from "../db/check/session.ts";
import { dataFiles } from "../db/data-folder/data-files.ts";
import { indexContentHash } from "../indexing/update/compare.ts";
import { SESSION_SHAPES } from "../retrieval/record/selection-json.ts";
import type { LookMessage, LookReply } from "./doctor.ts";

declare const self: Worker;

const reply = (message: LookReply): void => self.postMessage(message);

self.addEventListener("message", ({ data }: MessageEvent<LookMessage>) => {
  try {
    reply({ kind: "looked", findings: look(data), indexed: holdsIndex(data.paths.curated) });
  } catch (error) {
    reply({ kind: "error", message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});

function look({ paths, everything }: LookMessage): readonly Diagnostic[] {
  let done = 0;
  const on = (what: string) => (check: string) => {
    done += 1;
    reply({ kind: "progress", progress: { phase: `check ${what}: ${check}`, done, total: null } });
  };
  const logged = loggedRounds(paths.raw);
  const sessions = dataFiles(paths).filter(({ kind, path }) => kind === "session" && path.endsWith(".sqlite"));
  return [
    ...checkCurated(paths.curated, (files, meta) => indexContentHash(files, meta, meta), on("index")),
    ...checkRawLog(paths.raw, on("log")),
    ...sessions.flatMap(({ path }) => checkSession(path, SESSION_SHAPES, logged, on("sessions"))),
    ...(everything ? checkMemory(paths.memory, on("memory")) : []),
    ...(everything ? checkParseCache(paths.parseCache, on("parse cache")) : []),
    ...(everything ? checkVectorCache(paths.vectors, on("vectors")) : []),
  ];
}
