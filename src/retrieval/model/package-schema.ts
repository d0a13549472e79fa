/**
 * The context package and the bundle, as published JSON.
 *
 * These zod types are the only definition: `cra schema` prints their JSON Schemas, the renderers produce them, and tests
 * validate output against them. Line numbers are 1-based and inclusive. Token counts are in the tokenizer that
 * `provenance.budget.tokenizer` names.
 */
import { z } from "zod";
import { TASK_TYPES } from "../../task/query.ts";
import { Changes } from "./changes.ts";
import { SCHEMA_VERSION } from "./package-ids.ts";
import { ReviewJson } from "./review.ts";
import { FILE_TIERS } from "./tiers.ts";

const count = z.int().nonnegative();
const line = z.int().positive();

const TaskQueryJson = z.strictObject({
  raw_description: z.string(),
  task_type: z.enum(TASK_TYPES),
  keywords: z.array(z.string()),
  file_hints: z.array(z.string()),
  symbol_hints: z.array(z.string()),
  error_patterns: z.array(z.string()),
  concepts: z.array(z.string()),
});

/** The id of a file is its path. Ids are made of the text, not of rows, so they are the same in an index made anew. */
const fileId = z.string().describe("the file's path; the id of its node in the bundle");

const SymbolJson = z.strictObject({
  symbol_id: z
    .string()
    .describe("path#qualified_name:start_line, the same while the file is; the id of its node in the bundle"),
  file_id: fileId,
  name: z.string(),
  qualified_name: z.string(),
  kind: z.string(),
  start_line: line,
  end_line: line,
  signature: z.string(),
  body: z
    .string()
    .nullable()
    .describe(
      "full source, or null when only the signature or an excerpt is included, or when another body here holds it",
    ),
  docstring: z.string().nullable(),
  relevance: z.enum(["primary", "supporting", "type_context"]),
  tokens: count,
  shown: z
    .enum(["body", "signature", "elsewhere"])
    .optional()
    .describe(
      "where its text is: in body, in signature, or in snippets or the body of another symbol; printed by --format json and --events",
    ),
});
export type SymbolJson = z.infer<typeof SymbolJson>;

const SnippetJson = z.strictObject({ start_line: line, end_line: line, text: z.string(), reason: z.string() });
export type SnippetJson = z.infer<typeof SnippetJson>;

const FileJson = z.strictObject({
  file_id: fileId,
  path: z.string(),
  language: z.string(),
  relevance_rank: line,
  score: z.number(),
  tier: z.enum(FILE_TIERS),
  reason: z.string().nullable().describe("why it is here, as the text says it; null when the text has no room for it"),
  symbols: z.array(SymbolJson),
  rationale_comments: z.array(z.string()),
  test_assertions: z
    .array(z.string())
    .nullable()
    .describe(
      "only for test files: a test, and after a colon what it asserts; tests of one name have their qualified names",
    ),
  snippets: z.array(SnippetJson),
});
export type FileJson = z.infer<typeof FileJson>;

const TermJson = z.strictObject({ signal: z.string(), value: z.number(), weight: z.number(), share: z.number() });
const LedgerJson = z.strictObject({
  path: z.string(),
  item: z.string(),
  tier: z.string(),
  tokens: count.describe("what it would have cost"),
});

export const StopJson = z.strictObject({
  coverage: z.union([z.literal("auto"), z.number()]).describe("as asked for"),
  reason: z
    .enum(["enough", "budget", "everything"])
    .describe("enough: what is left is not expected to be worth its tokens; budget: it is full"),
  expected_share: z.number().describe("share of what is expected to matter that is shown in full, an estimate"),
  next: z
    .array(
      z.strictObject({
        path: z.string(),
        item: z.string(),
        tokens: count,
        expected_share: z.number(),
        coverage: z.number().nullable().describe("the least that includes it; null when the budget must grow for it"),
      }),
    )
    .describe("the first pieces that are left out"),
});
export type StopJson = z.infer<typeof StopJson>;

export const ProvisionalJson = z.strictObject({
  files_counted: count.describe("files whose words were counted"),
  files_parsed: count.describe("those of them whose definitions are known"),
  index: z.enum(["none", "behind"]).describe("why: there is no index, or it is far behind the files"),
  state: z.string().describe("of the files, and of which are parsed: the same state gives the same package"),
  note: z.string().describe("as the text says it, with what an index would add"),
});
export type ProvisionalJson = z.infer<typeof ProvisionalJson>;

const provisional = ProvisionalJson.optional().describe("only of an answer before the index is made or up to date");

const Provenance = z.strictObject({
  cra_version: z.string(),
  index: z.strictObject({ content_hash: z.string(), head: z.string().nullable() }),
  provisional,
  weights: z.record(z.string(), z.number()),
  task_cut: z.string().nullable().describe("the task's text as the package shows it, when it was cut"),
  proposed_words: z
    .array(z.string())
    .optional()
    .describe("words that a model proposed to search for besides the task's own"),
  edges_shown: count.describe("how many of dependency_edges the text shows, from the first"),
  files: z.array(
    z.strictObject({
      path: z.string(),
      tier: z.string(),
      relation: z.string(),
      reasons: z.array(z.string()).describe("all that is known of why the file is here, the strongest first"),
      blank_lines: z.array(line).describe("blank lines between shown code, which the text shows instead of a marker"),
      score: z.number(),
      terms: z.array(TermJson).describe("what the score is the sum of; terms of weight 0 are measured, not counted"),
    }),
  ),
  symbols: z.array(
    z.strictObject({
      path: z.string(),
      qualified_name: z.string(),
      tier: z.string(),
      detail: z.enum(["body", "excerpt", "signature"]),
      why: z.string(),
    }),
  ),
  budget: z.strictObject({
    tokenizer: z.string(),
    exact: z.boolean(),
    max_lines: line.nullable(),
    floor: count.describe("the smallest budget that works for this task"),
    before: count.describe("tokens of all relevant material"),
    after: count.describe("tokens of the package"),
    use: z
      .number()
      .describe("the part taken of the budget, or of all relevant material when that is less, by the larger rendering"),
    evicted: z.array(LedgerJson),
    demoted: z.array(LedgerJson),
    stop: StopJson.optional().describe("where packing stopped; absent in packages of older versions"),
  }),
  map: z
    .string()
    .optional()
    .describe("only of a vague task: why the package is a map of the repository, and what to ask instead"),
  changes: Changes.nullable()
    .optional()
    .describe("only of a refined task: against its last finished round, null when there is none"),
});

const LearnedJson = z.strictObject({
  source: z.enum(["memory", "experience", "value"]),
  content: z.string().describe("Markdown"),
  relevance: z.number(),
  metadata: z.record(z.string(), z.unknown()).describe("as in cra recall --json"),
});
export type LearnedJson = z.infer<typeof LearnedJson>;

const learned = z.array(LearnedJson).optional().describe("only with --with-memory: what was learned before");

const DocumentJson = z.strictObject({
  tokens: count.describe("in the same tokenizer as token_count; the budget does not bound it"),
  bytes: count,
});
export type DocumentJson = z.infer<typeof DocumentJson>;

const document = DocumentJson.optional().describe("the size of this document as printed by --format json and bundle");

const tokenCount = count.describe(
  "tokens of the package's text (as Markdown), which holds all code shown here: at most budget",
);

const review = ReviewJson.optional().describe("only with --diff or --since: the changes under review");

/** The result of a run. */
export const ContextPackage = z.strictObject({
  schema_version: z.literal(SCHEMA_VERSION),
  task_id: z.string(),
  task_query: TaskQueryJson,
  review,
  files: z.array(FileJson),
  dependency_edges: z.array(z.tuple([z.string(), z.string()])),
  token_count: tokenCount,
  budget: count,
  provenance: Provenance,
  warnings: z.array(z.string()),
  learned,
  document,
});
export type ContextPackage = z.infer<typeof ContextPackage>;

/** The same result as a graph: its files and symbols, their relations, and the text to show. */
export const Bundle = z.strictObject({
  schema_version: z.literal(SCHEMA_VERSION),
  task_id: z.string(),
  intent: z.string(),
  provisional,
  review,
  nodes: z.array(
    z.strictObject({
      id: z.string(),
      type: z.enum(["file", "symbol"]),
      path: z.string(),
      name: z.string(),
      kind: z.string(),
      score: z.number(),
    }),
  ),
  edges: z.array(
    z.strictObject({ from: z.string(), to: z.string(), type: z.enum(["IMPORTS", "DEFINES", "EXPORTS", "REFERENCES"]) }),
  ),
  snippets: z.array(
    z.strictObject({
      path: z.string(),
      ...SnippetJson.shape,
      reason: z.string().describe("the tier of the symbol and what brought it in; of other lines, why they are here"),
    }),
  ),
  token_count: tokenCount,
  budget: count,
  learned,
  document,
});
export type Bundle = z.infer<typeof Bundle>;
