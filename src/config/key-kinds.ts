/**
 * The kinds of keys that `keys.ts` has several of, and what is said of each key.
 *
 * Not here: the keys themselves, and reading values (`parse-value.ts`).
 */
import { z } from "zod";

/** No model reads more; a larger number is a slip of the finger. */
export const TOKENS_MAX = 10_000_000;
/** A larger file is no source. */
export const BYTES_MAX = 100 * 1024 * 1024;

/** How a value is written where there is only text. */
export type Notation = "whole" | "number" | "bytes" | "switch" | "list" | "word" | "weights";

/** What the table says of a key beside its schema. */
export type KeyFacts = {
  readonly summary: string;
  /** Finishes "… is not". */
  readonly expects: string;
  readonly notation: Notation;
  /** The words that it knows, for "did you mean" and for completion. */
  readonly words?: readonly string[];
  readonly fromRepository: boolean;
  /** A path: what was typed is relative to the working folder, what the user's file says to that file. */
  readonly isPath?: true;
};

/** One key: `fallback` is its value where nobody sets it, `schema` makes what a value must be, with that default. */
export type Row<Value> = KeyFacts & { readonly fallback: Value; schema(): z.ZodType<Value> };

/** Makes a row. `schema` is called whenever a value is to be checked. */
export const row = <Schema extends z.ZodType>(
  fallback: z.core.util.NoUndefined<z.output<Schema>>,
  schema: () => Schema,
  facts: KeyFacts,
) => ({ ...facts, fallback, schema: () => schema().default(fallback) });

/** Patterns. */
export const globs = () => z.array(z.string().min(1).max(500)).max(1_000).readonly();
/** A number of tokens. */
export const tokens = (least: number) => z.int().min(least).max(TOKENS_MAX);
/** A path of the reader, which no repository may set. */
export const pathKey = (summary: string) =>
  row(null, () => z.string().min(1).max(4_096).nullable(), {
    summary,
    expects: "a path",
    notation: "word",
    fromRepository: false,
    isPath: true,
  });
/** A time limit on a call of the model. */
export const seconds = (fallback: number, summary: string) =>
  row(fallback, () => z.number().min(0.1).max(86_400), {
    summary,
    expects: "a number of seconds from 0.1 to 86400",
    notation: "number",
    fromRepository: false,
  });
/** On or off; off by default. */
export const switchKey = (fromRepository: boolean, summary: string) =>
  row(false, () => z.boolean(), {
    summary,
    expects: "true or false",
    words: ["true", "false"],
    notation: "switch",
    fromRepository,
  });
/** A model by its name; "none" is none, which is the default. No repository may choose it for its readers. */
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
