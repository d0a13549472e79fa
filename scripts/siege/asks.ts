/** Requests for packages, and an independent count of their tokens. */
import fc from "fast-check";
import { z } from "zod";
import { FORMAT_NAMES } from "../../src/retrieval/render/formats.ts";
import { hostileTask } from "./hostile-files.ts";

const TOKENIZERS = ["o200k_base", "cl100k_base", "approximate"] as const;

const Ask = z.object({
  task: z.string(),
  budget: z.int(),
  format: z.enum(FORMAT_NAMES),
  tokenizer: z.enum(TOKENIZERS),
  options: z.array(z.string()),
});
export type Ask = z.infer<typeof Ask>;
export const Asks = z.array(Ask);

const options = fc.subarray([
  "--no-reasons",
  "--coverage=1",
  "--depth=3",
  "--scope-size=5",
  "--hint-path=src",
  "--max-lines=200",
]);
const ask: fc.Arbitrary<Ask> = fc.record({
  task: hostileTask,
  budget: fc.oneof(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 400, max: 40_000 })),
  format: fc.constantFrom(...FORMAT_NAMES),
  tokenizer: fc.constantFrom(...TOKENIZERS),
  options,
});
export const asks: fc.Arbitrary<Ask[]> = fc.array(ask, { minLength: 1, maxLength: 2 });

const PLAIN = { disallowedSpecial: new Set<string>() };
const Counted = z.looseObject({ token_count: z.number() });

/** The tokens of an answer; of a document for programs, those that it states. Null where only cra can count. */
export async function countIn({ format, tokenizer }: Ask, answer: string): Promise<number | null> {
  if (format === "json") return Counted.parse(JSON.parse(answer)).token_count;
  if (format === "bundle" || tokenizer === "approximate") return null;
  // Each is large.
  const { countTokens } =
    tokenizer === "o200k_base"
      ? await import("gpt-tokenizer/encoding/o200k_base")
      : await import("gpt-tokenizer/encoding/cl100k_base");
  return countTokens(answer, PLAIN);
}
