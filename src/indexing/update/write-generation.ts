/**
 * Writes one generation of the index in one transaction.
 *
 * Rows of a file are written when its facts arrive, while others are still being parsed. At the end `link-files.ts` resolves imports
 * and references, and only differences are stored. The result depends on the last request, the stored generation and
 * the cached facts only (apart from row ids).
 */

import { onDemand } from "../../concurrency/on-demand.ts";
import type { StoredMeta } from "../../db/curated/meta.ts";
import type { CuratedWriter, RepoRecord, StoredFile } from "../../db/curated/write.ts";
import type { ReplacedFile } from "../../db/curated/write-files.ts";
import type { ParseCache } from "../../db/parse-cache/parse-cache.ts";
import { countTerms } from "../../languages/count-terms.ts";
import { REDACTOR } from "../../secrets/redact.ts";
import type { FileFacts, ReferenceFact } from "../../syntax/facts/facts.ts";
import { unpackFacts } from "../../syntax/facts/facts-codec.ts";
import { byPath } from "../../text/order.ts";
import { resolvesAlike } from "../imports/ecmascript/workspaces.ts";
import { nameOf } from "../imports/repo-path.ts";
import type { FileChange } from "../links/affected-files.ts";
import { updateExact } from "../links/exact-files.ts";
import { interfaceHash } from "../links/interface-hash.ts";
import { type LinkInput, linkFiles } from "../links/link-files.ts";
import { type LinkInbox, linksElsewhere } from "../links/links-elsewhere.ts";
import type { CountedText, DueFile, IndexableFile, ReportProgress, Skip } from "../model/index-run.ts";
import { indexContentHash, sourceHashOf } from "./compare.ts";
import { type GenerationHistory, writeHistory } from "./generation-history.ts";

/** The new generation, apart from the facts, which are in the cache. Plain data. */
export type GenerationRequest = {
  readonly repo: RepoRecord;
  readonly meta: Omit<StoredMeta, "contentHash" | "sourceHash" | "counts" | "languages" | "skipped"> & {
    /** Null for the one that follows from the files. */
    readonly sourceHash: string | null;
  };
  /** Files whose rows are written, in path order. All other stored files stay, except `removedIds`. */
  readonly due: readonly DueFile[];
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

/** A file that could not be parsed. */
type Unparsed = { readonly path: string; readonly why: string };

/** `unreadable`: nothing was written, because these files must be parsed again. */
export type GenerationOutcome =
  | { readonly kind: "applied"; readonly meta: StoredMeta; readonly unparsed: readonly Unparsed[] }
  | { readonly kind: "unreadable"; readonly paths: readonly string[] };

export type Generation = {
  /** Writes files whose facts are in the cache. `finish` corrects rows that turn out to be outdated. */
  put(files: readonly DueFile[]): void;
  /**
   * Writes the rest and commits. The generation cannot be used afterwards. `links` brings what another thread links of the due files
   * (`link-client.ts`).
   */
  finish(request: GenerationRequest, links?: LinkInbox | null): GenerationOutcome;
};

/** Progress is reported after this many files. */
const FILES_PER_REPORT = 25;

/** A written file: its row id and content. */
type Written = {
  readonly id: number;
  readonly path: string;
  readonly contentHash: string;
  readonly language: string;
  /** Its interface is that of the stored generation. */
  readonly looksSame: boolean;
  /** What the stored generation has in its place. */
  readonly before: ReplacedFile | null;
};

/** The facts that a generation is made of. */
export type GenerationFacts = Pick<ParseCache, "facts" | "outline" | "uses">;

/** Reads the text of a file that holds what the index says of it; null if it holds something else by now. */
export type ReadText = (file: Pick<IndexableFile, "path" | "contentHash" | "sizeBytes">) => string | null;

/** Begins a generation. Closing `writer` before `finish` returns `applied` undoes it. `readText` reads what comes without its content. */
export function openGeneration(
  writer: CuratedWriter,
  cache: GenerationFacts,
  readText: ReadText,
  report: ReportProgress,
): Generation {
  const written = new Map<string, Written>();
  const lost = new Set<string>();
  writer.begin();
  const configNames = new Set(writer.configNames() ?? []);
  /** The stored texts of configuration files, before they are replaced. */
  const configBefore = new Map<string, string | null>();

  const put = (file: DueFile): void => {
    const known = written.get(file.path);
    if (known?.contentHash === file.contentHash && known.language === file.language) return;
    const packed = file.content?.packed;
    const facts = (packed === undefined ? null : unpackFacts(packed)) ?? cache.facts(keyFor(file));
    const content = facts === null ? null : (file.content ?? counted(file, facts, readText));
    if (facts === null || content === null) return void lost.add(file.path);
    const { path, contentHash, language, id: before } = file;
    if (before !== null && known === undefined && configNames.has(nameOf(path)))
      configBefore.set(path, writer.textOf(before));
    const row = writer.putFile(recordOf(file, facts, content), known?.id ?? before);
    // A second write compares with the first one, not with the stored generation.
    const compared = known === undefined ? row : { looksSame: false, before: known.before };
    written.set(path, { ...compared, id: row.id, path, contentHash, language });
  };

  const finish = (request: GenerationRequest, links: LinkInbox | null = null): GenerationOutcome => {
    const { due, removedIds } = request;
    const isDue = new Set(due.map(({ path }) => path));
    const removed = writer.filesOf(removedIds).map((file) => written.get(file.path)?.before ?? file);
    const isRemoved = new Set(removedIds);
    const isKept = ({ path, before }: Written): boolean =>
      isDue.has(path) || (before !== null && !isRemoved.has(before.id));
    const gone = [...written.values()].filter((file) => !isKept(file));
    for (const { path } of gone) written.delete(path);
    writer.removeFiles([...removedIds, ...gone.map(({ id }) => id)]);
    for (const [done, file] of due.entries()) {
      put(file);
      if (done % FILES_PER_REPORT === 0) report({ phase: "write", done, total: due.length });
    }
    report({ phase: "write", done: due.length, total: due.length });
    // Facts that were parsed again need their rows again.
    for (const { path, before } of [...written.values()]) if (!isDue.has(path) && before !== null) put(before);
    writer.endFiles();
    const { all, contents, positions, idOf } = filesOf(writer);
    writer.setRepo(request.repo);
    const left = [...removed, ...gone];
    // Another commit of the same files has the same links.
    const hasSameLinks = request.sameVersions && left.length + written.size === 0 && request.scip === "keep";
    const textOf: LinkInput["textOf"] = (file) => {
      const id = written.get(file.path)?.id ?? idOf(file.path);
      return (id === undefined ? null : writer.textOf(id)) ?? readText(file);
    };
    const scip = updateExact(writer, cache, textOf, request.scip, all);
    if (!hasSameLinks && lost.size === 0) {
      const hasExact = scip.scip !== undefined;
      const state = { all, positions, textOf, configBefore, changed: [...written.values()], left, hasExact, links };
      for (const path of linkWritten(writer, cache, request, state, report)) lost.add(path);
    }
    if (lost.size > 0) {
      writer.rollback();
      return { kind: "unreadable", paths: [...lost] };
    }
    if (request.history !== null) writeHistory(writer, request.history, idOf);
    if (request.skips !== null) writer.setSkips(request.skips);
    const sourceHash = request.meta.sourceHash ?? sourceHashOf(contents(), request.meta, request.meta);
    const described = { ...request.meta, sourceHash, ...scip };
    const unparsed = writer.problems();
    const contentHash = indexContentHash(described.sourceHash, described, unparsed);
    const meta = writer.setMeta({ ...described, contentHash });
    writer.commit();
    return { kind: "applied", meta, unparsed };
  };

  return { put: (files) => files.forEach(put), finish };
}

/** All files that are written, in path order, read on demand: most changes of few files need no other one. */
function filesOf(writer: CuratedWriter) {
  let isRead = false;
  const all = onDemand(() => {
    isRead = true;
    return writer.files().toSorted(byPath);
  });
  const positions = onDemand(() => new Map(all().map(({ path }, at) => [path, at])));
  return {
    all,
    contents: () => (isRead ? all() : writer.contents().toSorted(byPath)),
    positions,
    idOf: (path: string): number | undefined => all()[positions().get(path) ?? -1]?.id,
  };
}

function recordOf({ id: _, content: __, ...file }: DueFile, facts: FileFacts, { text, stats }: CountedText) {
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

function counted(file: DueFile, facts: FileFacts, readText: ReadText): CountedText | null {
  const text = readText(file);
  return text === null ? null : { text, stats: countTerms(text, file.language, facts) };
}

const keyFor = ({ contentHash: hash, language }: Pick<DueFile, "contentHash" | "language">) => ({ hash, language });

/** `all`: the files of the generation, in path order. `left`: removed files. `hasExact`: there are exact references, which are of one content. */
type WrittenState = Pick<LinkInput, "textOf"> & {
  readonly all: () => readonly StoredFile[];
  readonly positions: () => ReadonlyMap<string, number>;
  readonly configBefore: ReadonlyMap<string, string | null>;
  readonly changed: readonly Written[];
  readonly left: readonly Pick<StoredFile, "path" | "language" | "contentHash">[];
  readonly hasExact: boolean;
  readonly links: LinkInbox | null;
};

/** Links what the written and removed files can have changed. Returns the files whose cached facts are unreadable. */
function linkWritten(
  writer: CuratedWriter,
  cache: GenerationFacts,
  { due, sameVersions, scip, isRepeated, isPartial }: GenerationRequest,
  { all, positions, textOf, configBefore, changed, left, hasExact, links }: WrittenState,
  report: ReportProgress,
): readonly string[] {
  const configNames = writer.configNames();
  const isAlike = (file: Written): boolean => {
    const [before, after] = [configBefore.get(file.path) ?? null, writer.textOf(file.id)];
    return before !== null && after !== null && resolvesAlike(file.path, before, after);
  };
  const isFollowed =
    sameVersions &&
    scip === "keep" &&
    !isRepeated &&
    configNames !== null &&
    !left.some(({ path }) => configNames.includes(nameOf(path))) &&
    !changed.some((file) => configNames.includes(nameOf(file.path)) && !isAlike(file));
  const changes = isFollowed ? changesOf(cache, changed, left) : null;
  const same = isFollowed && !hasExact ? withSameUses(cache, changed) : new Set();
  const withSameInterface = changed.flatMap(({ path, looksSame }) => (looksSame && !same.has(path) ? path : []));
  if (changes?.length === 0 && withSameInterface.length === 0) return [];
  const parsed = isPartial ? new Set(changed.map(({ path }) => path)) : null;
  // Another thread links all files or none.
  const elsewhere = links !== null && !hasExact && due.length === all().length ? linksElsewhere(links, all()) : null;
  const input = { files: all(), positions: positions(), textOf, changes, withSameInterface, parsed, elsewhere };
  return linkFiles(writer, cache, input, report);
}

/** The written files with the same links as before: other files see the same of them, and they use the same names in the same order. */
function withSameUses(cache: GenerationFacts, written: readonly Written[]): ReadonlySet<string> {
  return new Set(
    written.flatMap((file) => {
      const { before: old } = file;
      if (!file.looksSame || old?.language !== file.language) return [];
      const [were, are] = [cache.uses(keyFor(old)), cache.uses(keyFor(file))];
      return were !== null && are !== null && namesUsed(were) === namesUsed(are) ? file.path : [];
    }),
  );
}

/** Resolving goes by no lines but those of bases, which belong to the interface. */
const namesUsed = (uses: readonly ReferenceFact[]): string =>
  JSON.stringify(uses.map(({ name, qualifier, kind, symbol }) => [name, qualifier, kind, symbol]));

/** What other files see of the written and removed files. Unreadable facts count as unknown. */
function changesOf(
  cache: GenerationFacts,
  written: readonly Written[],
  removed: readonly Pick<StoredFile, "path" | "language" | "contentHash">[],
): readonly FileChange[] {
  const changed = written.filter(({ looksSame }) => !looksSame);
  return [
    ...changed.map((file): FileChange => {
      const { path, language, before: old } = file;
      if (old === null) return { path, language, kind: "added", before: null, after: cache.facts(keyFor(file)) };
      const [was, is] = [cache.facts(keyFor(old)), cache.facts(keyFor(file))];
      return { path, language, kind: "changed", before: was, after: is };
    }),
    ...removed.map((file): FileChange => {
      const { path, language } = file;
      return { path, language, kind: "removed", before: cache.facts(keyFor(file)), after: null };
    }),
  ];
}
