/**
 * The data of the rules in `tidy-rules.ts`: layers, doors, names. A change of the project's structure changes a row
 * here.
 */

/** The parts of `src`, lowest row first. A part may import parts of lower rows only. */
export const LAYERS: readonly (readonly string[])[] = [
  ["failure", "version", "text", "concurrency"],
  ["notice"],
  ["languages"],
  ["config", "task", "memory", "secrets", "setup"],
  ["db", "source", "syntax", "llm", "store"],
  ["judgement"],
  ["indexing", "enrichment", "retrieval", "escalation", "recall"],
  ["evaluation"],
  ["app"],
  ["present"],
  ["tui", "mcp"],
  ["server"],
  ["cli"],
  ["main"],
];

/**
 * The folders of a folder, lowest first. A file may import from its own folder and lower ones. Files directly in a part
 * may import all of its folders, or where "" stands in the order those before it. Files directly in an inner folder are
 * the doors to its folders or what these share. Inner folders without a row do not import each other.
 */
export const FOLDER_ORDERS: Readonly<Record<string, readonly string[]>> = {
  retrieval: [
    "requests",
    "model",
    "lexical",
    "anchors",
    "ranking",
    "judging",
    "scope",
    "precision",
    "render",
    "reasons",
    "packing",
    "record",
    "refinement",
    "explain",
  ],
  app: ["workspace", "upkeep", "indexing", "team", "memory", "retrieval", "", "serving", "evaluate"],
  tui: ["keys", "styling", "state", "reducers", "views", "terminal", "worker", "effects"],
  db: ["sqlite", "parse-cache", "export", "vectors", "memory", "curated", "raw-log", "session", "data-folder", "check"],
  source: ["files", "git", "walk", "history", "revisions"],
  indexing: ["model", "imports", "references", "scip", "history", "links", "update", "provisional"],
  recall: ["search", "context", "values"],
  evaluation: ["", "mining", "report"],
  "db/curated": ["full-text", "write", "queries", "union", "portable"],
  "indexing/references": ["declarations", "types", "names"],
  "indexing/update": ["scan", "writer"],
  "retrieval/packing": ["items", "fitting", "worth"],
  "tui/state": ["lists", "layout", "preview"],
};

/** Each dependency and the files or folders that may use its values. */
export const DOORS: readonly (readonly [string, readonly string[]])[] = [
  ["bun:sqlite", ["src/db/sqlite/"]],
  ["web-tree-sitter", ["src/syntax/"]],
  ["gpt-tokenizer", ["src/text/tokens/tokens.ts"]],
  ["commander", ["src/cli/syntax/argv.ts"]],
  ["diff", ["src/text/diff/line-diff.ts", "src/evaluation/mining/unified-diff.ts"]],
  ["smol-toml", ["src/config/", "src/indexing/imports/", "src/memory/entry-template.ts", "src/setup/edits/"]],
  ["jsonc-parser", ["src/setup/edits/"]],
  ["yaml", ["src/setup/edits/"]],
  ["fzf", ["src/tui/state/lists/fuzzy.ts"]],
  ["ink", ["src/tui/"]],
  ["react", ["src/tui/"]],
  ["string-width", ["src/tui/", "src/cli/", "src/present/"]],
  ["@modelcontextprotocol/server", ["src/mcp/", "src/server/"]],
  ["ollama", ["src/llm/"]],
  ["p-queue", ["src/concurrency/call-queue.ts"]],
  ["ml-hclust", ["src/memory/clusters.ts"]],
  ["zod", ["src/"]],
];

/**
 * Edge files without effects: types, constants, schemas and texts. Capabilities may use their values, and other edges
 * may import them.
 */
export const VALUE_TABLES: readonly string[] = [
  "src/llm/model-failure.ts",
  "src/syntax/facts/defined-names.ts",
  "src/syntax/facts/empty-brackets.ts",
  "src/syntax/facts/facts.ts",
  "src/syntax/facts/facts-codec.ts",
  "src/syntax/facts/member-owner.ts",
];

/**
 * Tables that every file may import, whatever its layer and folder. They import nothing when they are loaded; a row imports what
 * it needs when it is used.
 */
export const LAZY_TABLES: readonly string[] = [
  "src/retrieval/ranking/signals/table.ts",
  "src/retrieval/render/formats.ts",
];

/** Parts that may create clocks and ids: the one that wires the dependencies. */
export const CHANCE_ALLOWED: readonly string[] = ["app"];

export const LINES_MAX = 300;

/** Tests are mostly rows of data, so they may be longer. */
export const LINES_OF_TEST_MAX = 500;

export const LINES_OF_FUNCTION_MAX = 80;

export const MEMBERS_MAX = 15;

export const FILES_OF_FOLDER_MAX = 25;

/** Folders that may have more files, and why. */
export const LARGE_FOLDERS: Readonly<Record<string, string>> = {
  "src/cli/commands": "one file a command",
};

/** Data tables that may be longer. */
export const TABLES: readonly string[] = [];

export const FORBIDDEN_NAME =
  /^(?:utils?|helpers?|common|misc|managers?|index)(?:\.[a-z.]+)?$|-(?:utils?|helpers?|manager)\./;

/** The allowed top-level entries of the repository, except dot files. */
export const TOP_LEVEL: readonly string[] = [
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "LICENSE",
  "README.md",
  "SECURITY.md",
  "bunfig.toml",
  "docs",
  "package-lock.json",
  "package.json",
  "scripts",
  "src",
  "tests",
  "tsconfig.json",
];

/** Machine-specific paths, ticket numbers and references to documents outside the repository. */
export const UNSAID =
  /\/(?:work|root|Users|home)\/[a-z]|\/tmp\/[a-z]|\b(?:issue|seed|session) #?\d|\b[A-Z]{5,}(?:\.md)? (?:section )?§?\d|\b(?:R\d{1,2}|F\d{2})\b|\bthe (?:brief|lead)\b/;
