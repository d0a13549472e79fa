/**
 * An entry is a memory or an experience with its type: the shape that is listed, imported and stored. Also describes what is
 * wrong with an invalid one.
 */
import { z } from "zod";
import { truncated } from "../text/truncated.ts";
import { ExperienceSchema, MemorySchema } from "./experience.ts";

export const EntrySchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("memory"), ...MemorySchema.shape }),
  z.strictObject({ type: z.literal("experience"), ...ExperienceSchema.shape }),
]);
export type Entry = z.output<typeof EntrySchema>;
export type MemoryEntry = Extract<Entry, { type: "memory" }>;
export type ExperienceEntry = Extract<Entry, { type: "experience" }>;

/** What is wrong with a value. `field` is a path such as `iterations[0].action`, "" for the whole; `why` completes it. */
export type EntryProblem = { readonly field: string; readonly why: string };

export const problemWords = ({ field, why }: EntryProblem): string => (field === "" ? why : `${field} ${why}`);

/** A valid value, or its first problem. */
export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: EntryProblem };

/** Validates a value. Problems name fields but never repeat the value, which may be long or hostile. */
export function checked<T>(schema: z.ZodType<T>, value: unknown): Checked<T> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return { ok: true, value: result.data };
  return { ok: false, problem: problemOf(result.error.issues[0]) };
}

function problemOf(issue: z.core.$ZodIssue | undefined): EntryProblem {
  const field = fieldOf(issue?.path ?? []);
  return { field, why: issue === undefined ? "cannot be read" : whyOf(issue) };
}

function whyOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "unrecognized_keys":
      return `has an unknown field ${issue.keys.map(shortened).join(", ")}`;
    case "invalid_value":
      return `${issue.input === undefined ? "is missing; it is" : "is not"} one of ${issue.values.join(", ")}`;
    case "too_big":
      return `is ${issue.origin === "string" ? "longer" : "more"} than ${issue.maximum}${UNITS[issue.origin] ?? ""}`;
    case "too_small":
      return issue.origin === "number" ? `is less than ${issue.minimum}` : "is empty";
    case "invalid_type":
      return issue.input === undefined ? "is missing" : `is not ${KINDS[issue.expected] ?? issue.expected}`;
    case "invalid_format":
      return issue.format === "datetime" ? "is not a time such as 2026-01-31T12:00:00.000Z" : issue.message;
    default:
      return issue.message;
  }
}

const UNITS: Readonly<Record<string, string>> = { string: " characters", array: " items" };
const KINDS: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  object: "an object",
  array: "a list",
};
const fieldOf = (path: readonly PropertyKey[]): string =>
  path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`))
    .join("")
    .replace(/^\./, "");

const NAME_MAX = 60;
const shortened = (name: string): string => JSON.stringify(truncated(name, NAME_MAX));
