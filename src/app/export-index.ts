/**
 * Makes the file by which other machines take over what parsing found here.
 *
 * It has the facts of what is in the index, by content; what the parse cache has lost is parsed once more. A file with a
 * secret in it is left out, unless the user shows secrets, and so is one that could not be parsed, which another
 * machine may be quicker with. Not here: writing the file, and its form (`db/export/format.ts`).
 */

import type { KnowledgeBase } from "../db/curated/knowledge-base.ts";
import { exportWriter } from "../db/export/format.ts";
import { completeCache } from "../indexing/update/scan-and-parse.ts";
import type { Redactor } from "../secrets/redactor.ts";
import { openParsePool } from "../syntax/parse/parse-pool.ts";
import type { Exported, IndexRequest } from "./app-types.ts";
import { depsOf, type IndexingWorld, ONLY_LOOKING, optionsOf, workersOf } from "./index-repository.ts";

type ExportingWorld = IndexingWorld & { readonly kb: KnowledgeBase; readonly redactor: Redactor };

/** Another cra is waited for this long. */
const LOCK_WAIT_MS = 10_000;
/** After so many files the event loop gets a turn, so that signals and progress are seen. */
const FILES_PER_TURN = 50;
/** The index is left as it is. */
const NO_ROWS = { expect: () => undefined, ready: () => undefined };

/** Throws `locked` while another cra writes, and the signal's reason. */
export async function exportFacts(
  { kb, redactor, ...world }: ExportingWorld,
  onProgress: IndexRequest["onProgress"],
  signal: AbortSignal,
): Promise<Exported> {
  const pool = openParsePool({ workersMax: workersOf(world) });
  const wish = { ...ONLY_LOOKING, lockWaitMs: LOCK_WAIT_MS };
  const deps = depsOf(world, wish, pool, workersOf(world));
  const lock = await deps.takeLock(signal);
  const cache = deps.openCache();
  try {
    const { files } = await completeCache(deps, optionsOf(world, wish), kb.files(), cache, NO_ROWS, onProgress, signal);
    const writer = exportWriter(deps);
    const leftOut = { secret: 0, unparsed: 0 };
    for (const [done, { contentHash: hash, language }] of files.entries()) {
      if (done % FILES_PER_TURN === 0) {
        signal.throwIfAborted();
        onProgress({ phase: "export", done, total: files.length });
        await new Promise((resume) => setImmediate(resume));
      }
      const key = { hash, language };
      if (writer.has(key)) continue;
      const [facts, content] = [cache.facts(key), cache.content(key)];
      if (facts === null || content === null || facts.problem !== null) leftOut.unparsed += 1;
      else if (holdsSecret(redactor, content.text(), facts)) leftOut.secret += 1;
      else if (!writer.add(key, { facts, stats: content.stats })) leftOut.unparsed += 1;
    }
    return { bytes: writer.bytes(), entries: writer.files(), leftOut };
  } finally {
    cache.close();
    lock.release();
    pool.close();
  }
}

/** What comes of a text may be one where the text has none: signatures are put together of several lines. */
const holdsSecret = (redactor: Redactor, text: string, facts: object): boolean =>
  redactor.text(text) !== text || redactor.value(facts) !== facts;
