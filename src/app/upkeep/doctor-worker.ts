/** The worker that checks the databases of a data folder, read only. It may be ended at any time. */
import { checkParseCache, checkStatCache, checkVectorCache } from "../../db/check/caches.ts";
import { checkCurated, holdsIndex } from "../../db/check/curated.ts";
import type { Diagnostic } from "../../db/check/diagnostic.ts";
import { checkMemory } from "../../db/check/memory.ts";
import { checkRawLog, loggedRounds } from "../../db/check/raw-log.ts";
import { checkSession } from "../../db/check/session.ts";
import { dataFiles } from "../../db/data-folder/data-files.ts";
import { hashOfIndex } from "../../indexing/update/scan/compare.ts";
import { SESSION_SHAPES } from "../../retrieval/record/selection-json.ts";
import type { CheckMessage, CheckReply } from "./doctor.ts";

declare const self: Worker;

const reply = (message: CheckReply): void => self.postMessage(message);

self.addEventListener("message", ({ data }: MessageEvent<CheckMessage>) => {
  try {
    reply({ kind: "checked", findings: runChecks(data), indexed: holdsIndex(data.paths.curated) });
  } catch (error) {
    reply({ kind: "error", message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});

function runChecks({ paths, everything }: CheckMessage): readonly Diagnostic[] {
  let done = 0;
  const report = (what: string) => (check: string) => {
    done += 1;
    reply({ kind: "progress", progress: { phase: `check ${what}: ${check}`, done, total: null } });
  };
  const logged = loggedRounds(paths.raw);
  const sessions = dataFiles(paths).filter(({ kind, path }) => kind === "session" && path.endsWith(".sqlite"));
  const parseCaches = [...new Set([paths.parseCache, paths.ownParseCache])];
  return [
    ...checkCurated(paths.curated, hashOfIndex, report("index")),
    ...checkRawLog(paths.raw, report("log")),
    ...sessions.flatMap(({ path }) => checkSession(path, SESSION_SHAPES, logged, report("sessions"))),
    ...(everything ? checkMemory(paths.memory, report("memory")) : []),
    ...(everything ? parseCaches.flatMap((path) => checkParseCache(path, report("parse cache"))) : []),
    ...(everything ? checkStatCache(paths.statCache, report("stat cache")) : []),
    ...(everything ? checkVectorCache(paths.vectors, report("vectors")) : []),
  ];
}
