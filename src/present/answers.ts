/**
 * The JSON of packages, search hits, explanations and status that tools answer with and `--json` prints.
 *
 * `cra schema` publishes these types as JSON Schemas.
 */

import { z } from "zod";
import { Changes } from "../retrieval/model/changes.ts";
import { ProvisionalJson, StopJson } from "../retrieval/model/package-schema.ts";

const schema_version = z.literal(1);
const count = z.int().nonnegative();
const note = z
  .string()
  .optional()
  .describe("what was left out to keep the answer short, or is out of date, and what to do");

/** A package for an agent: the text, and what a further request needs. */
export const PackageAnswer = z.strictObject({
  schema_version,
  task_id: z.string().describe("for refine and explain"),
  round: z.int().positive(),
  markdown: z.string().describe("the package: the code to read"),
  token_count: count.describe("of the Markdown"),
  budget: count,
  stop: StopJson.optional().describe("where the package ends, why, and what would come next"),
  files: z
    .array(z.strictObject({ path: z.string(), rank: z.int().positive(), tier: z.string() }))
    .describe("the best first"),
  provisional: ProvisionalJson.optional().describe("only of a first answer, before the index is made or up to date"),
  news: z
    .strictObject({ since_round: z.int().positive(), package_tokens: count })
    .optional()
    .describe("only where the Markdown leaves out what that round showed, and names it"),
  changes: Changes.nullable().optional().describe("only of a further round: against the last one"),
  warnings: z.array(z.string()),
});
export type PackageAnswer = z.infer<typeof PackageAnswer>;

export const SearchHitJson = z.strictObject({
  what: z.enum(["file", "symbol"]),
  path: z.string(),
  line: z.int().positive(),
  more: z
    .array(z.int().positive())
    .optional()
    .describe(
      "of a file found by its content: other lines with the query as it is typed, the first 20; of a definition: lines of more of this name",
    ),
  name: z.string().nullable(),
  kind: z.string().nullable(),
  score: z.number(),
  text: z.string(),
  // No tuples: their JSON Schema says something else in draft 7, which clients of agents check with.
  highlights: z
    .array(z.array(z.int()).length(2))
    .describe("parts of the text that match: from and to, in UTF-16 units"),
});
export type SearchHitJson = z.infer<typeof SearchHitJson>;

export const SearchAnswer = z.strictObject({
  schema_version,
  query: z.string(),
  limit: count,
  hits: z.array(SearchHitJson).describe("the best first"),
  note,
});
export type SearchAnswer = z.infer<typeof SearchAnswer>;

export const ReadAnswer = z.strictObject({
  schema_version,
  path: z.string().nullable().describe("null when several places have that name"),
  symbol: z.string().nullable(),
  from: count.describe("the first line shown, from 1"),
  to: count.describe("the last line shown"),
  lines: count.describe("of the whole file"),
  text: z.string(),
  places: z.array(z.string()).readonly().describe("what else has that name, to ask for"),
  note,
});
export type ReadAnswer = z.infer<typeof ReadAnswer>;

const Scored = z.looseObject({ path: z.string(), score: z.number(), reason: z.string() });

export const ExplainAnswer = z.strictObject({
  schema_version,
  task_id: z.string(),
  round: z.int().positive(),
  task: z.string(),
  started_at: z.string(),
  status: z.string().nullable(),
  budget: z.unknown(),
  token_count: count.nullable(),
  files: z
    .array(
      Scored.extend({
        rank: z.int().positive().nullable().describe("null for a file that is out of scope"),
        tier: z.string(),
        shown: z.boolean(),
        tokens: count,
        judged: z.unknown(),
      }),
    )
    .readonly()
    .describe("the run's files, or those of the folder that was asked for"),
  decisions: z.array(Scored.extend({ stage: z.string(), included: z.boolean() })).readonly(),
  asked: z
    .looseObject({ path: z.string(), position: z.int().positive().nullable(), reason: z.string() })
    .nullable()
    .describe("a file that the run did not record"),
  note,
});
export type ExplainAnswer = z.infer<typeof ExplainAnswer>;

const IndexStatus = z.strictObject({
  repository: z.string(),
  data_dir: z.string(),
  indexed: z.boolean(),
  stale: z.string().nullable().describe("why the index is older than the work tree"),
  writer: z.string().nullable().describe("the process that is making or updating the index"),
  index: z
    .strictObject({
      head: z.string().nullable(),
      content_hash: z.string(),
      indexed_at: z.string(),
      cra_version: z.string(),
      history_problem: z.string().nullable(),
      counts: z.record(z.string(), count),
      languages: z.record(z.string(), count),
      skipped: z.record(z.string(), count),
    })
    .nullable(),
});

export const StatusAnswer = IndexStatus.extend({
  schema_version,
  repositories: z
    .array(IndexStatus.extend({ name: z.string() }))
    .readonly()
    .describe("those that are asked instead of this one; indexed then says whether all of them are"),
  in_store: z
    .array(z.string())
    .readonly()
    .describe("names of repositories of a store that are asked instead of this one"),
  enrichment: z.strictObject({ files: count, answered: count, promoted: count }).nullable(),
  stored: z.array(z.strictObject({ name: z.string(), bytes: count, files: count })).readonly(),
  shared: z
    .strictObject({ folder: z.string(), work_trees: z.array(z.string()).readonly() })
    .nullable()
    .describe("the folder of the parse cache that work trees of the repository share"),
  model: z
    .strictObject({
      name: z.string(),
      server: z.strictObject({
        base_url: z.string().nullable(),
        kind: z.enum(["ollama", "openai"]).nullable(),
        version: z.string().nullable(),
        digest: z.string().nullable(),
        parameters: z.string().nullable(),
      }),
      problem: z.string().nullable().describe("why the server did not say what it is"),
      window: z.strictObject({ used: count, own: count.nullable() }),
      speed: z
        .strictObject({
          calls: count,
          prompt_tokens: count,
          answer_tokens: count,
          ms: count,
          tokens_per_second: z.number(),
        })
        .nullable()
        .describe("of the newest answers of this model"),
    })
    .nullable()
    .describe("the configured model"),
  runs: count,
  versions: z.record(z.string(), z.string()),
});
export type StatusAnswer = z.infer<typeof StatusAnswer>;
