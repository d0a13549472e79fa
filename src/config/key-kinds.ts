/** The kinds of rows that `keys.ts` has several of. */
import { z } from "zod";

/** No model reads more; a larger number is a typing error. */
export const TOKENS_MAX = 10_000_000;
/** A larger file is not source code. */
export const BYTES_MAX = 100 * 1024 * 1024;
/**
 * The smallest window of a model, in tokens: each prompt with the longest task or path and its reply takes up to 1,650, and
 * this is the next size that models have.
 */
export const MODEL_WINDOW_MIN = 2_048;

/** How a value is written where there is only text. */
export type Notation = "whole" | "tokens" | "number" | "bytes" | "switch" | "list" | "word" | "weights";

/** A row without its default and schema. */
export type KeyFacts = {
  readonly summary: string;
  /** Finishes "… is not". */
  readonly expects: string;
  readonly notation: Notation;
  /** The known words, for "did you mean" and for completion. */
  readonly words?: readonly string[];
  readonly fromRepository: boolean;
  /** A typed path, or one in a variable, is relative to the current folder, one in the user's file to that file. */
  readonly isPath?: true;
};

/** One key: `fallback` is its default, `schema` checks a value and has that default. */
export type Row<Value> = KeyFacts & { readonly fallback: Value; schema(): z.ZodType<Value> };

/** Makes a row. `schema` is called whenever a value is checked. */
export const row = <Schema extends z.ZodType>(
  fallback: z.core.util.NoUndefined<z.output<Schema>>,
  schema: () => Schema,
  facts: KeyFacts,
) => ({ ...facts, fallback, schema: () => schema().default(fallback) });

/** A whole number of things, both bounds included. */
type Range = { readonly of: string; readonly least: number; readonly most: number };
type Facts = Pick<KeyFacts, "summary" | "fromRepository">;

const wholeFacts = ({ of, least, most }: Range): Pick<KeyFacts, "expects" | "notation"> => ({
  expects: `a whole number of ${of} from ${least} to ${most}`,
  notation: of === "tokens" ? "tokens" : "whole",
});

export const wholeKey = (fallback: number, range: Range, facts: Facts) =>
  row(fallback, () => z.int().min(range.least).max(range.most), { ...wholeFacts(range), ...facts });

/** Not set by default. */
export const optionalWholeKey = (range: Range, facts: Facts) =>
  row(null, () => z.int().min(range.least).max(range.most).nullable(), { ...wholeFacts(range), ...facts });

/** One of the words. No repository may choose it for its readers. */
export const wordKey = <const Words extends readonly string[]>(
  fallback: z.core.util.NoUndefined<Words[number]>,
  words: Words,
  summary: string,
) =>
  row(fallback, () => z.enum(words), {
    summary: `${summary}: ${words.join(", ")}`,
    expects: `one of ${words.join(", ")}`,
    words,
    notation: "word",
    fromRepository: false,
  });

export const globsKey = (summary: string, expects = "a list of globs") =>
  row([], () => z.array(z.string().min(1).max(500)).max(1_000).readonly(), {
    summary,
    expects,
    notation: "list",
    fromRepository: true,
  });

/** A path on the reader's machine, which no repository may set. */
export const pathKey = (summary: string) =>
  row(null, () => z.string().min(1).max(4_096).nullable(), {
    summary,
    expects: "a path",
    notation: "word",
    fromRepository: false,
    isPath: true,
  });

/** A time limit on a call of the model. */
export const secondsKey = (fallback: number, summary: string) =>
  row(fallback, () => z.number().min(0.1).max(86_400), {
    summary,
    expects: "a number of seconds from 0.1 to 86400",
    notation: "number",
    fromRepository: false,
  });

/** Off unless stated. */
export const switchKey = (fromRepository: boolean, summary: string, initial = false) =>
  row(initial, () => z.boolean(), {
    summary,
    expects: "true or false",
    words: ["true", "false"],
    notation: "switch",
    fromRepository,
  });

/** The name of a model; "none", the default, is no model. No repository may choose it for its readers. */
export const modelKey = (summary: string, example: string) =>
  row(null, modelName, {
    summary,
    expects: `the name of a model, such as ${example}`,
    notation: "word",
    fromRepository: false,
  });

const modelName = () =>
  z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,199}$/)
    .transform((name) => (name === "none" ? null : name))
    .nullable();
