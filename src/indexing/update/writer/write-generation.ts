/**
 * Writes one generation of the index in one transaction.
 *
 * Rows of a file are written when its facts arrive, while others are still being parsed. Then comes all else but links, which another
 * thread may be resolving meanwhile. At the end `link-files.ts` resolves imports and references, and only differences are stored. The
 * result depends on the last request, the stored generation and the cached facts only (apart from row ids).
 */

import { onDemand } from "../../../concurrency/on-demand.ts";
import type { StoredMeta } from "../../../db/curated/meta.ts";
import type { CuratedWriter, RepoRecord } from "../../../db/curated/write/write.ts";
import { countTerms } from "../../../languages/count-terms.ts";
import { REDACTOR } from "../../../secrets/redact.ts";
import type { FileFacts } from "../../../syntax/facts/facts.ts";
import { unpackFacts } from "../../../syntax/facts/facts-codec.ts";
import { byPath } from "../../../text/order.ts";
import { nameOf } from "../../../text/repo-path.ts";
import { updateExact } from "../../links/exact-files.ts";
import { interfaceHash } from "../../links/interface-hash.ts";
import type { LinkInput } from "../../links/link-files.ts";
import type { LinkInbox } from "../../links/links-elsewhere.ts";
import { fileColumns } from "../../model/file-list.ts";
import type {
  CountedText,
  DueFile,
  DueFiles,
  IndexableFile,
  Problem,
  ReportProgress,
  Skip,
} from "../../model/index-run.ts";
import { cacheKey } from "../../model/index-run.ts";
import { indexContentHash, sourceHashOf } from "../scan/compare.ts";
import { type GenerationHistory, writeHistory } from "./generation-history.ts";
import { type GenerationFacts, type GenerationFiles, linkWritten } from "./link-written.ts";
import { type WrittenFiles, writtenFiles } from "./written-files.ts";

/** The new generation, apart from the facts, which are in the cache. Plain data. */
export type GenerationRequest = {
  readonly repo: RepoRecord;
  readonly meta: Omit<StoredMeta, "contentHash" | "sourceHash" | "counts" | "languages" | "skipped"> & {
    /** Null for the one that follows from the files. */
    readonly sourceHash: string | null;
  };
  /** Files whose rows are written. All other stored files stay, except `removedIds`. */
  readonly due: DueFiles;
  readonly removedIds: readonly number[];
  /** Null if the stored ones are still valid. */
  readonly skips: readonly Skip[] | null;
  /** True if the stored rows were made with the same versions, so that unchanged rows can stay. */
  readonly sameVersions: boolean;
  /** An earlier try found unreadable facts, so all facts are checked now. */
  readonly isRepeated: boolean;
  /** True if only the due files are parsed, and nothing is known of what others define and import. */
  readonly isPartial: boolean;
  /** Exact references: keep what is stored, forget it, or take these bytes of a SCIP index. */
  readonly scip: "keep" | "forget" | Uint8Array;
  /** Null if the stored history is still valid. */
  readonly history: GenerationHistory | null;
};

/** `unreadable`: nothing was written, because these files must be parsed again. */
export type GenerationOutcome =
  | { readonly kind: "applied"; readonly meta: StoredMeta; readonly unparsed: readonly Problem[] }
  | { readonly kind: "unreadable"; readonly paths: readonly string[] };

export type Generation = {
  /** Writes files whose facts are in the cache. `due` and `finish` correct rows that turn out to be outdated. */
  put(files: readonly DueFile[]): void;
  /** Writes those that are missing of `GenerationRequest.due`, which has `total` files and may come in parts. */
  due(files: readonly DueFile[], total: number): void;
  /**
   * Removes the rest and commits. The generation cannot be used afterwards. `history` is asked once. `links` brings what another thread
   * links of the due files (`link-client.ts`).
   */
  finish(request: GenerationEnd, history: TakeHistory, links?: LinkInbox | null): GenerationOutcome;
};

/** What is left to say of a generation once its files are written. */
export type GenerationEnd = Omit<GenerationRequest, "due" | "history">;

/** Gives the history away: nobody keeps it while links are resolved, and a commit may name every file. */
type TakeHistory = () => GenerationRequest["history"];

/** Progress is reported after this many files. */
const FILES_PER_REPORT = 25;

/** Reads the text of a file that holds what the index says of it; null if it holds something else by now. */
export type ReadText = (file: Pick<IndexableFile, "path" | "contentHash" | "sizeBytes">) => string | null;

/** Begins a generation. Closing `writer` before `finish` returns `applied` undoes it. `readText` reads what comes without its content. */
export function openGeneration(
  writer: CuratedWriter,
  cache: GenerationFacts,
  readText: ReadText,
  report: ReportProgress,
): Generation {
  const written = writtenFiles();
  let dueCount = 0;
  const lost = new Set<string>();
  writer.begin();
  const configNames = new Set(writer.configNames() ?? []);
  /** The stored texts of configuration files, before they are replaced. */
  const configBefore = new Map<string, string | null>();

  const put = (file: DueFile): void => {
    const known = written.get(file.path);
    if (known?.contentHash === file.contentHash && known.language === file.language) return;
    const found = contentOf(file, cache, readText);
    if (found === null) return void lost.add(file.path);
    const { path, contentHash, language, id: before } = file;
    if (before !== null && known === null && configNames.has(nameOf(path)))
      configBefore.set(path, writer.textOf(before));
    const row = writer.putFile(recordOf(file, found), known?.id ?? before);
    // A second write compares with the first one, not with the stored generation.
    const compared = known === null ? row : { looksSame: false, before: known.before };
    written.set({ ...compared, id: row.id, path, contentHash, language });
  };

  const due = (files: readonly DueFile[], total: number): void => {
    for (const file of files) {
      put(file);
      if (dueCount % FILES_PER_REPORT === 0) report({ phase: "write", done: dueCount, total });
      dueCount += 1;
      written.setDue(file.path);
    }
  };

  const finish: Generation["finish"] = (request, history, links = null) => {
    const left = removeRest(writer, written, request.removedIds);
    report({ phase: "write", done: dueCount, total: dueCount });
    // Facts that were parsed again need their rows again.
    for (const { before } of [...written.notDue()]) if (before !== null) put(before);
    writer.endFiles();
    writer.setRepo(request.repo);
    const changed = request.sameVersions || request.isPartial ? [...written.all()] : [];
    // Then everything is linked, and nothing asks what was written.
    if (changed.length === 0) written.clear();
    const { all, contents, idOf } = filesOf(writer);
    // Another commit of the same files has the same links.
    const hasSameLinks = request.sameVersions && left.length + changed.length === 0 && request.scip === "keep";
    const textOf: LinkInput["textOf"] = (file) => {
      const id = written.get(file.path)?.id ?? idOf(file.path);
      return (id === undefined ? null : writer.textOf(id)) ?? readText(file);
    };
    if (lost.size === 0) writeHistory(writer, history(), idOf);
    const scip = updateExact(writer, cache, textOf, request.scip, () => all().files);
    if (!hasSameLinks && lost.size === 0) {
      const files = { all, textOf, configBefore, changed, left, due: dueCount };
      const state = { ...files, hasExact: scip.scip !== undefined, links };
      for (const path of linkWritten(writer, cache, request, state, report)) lost.add(path);
    }
    if (lost.size > 0) {
      writer.rollback();
      return { kind: "unreadable", paths: [...lost] };
    }
    if (request.skips !== null) writer.setSkips(request.skips);
    const unparsed = writer.problems();
    const meta = writer.setMeta(hashed({ ...request.meta, ...scip }, contents, unparsed));
    writer.commit();
    return { kind: "applied", meta, unparsed };
  };

  return { put: (files) => files.forEach(put), due, finish };
}

/** Removes the files that are not due any more, and returns what is known of them. */
function removeRest(writer: CuratedWriter, written: WrittenFiles, removedIds: readonly number[]) {
  const removed = writer.filesOf(removedIds).map((file) => written.get(file.path)?.before ?? file);
  const isRemoved = new Set(removedIds);
  const gone = [...written.notDue()].filter(({ before }) => before === null || isRemoved.has(before.id));
  for (const { path } of gone) written.delete(path);
  writer.removeFiles([...removedIds, ...gone.map(({ id }) => id)]);
  return [...removed, ...gone];
}

/** With the hashes of what the index holds. */
function hashed(
  meta: GenerationEnd["meta"] & ReturnType<typeof updateExact>,
  contents: () => Parameters<typeof sourceHashOf>[0],
  unparsed: readonly Problem[],
) {
  const sourceHash = meta.sourceHash ?? sourceHashOf(contents(), meta, meta);
  return { ...meta, sourceHash, contentHash: indexContentHash(sourceHash, meta, unparsed) };
}

/** All files that are written, in path order, read on demand: most changes of few files need no other one. */
function filesOf(writer: CuratedWriter) {
  let isRead = false;
  const all = onDemand((): GenerationFiles => {
    isRead = true;
    return (
      columnsOf(writer.eachFile()) ?? columnsOf(writer.files().toSorted(byPath)) ?? { files: fileColumns(), ids: [] }
    );
  });
  return {
    all,
    contents: () => (isRead ? all().files : writer.contents().toSorted(byPath)),
    idOf: (path: string): number | undefined => all().ids[all().files.positions().get(path) ?? -1],
  };
}

/** Null if the files are not in order: to SQLite, letters outside of Unicode's first plane come after all others. */
function columnsOf(stored: ReturnType<CuratedWriter["eachFile"]>) {
  const files = fileColumns();
  const ids: number[] = [];
  let last = "";
  for (const file of stored) {
    if (file.path < last) return null;
    last = file.path;
    files.add(file);
    ids.push(file.id);
  }
  return { files, ids };
}

function recordOf({ id: _, content: __, ...file }: DueFile, { facts, text, stats }: Content) {
  const isFree = REDACTOR.text(text) === text;
  return {
    ...file,
    text,
    stats,
    facts,
    interfaceHash: interfaceHash(facts),
    secretFreeBy: isFree ? REDACTOR.rules : null,
  };
}

type Content = Pick<CountedText, "text" | "stats"> & { readonly facts: FileFacts };

/** Null if the facts cannot be read, or the text holds something else by now. */
function contentOf(file: DueFile, cache: GenerationFacts, readText: ReadText): Content | null {
  const { content } = file;
  const facts = (content?.packed === undefined ? null : unpackFacts(content.packed)) ?? cache.facts(cacheKey(file));
  if (facts === null) return null;
  if (content !== undefined) return { facts, text: content.text, stats: content.stats };
  const text = readText(file);
  return text === null ? null : { facts, text, stats: countTerms(text, file.language, facts) };
}
