/**
 * The read interface of the curated index: named questions, each a few SQL statements.
 *
 * Retrieval receives this type on a read-only connection, so it cannot write.
 */
import type { SymbolFact } from "../../syntax/facts/facts.ts";
import type { DefinitionIds } from "./definition-ids.ts";
import type { IndexMeta } from "./meta.ts";

export type FileRow = {
  readonly id: number;
  readonly path: string;
  readonly language: string;
  readonly lineCount: number;
  readonly tokenCount: number;
  readonly isTest: boolean;
  /** Time of the newest commit in the window that touches the file, in seconds since 1970; null without history. */
  readonly modifiedAt: number | null;
};

/** A file with what its content is known by. */
export type StoredFileRow = FileRow & { readonly contentHash: string; readonly sizeBytes: number };

/** A symbol as its facts say it, with ids in place of positions in the file. */
export type SymbolRow = Readonly<Omit<SymbolFact, "kind" | "parent" | "doc">> & {
  readonly id: number;
  readonly fileId: number;
  readonly kind: string;
  readonly parentId: number | null;
};

export type DefinitionRow = Pick<SymbolRow, "id" | "fileId" | "name" | "kind">;
/** The ids of a file's definitions, in the order of its facts. */
export type FileDefinitions = { readonly fileId: number; readonly ids: DefinitionIds };
export type NamedDefinition = DefinitionRow & Pick<SymbolRow, "qualifiedName" | "parentId">;

/** The term statistics of one file (`text/terms/term-stats.ts`). */
export type FileStatsRow = { readonly kind: "file"; readonly fileId: number; readonly stats: Uint8Array };
/** Of a block of files (`text/terms/stats-block.ts`): the file at place n has the id `firstId + n × step`. */
export type BlockStatsRow = {
  readonly kind: "block";
  readonly firstId: number;
  readonly step: number;
  readonly stats: Uint8Array;
};
export type TermStatsRow = FileStatsRow | BlockStatsRow;
/**
 * Term statistics of all files, each file once, in any order. Large ones pass by: they are read anew, and the bytes of a row are gone when
 * the next is asked for.
 */
export type CorpusStats = (
  | { readonly rows: readonly TermStatsRow[] }
  | { readonly passing: Iterable<BlockStatsRow> }
) & {
  /** The words of all paths, if they are stored. */
  readonly paths?: readonly PathBlockRow[];
};

/** The words in the paths of a block of files (`text/terms/path-block.ts`): the file at place n has the id `firstId + n`. */
export type PathBlockRow = { readonly firstId: number; readonly words: Uint8Array };

export type DocstringRow = {
  readonly fileId: number;
  readonly symbolId: number | null;
  readonly content: string;
};
export type CommentRow = {
  readonly fileId: number;
  readonly symbolId: number | null;
  readonly line: number;
  readonly content: string;
  readonly kind: string;
  readonly isRationale: boolean;
};
type DependencyKind = "import" | "type_ref";
/** The two files of an edge, by id. */
export type DependencyEnds = { readonly source: number; readonly target: number };
export type DependencyRow = DependencyEnds & { readonly kind: DependencyKind };
/**
 * How many other files import a file or refer to its definitions, each counted once; and of how many of the files that were asked for it does
 * the same.
 */
export type FileUses = { readonly fileId: number; readonly users: number; readonly used: number };
export type ReferenceRow = {
  readonly caller: number;
  readonly callee: number;
  readonly kind: string;
  readonly confidence: number;
};
/** A test file and a file that it tests. `score` is 0 to 1; `by` names the evidence (`name,import,reference`). */
export type TestSourceRow = {
  readonly test: number;
  readonly source: number;
  readonly score: number;
  readonly by: string;
};
export type CoChangeRow = { readonly a: number; readonly b: number; readonly count: number };
export type FileMetadataRow = {
  readonly fileId: number;
  readonly purpose: string | null;
  readonly module: string | null;
  readonly domain: string | null;
  readonly concepts: readonly string[];
};

/** A result of full-text search. `snippet` has U+0001 before and U+0002 after each match. A higher score is better. */
export type SearchHit = {
  readonly what: "file" | "symbol";
  readonly path: string;
  readonly line: number;
  /** Of a file found by its content: other lines with the query as it is typed, the first 20; of a definition: lines of more of its name. */
  readonly more?: readonly number[];
  readonly name: string | null;
  readonly kind: string | null;
  readonly score: number;
  readonly snippet: string;
};

/** A definition that matches words of a query. `rank` is BM25 turned positive, comparable within one answer only. */
export type FoundDefinition = Pick<FileRow, "path" | "language" | "isTest"> &
  Pick<SymbolRow, "id" | "kind" | "name" | "qualifiedName" | "startLine" | "endLine" | "signature"> & {
    readonly docstring: string | null;
    readonly rank: number;
  };

/** A commit whose message matches words of a query. */
export type FoundCommitRow = {
  readonly id: number;
  readonly hash: string;
  readonly author: string;
  readonly message: string;
  /** Seconds since the epoch. */
  readonly timestamp: number;
  /** The indexed files that it touched, by path; at most the first hundred. */
  readonly paths: readonly string[];
  readonly insertions: number | null;
  readonly deletions: number | null;
  readonly rank: number;
};

/** The kinds of texts that can have vectors, and the key of one (`text/embedded-text.ts`). */
export type IndexTexts = "definitions" | "commits";
export type TextKey = { readonly id: number; readonly key: number };

/** A file or folder that is not indexed, and why in a word. */
export type SkippedPath = { readonly path: string; readonly reason: string };

/** Files with their texts and metadata. */
export type FileQueries = {
  /** Every indexed file, by path. The same list as long as it is cached. */
  files(): readonly FileRow[];
  /** The same files, or those with these ids, read anew, with what ranking does not ask for. */
  storedFiles(fileIds?: readonly number[]): readonly StoredFileRow[];
  /** The indexed texts of files, in the order of `fileIds`. */
  texts(fileIds: readonly number[]): ReadonlyMap<number, string>;
  /** The same, for matching only: secrets in it are not redacted, so it must never be shown. */
  textsToMatch(fileIds: readonly number[]): ReadonlyMap<number, string>;
  /** Like `textsToMatch`, as UTF-8. */
  bytesToMatch(fileIds: readonly number[]): ReadonlyMap<number, Uint8Array>;
  /** The same value as long as it is cached. */
  termStats(): CorpusStats;
  fileMetadata(): readonly FileMetadataRow[];
  /** Those of the files that hold no secret by the rules with this version. */
  secretFree(fileIds: readonly number[], rules: string): readonly number[];
  /** The ids of files by path; unknown paths are missing. */
  idsOf(paths: readonly string[]): ReadonlyMap<string, number>;
  /** The skipped file with a path or the end of one, or the skipped folder around it; null for none and for several. */
  skipOf(path: string): SkippedPath | null;
};

/** Definitions and outline symbols (headings, keys, selectors). */
export type SymbolQueries = {
  /** The definitions of files, in the order of `fileIds`. Outline symbols are left out. */
  symbolsIn(fileIds: readonly number[]): readonly SymbolRow[];
  /** Like `symbolsIn`, with fewer columns. */
  definitionsIn(fileIds: readonly number[]): readonly DefinitionRow[];
  /** The ids alone. Files without definitions are left out. */
  definitionIdsIn(fileIds: readonly number[]): readonly FileDefinitions[];
  /** Definitions by id, in the order of the ids. Unknown ids are left out. */
  definitionRows(ids: readonly number[]): readonly DefinitionRow[];
  /** Those of the definitions that are tests among others, in a module of tests. */
  inlineTests(ids: readonly number[]): ReadonlySet<number>;
  symbolsById(ids: readonly number[]): readonly SymbolRow[];
  /** Definitions with exactly one of these names, case-sensitive. */
  symbolsNamed(names: readonly string[]): readonly SymbolRow[];
  /** Like `symbolsNamed`, with fewer columns, since a task's words may match thousands. In the order of the names. */
  definitionsNamed(names: readonly string[]): readonly NamedDefinition[];
  /** Outline symbols with exactly one of these names. */
  outlineNamed(names: readonly string[]): readonly SymbolRow[];
};

/** Documentation and comments. */
export type ProseQueries = {
  docstringsIn(fileIds: readonly number[]): readonly DocstringRow[];
  commentsIn(fileIds: readonly number[]): readonly CommentRow[];
  /** The comments that state a reason. */
  rationalesIn(fileIds: readonly number[]): readonly CommentRow[];
};

/** Edges between files and between symbols. */
export type EdgeQueries = {
  /** Edges between files with either end in the list. */
  dependenciesOf(fileIds: readonly number[]): readonly DependencyRow[];
  /** The same edges without their kind, in any order: cheaper where only reachability matters. */
  dependencyEnds(fileIds: readonly number[]): readonly DependencyEnds[];
  /** Edges between files with both ends in the list. */
  dependenciesBetween(fileIds: readonly number[]): readonly DependencyRow[];
  /** How many files import each file, counting each pair once; files without importers are missing. */
  importerCounts(): ReadonlyMap<number, number>;
  /** Of these files, how much each is used and uses others, in any order; those without either are missing. */
  fileUses(fileIds: readonly number[]): readonly FileUses[];
  referencesFrom(symbolIds: readonly number[]): readonly ReferenceRow[];
  referencesTo(symbolIds: readonly number[]): readonly ReferenceRow[];
  /** The files that tests cover, for each test the likeliest first. */
  testedBy(testIds: readonly number[]): readonly TestSourceRow[];
  /** The tests that cover files, for each file the likeliest first. */
  testsOf(sourceIds: readonly number[]): readonly TestSourceRow[];
  /** Pairs with either end in the list. */
  coChangesOf(fileIds: readonly number[]): readonly CoChangeRow[];
};

/** Definitions and commits by words or by id, and the texts to embed. */
export type RecallQueries = {
  /** Definitions with any word of the query in the name, the signature or the docstring's first line, best first. */
  findDefinitions(query: string, limit: number): readonly FoundDefinition[];
  /** Commits with any word of the query in their message, best first. */
  findCommits(query: string, limit: number): readonly FoundCommitRow[];
  /** The definitions with these ids; their rank is 0. */
  definitionsById(ids: readonly number[]): readonly FoundDefinition[];
  commitsById(ids: readonly number[]): readonly FoundCommitRow[];
  textKeys(of: IndexTexts): readonly TextKey[];
  /** All ids, most useful first: most used definitions first and tests last; newest commits first. */
  tellingFirst(of: IndexTexts): readonly number[];
};

/**
 * Lists of ids are passed whole (one statement with `json_each`), never one query per id. Results are ordered by path, then by
 * id, unless stated otherwise; symbol ids follow the order in the file.
 */
export type KnowledgeBase = FileQueries &
  SymbolQueries &
  ProseQueries &
  EdgeQueries &
  RecallQueries & {
    meta(): IndexMeta;
    /** Of several repositories as one: each alone, with the same ids and paths. For matching only: secrets are not redacted. */
    repositories?(): readonly OneRepository[];
    /** Oldest and newest commit time of the window, in seconds; null without history. */
    commitRange(): { readonly oldest: number; readonly newest: number } | null;
    /** The hashes of all commits, newest first, one repository after the other. */
    commitHashes(): readonly string[];
    search(query: string, limit: number): readonly SearchHit[];
    close(): void;
  };

/** A repository among several; `name` is unique, and the first part of its paths. */
export type OneRepository = { readonly name: string; readonly kb: KnowledgeBase };
