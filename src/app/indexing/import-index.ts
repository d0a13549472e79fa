/**
 * Imports what parsing found on another machine: fetches the export, checks all of it, and hands it to indexing.
 *
 * Nothing is written before everything is checked, so a refused export leaves no trace.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { EXPORT_BYTES_MAX, openExport } from "../../db/export/format.ts";
import { Failed } from "../../failure.ts";
import { type Adoption, adoptionOf, compareSome, type FoundElsewhere } from "../../indexing/update/verify-import.ts";
import type { Notice } from "../../notice.ts";
import { addressProblem, download, isAddress, shownAddress } from "../../source/files/download.ts";
import { type FileRead, readGivenFile } from "../../source/files/read-file.ts";
import { openParsePool } from "../../syntax/parse/parse-pool.ts";
import { isLoopback } from "../../text/loopback.ts";
import { VERSION } from "../../version.ts";
import type { OnProgress } from "../workspace/environment.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { EXTRACTOR, indexDeps, LIGHT_RUN, optionsOf, workersOf } from "./indexing-deps.ts";

/** The result of an import. `from` is safe to show; `compared` contents were parsed here too and were equal. */
export type Imported = {
  readonly from: string;
  readonly entries: number;
  readonly takenOver: number;
  readonly compared: number;
};

const LIMITS = { bytesMax: EXPORT_BYTES_MAX, idleMs: 30_000, totalMs: 600_000 };

/**
 * Reads and checks the export at `from`: a file, relative to the working folder, or a URL. `imported` gives the result
 * once indexing is done. Throws `import-refused`, `io` for what cannot be read, `usage` for an invalid URL.
 */
export async function openImport(
  workspace: Workspace,
  from: string,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<{ readonly adoption: Adoption; readonly notices: readonly Notice[]; imported(): Imported }> {
  const shown = isAddress(from) ? shownAddress(from) : from;
  const bytes = await readExport(workspace, from, shown, signal);
  const build = { craVersion: VERSION.version, extractorVersion: EXTRACTOR };
  const report = (done: number, total: number): void => onProgress({ phase: "check", done, total });
  const opened = await openExport(bytes, shown, build, report, signal);
  const compared = await compareWithLocal(workspace, opened, shown, signal);
  const adoption = adoptionOf(opened);
  const imported = () => ({ from: shown, entries: opened.files, takenOver: adoption.takenOver(), compared });
  return { adoption, notices: transportNotices(from), imported };
}

/** Warns if the export came over a connection that others can tamper with. */
function transportNotices(from: string): readonly Notice[] {
  if (!isAddress(from)) return [];
  const { protocol, hostname: host } = new URL(from);
  return protocol === "https:" || isLoopback(host) ? [] : [{ code: "import-open", host }];
}

async function readExport(
  { environment }: Workspace,
  from: string,
  shown: string,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const refused = isAddress(from) ? addressProblem(from) : null;
  if (refused !== null)
    throw new Failed({ code: "usage", message: `--import: ${refused}`, next: "name a file or an http(s) URL" });
  const read = isAddress(from) ? await download(from, LIMITS, signal) : readLocal(resolve(environment.cwd, from));
  if (read.kind === "bytes") return read.bytes;
  throw new Failed({ code: "io", message: read.why, where: shown, next: "nothing was changed; leave out --import" });
}

const readLocal = (path: string): FileRead =>
  existsSync(path) ? readGivenFile(path, LIMITS.bytesMax) : { kind: "problem", why: "there is no such file" };

/** Parses a sample of the contents here too and returns how many; any difference refuses the export. */
async function compareWithLocal(
  workspace: Workspace,
  opened: FoundElsewhere,
  where: string,
  signal: AbortSignal,
): Promise<number> {
  const pool = openParsePool({ workersMax: workersOf(workspace) });
  try {
    const deps = indexDeps(workspace, LIGHT_RUN, pool, 1);
    const { compared, unlike } = await compareSome(deps, optionsOf(workspace, LIGHT_RUN), opened, shuffled, signal);
    if (unlike === 0) return compared;
    throw new Failed({
      code: "import-refused",
      where,
      why: `${unlike} of ${compared} files parsed here give other results than it says`,
      next: "ask for a new export",
    });
  } finally {
    pool.close();
  }
}

const shuffled = <T>(list: readonly T[]): readonly T[] =>
  list
    .map((item) => ({ item, position: Math.random() }))
    .sort((a, b) => a.position - b.position)
    .map(({ item }) => item);
