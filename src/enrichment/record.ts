/**
 * The answer of a model about one file, and the record that is stored of it.
 *
 * An answer is any model output in the right shape. A record is safe: bounded, one line a text, without control characters,
 * concepts in lower case. Records from the log pass a schema, because others can change that file.
 */

import { z } from "zod";
import type { Metadata } from "../db/curated/write/file-metadata.ts";
import { shorten } from "../judgement/shorten.ts";
import { parseJson } from "../text/parse-json.ts";
import { FIELD_WORDS, isEcho } from "./fields.ts";

/** Limits of a record; texts in characters. A concept is a word or two: only those match the text of a task. */
export const RECORD_LIMITS = {
  purposeChars: 240,
  nameChars: 60,
  conceptChars: 40,
  concepts: 12,
  apiChars: 80,
  apis: 20,
  notesChars: 400,
} as const;

/**
 * The schema of an answer. The server enforces its limits (`maxItems` stops a looping model), but a longer answer is still
 * valid: the record is cut.
 */
export const EnrichmentAnswer = z.object({
  purpose: z
    .string()
    .refine((text) => named(shorten(text, RECORD_LIMITS.purposeChars)) !== null, "it says nothing")
    .describe(FIELD_WORDS.purpose),
  module: z.string().describe(FIELD_WORDS.module),
  domain: z.string().describe(FIELD_WORDS.domain),
  concepts: z.array(z.string()).meta({ maxItems: RECORD_LIMITS.concepts }).describe(FIELD_WORDS.concepts),
  public_api_surface: z
    .array(z.string())
    .meta({ maxItems: RECORD_LIMITS.apis })
    .describe(FIELD_WORDS.public_api_surface),
  complexity_notes: z.string().describe(FIELD_WORDS.complexity_notes),
});
export type EnrichmentAnswer = z.infer<typeof EnrichmentAnswer>;

/** A generous bound on the tokens of an answer within the limits. */
export const ANSWER_TOKENS_MAX = 768;

const line = (chars: number) => z.string().min(1).max(chars);

/** A record in the log. One of another version is ignored, and its file is asked about again. */
const StoredRecord = z.strictObject({
  schema_version: z.literal(1),
  purpose: line(RECORD_LIMITS.purposeChars),
  module: line(RECORD_LIMITS.nameChars).nullable(),
  domain: line(RECORD_LIMITS.nameChars).nullable(),
  concepts: z.array(line(RECORD_LIMITS.conceptChars)).max(RECORD_LIMITS.concepts),
  public_api_surface: z.array(line(RECORD_LIMITS.apiChars)).max(RECORD_LIMITS.apis),
  complexity_notes: line(RECORD_LIMITS.notesChars).nullable(),
});

/** The record of an answer. */
export function recordOf(answer: EnrichmentAnswer): Metadata {
  const { purposeChars, nameChars, concepts, apiChars, apis, notesChars } = RECORD_LIMITS;
  return {
    purpose: shorten(answer.purpose, purposeChars),
    module: named(shorten(answer.module, nameChars)),
    domain: named(shorten(answer.domain.toLowerCase(), nameChars)),
    concepts: list(answer.concepts, concepts, concept),
    publicApiSurface: list(answer.public_api_surface, apis, (name) => shorten(name, apiChars)),
    complexityNotes: named(shorten(answer.complexity_notes, notesChars)),
  };
}

/** The text stored in the log. */
export function toStored({ purpose, module, domain, concepts, publicApiSurface, complexityNotes }: Metadata): string {
  const stored: z.input<typeof StoredRecord> = {
    schema_version: 1,
    purpose,
    module,
    domain,
    concepts: [...concepts],
    public_api_surface: [...publicApiSurface],
    complexity_notes: complexityNotes,
  };
  return JSON.stringify(stored);
}

/** The record in a text of the log; null if this version did not write it. */
export function fromStored(text: string): Metadata | null {
  const found = StoredRecord.safeParse(parseJson(text));
  if (!found.success) return null;
  const { purpose, module, domain, concepts, public_api_surface, complexity_notes } = found.data;
  return {
    purpose,
    module,
    domain,
    concepts,
    publicApiSurface: public_api_surface,
    complexityNotes: complexity_notes,
  };
}

/** A failed attempt in the log; `failed` is the kind of failure. */
const StoredFailure = z.strictObject({ schema_version: z.literal(1), failed: line(40) });

/** The text stored in the log for a failure. */
export const toStoredFailure = (kind: string): string =>
  JSON.stringify({ schema_version: 1, failed: kind } satisfies z.input<typeof StoredFailure>);

/** Whether a text of the log is a failure. */
export const isStoredFailure = (text: string): boolean => StoredFailure.safeParse(parseJson(text)).success;

/** What models write in place of nothing; what repeats the question is nothing too. */
const NOTHING = /^(?:none|null|nil|n\/?a|unknown|not applicable|nothing|empty|[-.…]+)?\.?$/i;
const named = (text: string): string | null => (NOTHING.test(text) || isEcho(text) ? null : text);

/** The first distinct items that say something. */
function list(items: readonly string[], most: number, clean: (item: string) => string): readonly string[] {
  return [...new Set(items.map(clean).filter((item) => named(item) !== null))].slice(0, most);
}

/** A longer phrase never matches a task, and neither does its beginning: dropped, not cut. */
function concept(item: string): string {
  const word = shorten(item.toLowerCase(), RECORD_LIMITS.conceptChars + 1);
  return word.length > RECORD_LIMITS.conceptChars ? "" : word;
}
