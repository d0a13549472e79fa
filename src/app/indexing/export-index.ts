/**
 * Writes the export that other machines can import: the parse results of everything in the index, by content.
 *
 * Content that the parse cache has lost is parsed again. Two kinds of files are left out: those with a secret, unless the
 * user allows secrets, and those that could not be parsed in time here, as another machine may be faster.
 */
import { nextTurn } from "../../concurrency/next-turn.ts";
import { exportWriter } from "../../db/export/format.ts";
import type { IndexableFile } from "../../indexing/model/index-run.ts";
import { textReader } from "../../indexing/update/scan/file-content.ts";
import { NO_ROWS } from "../../indexing/update/scan/parse-queue.ts";
import { completeCache } from "../../indexing/update/scan/scan-and-parse.ts";
import { countTerms } from "../../languages/count-terms.ts";
import type { Redactor } from "../../secrets/redactor.ts";
import { openParsePool } from "../../syntax/parse/parse-pool.ts";
import type { OnProgress } from "../workspace/environment.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { indexDeps, LIGHT_RUN, LOCK_WAIT_MS, optionsOf, workersOf } from "./indexing-deps.ts";

/** An export and how many contents it leaves out. */
export type Exported = {
  readonly bytes: Uint8Array;
  readonly entries: number;
  readonly leftOut: { readonly secret: number; readonly unparsed: number };
};

/** After this many files the event loop gets a turn, so that signals and progress are seen. */
const FILES_PER_TURN = 50;

/** Throws `not-indexed`, `locked` while another cra writes, and the signal's reason. */
export async function exportFacts(
  workspace: Workspace,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<Exported> {
  const { index, redactor } = workspace;
  const kb = index.open();
  const workers = workersOf(workspace);
  const pool = openParsePool({ workersMax: workers });
  const options = { ...LIGHT_RUN, lockWaitMs: LOCK_WAIT_MS };
  const { build, store, ...deps } = indexDeps(workspace, options, pool, workers);
  const lock = await store.takeLock(signal);
  const cache = store.openCache();
  try {
    const indexOptions = optionsOf(workspace, options);
    const { files } = await completeCache(deps, indexOptions, kb.storedFiles(), cache, NO_ROWS, onProgress, signal);
    const writer = exportWriter(build);
    const leftOut = { secret: 0, unparsed: 0 };
    const stored = new Map(kb.storedFiles().map((file) => [`${file.contentHash} ${file.path}`, file.id]));
    const readText = textReader(deps.workTree.readFile);
    const textOf = (file: IndexableFile): string | null => {
      const id = stored.get(`${file.contentHash} ${file.path}`);
      return (id === undefined ? undefined : kb.textsToMatch([id]).get(id)) ?? readText(file);
    };
    for (const [done, file] of [...files].entries()) {
      const { contentHash: hash, language } = file;
      if (done % FILES_PER_TURN === 0) {
        signal.throwIfAborted();
        onProgress({ phase: "export", done, total: files.length });
        await nextTurn();
      }
      const key = { hash, language };
      if (writer.has(key)) continue;
      const [facts, text] = [cache.facts(key), textOf(file)];
      if (facts === null || text === null || facts.problem !== null) leftOut.unparsed += 1;
      else if (holdsSecret(redactor, text, facts)) leftOut.secret += 1;
      else if (!writer.add(key, { facts, stats: countTerms(text, language, facts) })) leftOut.unparsed += 1;
    }
    return { bytes: writer.bytes(), entries: writer.files(), leftOut };
  } finally {
    cache.close();
    lock.release();
    pool.close();
  }
}

/** Facts can contain a secret that the text does not, because signatures join several lines. */
const holdsSecret = (redactor: Redactor, text: string, facts: object): boolean =>
  redactor.text(text) !== text || redactor.value(facts) !== facts;
