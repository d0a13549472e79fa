/**
 * Reading the curated index: named questions, each a handful of SQL statements.
 *
 * This is the knowledge base of the design. Retrieval is handed this type on a read-only connection,
 * so it cannot write. Not here: writing (`write.ts`), ranking, tiers.
 */

export type FileRow = {
  readonly id: number;
  readonly path: string;
  readonly language: string;
  readonly contentHash: string;
  readonly sizeBytes: number;
  readonly lineCount: number;
  readonly tokenCount: number;
  readonly isTest: boolean;
  /** Seconds since the epoch of the newest commit in the window that touches the file; null without history. */
  readonly modifiedAt: number | null;
};

export type SymbolRow = {
  readonly id: number;
  readonly fileId: number;
  readonly name: string;
  readonly qualifiedName: string;
  readonly kind: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly docLine: number;
  readonly nameLine: number;
  readonly signature: string;
  readonly signatureTokens: number;
  readonly bodyTokens: number;
  readonly parentId: number | null;
  readonly exported: boolean;
};

export type DefinitionRow = Pick<SymbolRow, "id" | "fileId" | "name" | "kind">;
export type NamedDefinition = DefinitionRow & Pick<SymbolRow, "parentId">;

export type TermStatsRow = { readonly fileId: number; readonly stats: Uint8Array };

export type DocstringRow = {
  readonly fileId: number;
  readonly symbolId: number | null;
  readonly content: string;
  readonly format: string;
};
export type CommentRow = {
  readonly fileId: number;
  readonly symbolId: number | null;
  readonly line: number;
  readonly content: string;
  readonly kind: string;
  readonly isRationale: boolean;
};
export type DependencyKind = "import" | "type_ref";
export type DependencyRow = { readonly source: number; readonly target: number; readonly kind: DependencyKind };
export type ReferenceRow = {
  readonly caller: number;
  readonly callee: number;
  readonly kind: string;
  readonly confidence: number;
};
/** A test file and a file it tests. `score` is in 0..1; `by` names the evidence (`name,import,reference`). */
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

/** What the index is of. `contentHash` is a hash of every path and content hash, HEAD and the indexing configuration. */
export type IndexMeta = {
  readonly contentHash: string;
  readonly head: string | null;
  readonly remoteUrl: string | null;
  readonly repoPath: string;
  readonly indexedAt: string;
  readonly craVersion: string;
  readonly extractorVersion: string;
  /** Why there is no history, or null when there is. */
  readonly historyProblem: string | null;
  readonly counts: {
    readonly files: number;
    readonly symbols: number;
    readonly dependencies: number;
    readonly references: number;
    readonly commits: number;
  };
  readonly languages: readonly { readonly language: string; readonly files: number }[];
  readonly skipped: readonly { readonly reason: string; readonly count: number }[];
};

/** One hit of a full-text search. `snippet` marks hits with U+0001 before and U+0002 after. Higher score is better. */
export type SearchHit = {
  readonly what: "file" | "symbol";
  readonly path: string;
  readonly line: number;
  readonly name: string | null;
  readonly kind: string | null;
  readonly score: number;
  readonly snippet: string;
};

/** A definition that holds words of a query. `rank` is BM25 turned positive: comparable within one answer only. */
export type FoundDefinition = {
  readonly id: number;
  readonly path: string;
  readonly language: string;
  readonly isTest: boolean;
  readonly kind: string;
  readonly name: string;
  readonly qualifiedName: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly signature: string;
  readonly docstring: string | null;
  readonly rank: number;
};

/** A commit whose message holds words of a query. */
export type FoundCommitRow = {
  readonly id: number;
  readonly hash: string;
  readonly author: string;
  readonly message: string;
  /** Seconds since the epoch. */
  readonly timestamp: number;
  /** Indexed files that it touched, by path; the first hundred. */
  readonly paths: readonly string[];
  readonly insertions: number | null;
  readonly deletions: number | null;
  readonly rank: number;
};

/** Kinds of texts in an index that may have vectors, and what one is known by (`text/embedded-text.ts`). */
export type IndexTexts = "definitions" | "commits";
export type TextKey = { readonly id: number; readonly key: number };

/**
 * The read-only query interface. Lists of ids are passed whole (one statement with `json_each`), never
 * one query per id. Unless said otherwise results are ordered by id; ids of one file's symbols follow
 * the order of its facts.
 */
export type KnowledgeBase = {
  meta(): IndexMeta;
  /** Every indexed file, by path. */
  files(): readonly FileRow[];
  /**
   * The definitions of files: in order of the files asked for, each file's in the order of its facts. Outlines
   * (headings, keys, selectors) are not among them.
   */
  symbolsIn(fileIds: readonly number[]): readonly SymbolRow[];
  /** As `symbolsIn`, of each definition what tells it from the others. */
  definitionsIn(fileIds: readonly number[]): readonly DefinitionRow[];
  /** Ids of the definitions that are tests though their files are none. */
  inlineTests(): ReadonlySet<number>;
  symbolsById(ids: readonly number[]): readonly SymbolRow[];
  /** Definitions whose name is exactly one of these (case matters). */
  symbolsNamed(names: readonly string[]): readonly SymbolRow[];
  /** The same ones, of each what says where it is; a task's words may name thousands. In order of the names, then by id. */
  definitionsNamed(names: readonly string[]): readonly NamedDefinition[];
  /** Parts of outlines whose name is exactly one of these. */
  outlineNamed(names: readonly string[]): readonly SymbolRow[];
  /** Term statistics of every file (`text/terms/term-stats.ts`), in no order. As long as they are kept, the same list. */
  termStats(): readonly TermStatsRow[];
  /** The text of files as it was indexed, in the order in which they are asked for. */
  texts(fileIds: readonly number[]): ReadonlyMap<number, string>;
  /** The same to find words in, never to be shown: nobody has looked for secrets in it. */
  textsToMatch(fileIds: readonly number[]): ReadonlyMap<number, string>;
  /** The same as UTF-8. */
  bytesToMatch(fileIds: readonly number[]): ReadonlyMap<number, Uint8Array>;
  docstringsIn(fileIds: readonly number[]): readonly DocstringRow[];
  commentsIn(fileIds: readonly number[]): readonly CommentRow[];
  /** Those of them that say why. */
  rationalesIn(fileIds: readonly number[]): readonly CommentRow[];
  /** File edges with either end in the list. */
  dependenciesOf(fileIds: readonly number[]): readonly DependencyRow[];
  /** File edges with both ends in the list. */
  dependenciesBetween(fileIds: readonly number[]): readonly DependencyRow[];
  /** How many files import each file (import and type_ref edges counted once per pair); files with none are left out. */
  importerCounts(): ReadonlyMap<number, number>;
  referencesFrom(symbolIds: readonly number[]): readonly ReferenceRow[];
  referencesTo(symbolIds: readonly number[]): readonly ReferenceRow[];
  /** What test files test, for each test the likeliest first. */
  testedBy(testIds: readonly number[]): readonly TestSourceRow[];
  /** Pairs with either end in the list. */
  coChangesOf(fileIds: readonly number[]): readonly CoChangeRow[];
  fileMetadata(): readonly FileMetadataRow[];
  /** Oldest and newest commit time of the window, in seconds; null without history. */
  commitRange(): { readonly oldest: number; readonly newest: number } | null;
  search(query: string, limit: number): readonly SearchHit[];
  /** Definitions with any word of the query in name, signature or first line of the docstring, the best first. */
  findDefinitions(query: string, limit: number): readonly FoundDefinition[];
  /** Commits with any word of the query in their message, the best first. */
  findCommits(query: string, limit: number): readonly FoundCommitRow[];
  /** Those of these ids, with a rank of 0. */
  definitionsById(ids: readonly number[]): readonly FoundDefinition[];
  commitsById(ids: readonly number[]): readonly FoundCommitRow[];
  /** The keys of the texts of all definitions, or of all commits. */
  textKeys(of: IndexTexts): readonly TextKey[];
  /** Their ids: of definitions what most others use first and tests last, of commits the newest first. */
  tellingFirst(of: IndexTexts): readonly number[];
  close(): void;
};
