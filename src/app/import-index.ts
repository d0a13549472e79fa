/**
 * Takes over what parsing found on another machine: gets the export, has it checked, and hands it to indexing.
 *
 * Nothing is written before all of it is found good, so what is refused leaves no trace. Not here: what an export is
 * (`db/export/format.ts`), what is taken over of it (`indexing/update/import-facts.ts`).
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { EXPORT_BYTES_MAX, openExport } from "../db/export/format.ts";
import { Failed, type Notice } from "../failure.ts";
import { type Adoption, adoptionOf, compareSome, type FoundElsewhere } from "../indexing/update/import-facts.ts";
import { isLoopback } from "../llm/base-url.ts";
import { addressProblem, download, isAddress, shownAddress } from "../source/files/download.ts";
import { type FileRead, readGivenFile } from "../source/files/read-file.ts";
import { EXTRACTOR_VERSION, GRAMMAR_VERSION } from "../syntax/languages/languages.ts";
import { openParsePool } from "../syntax/parse/parse-pool.ts";
import { VERSION } from "../version.ts";
import type { Imported, IndexRequest } from "./app-types.ts";
import { depsOf, type IndexingWorld, ONLY_LOOKING, optionsOf, workersOf } from "./index-repository.ts";

const LIMITS = { bytesMax: EXPORT_BYTES_MAX, idleMs: 30_000, totalMs: 600_000 };

/**
 * Gets and checks what `from` names: a file, from the working folder, or an address. `imported` says what came of it, once
 * indexing is done. Throws `import-refused`, `io` for what cannot be read, `usage` for an address that is none.
 */
export async function openImport(
  world: IndexingWorld,
  from: string,
  onProgress: IndexRequest["onProgress"],
  signal: AbortSignal,
): Promise<{ readonly adoption: Adoption; readonly notices: readonly Notice[]; imported(): Imported }> {
  const shown = isAddress(from) ? shownAddress(from) : from;
  const bytes = await bytesOf(world, from, shown, signal);
  const making = { craVersion: VERSION.version, extractorVersion: `${EXTRACTOR_VERSION} ${GRAMMAR_VERSION}` };
  const report = (done: number, total: number): void => onProgress({ phase: "check", done, total });
  const opened = await openExport(bytes, shown, making, report, signal);
  const compared = await comparedWith(world, opened, shown, signal);
  const adoption = adoptionOf(opened);
  const imported = () => ({ from: shown, entries: opened.files, takenOver: adoption.takenOver(), compared });
  return { adoption, notices: noticesOf(from), imported };
}

/** What an address says of the way that bytes have come. */
function noticesOf(from: string): readonly Notice[] {
  if (!isAddress(from)) return [];
  const { protocol, hostname: host } = new URL(from);
  return protocol === "https:" || isLoopback(host) ? [] : [{ code: "import-open", host }];
}

async function bytesOf(
  { environment }: IndexingWorld,
  from: string,
  shown: string,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const refused = isAddress(from) ? addressProblem(from) : null;
  if (refused !== null)
    throw new Failed({ code: "usage", message: `--import: ${refused}`, next: "name a file, or an address of http(s)" });
  const read = isAddress(from) ? await download(from, LIMITS, signal) : fileAt(resolve(environment.cwd, from));
  if (read.kind === "bytes") return read.bytes;
  throw new Failed({ code: "io", message: read.why, where: shown, next: "nothing was changed; leave out --import" });
}

const fileAt = (path: string): FileRead =>
  existsSync(path) ? readGivenFile(path, LIMITS.bytesMax) : { kind: "problem", why: "there is no such file" };

/** How many contents were parsed here too; one that is not the same refuses all. */
async function comparedWith(
  world: IndexingWorld,
  found: FoundElsewhere,
  where: string,
  signal: AbortSignal,
): Promise<number> {
  const pool = openParsePool({ workersMax: workersOf(world) });
  try {
    const deps = depsOf(world, ONLY_LOOKING, pool, 1);
    const { compared, unlike } = await compareSome(deps, optionsOf(world, ONLY_LOOKING), found, shuffled, signal);
    if (unlike === 0) return compared;
    throw new Failed({
      code: "import-refused",
      where,
      why: `of ${compared} files that were parsed here too, it says something else of ${unlike}`,
      next: "ask who made it, and make it anew",
    });
  } finally {
    pool.close();
  }
}

/** In an order by chance. */
const shuffled = <T>(list: readonly T[]): readonly T[] =>
  list
    .map((item) => ({ item, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
