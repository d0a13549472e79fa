/**
 * What a tool is: one row of the table in `tools.ts`, and the dependencies of its work.
 *
 * The zod type of a row validates its arguments before the work starts; the same type is published as JSON Schema.
 */
import { z } from "zod";
import type { App } from "../../app/app.ts";
import type { Behind } from "../index-behind.ts";
import type { Follow } from "../progress.ts";
import type { SentRounds } from "../sent-rounds.ts";
import { checkedArguments } from "./tool-arguments.ts";

/** The size of answers: the default and maximum tokens of a package. */
export type Limits = { readonly budgetDefault: number; readonly budgetMax: number };

/** The dependencies of one call. `Part` is what a tool needs of the app. */
export type Call<Part = App> = {
  readonly app: Part;
  readonly signal: AbortSignal;
  readonly follow: Follow;
  readonly limits: Limits;
  readonly behind: Behind;
  readonly sent: SentRounds;
};

/** The same answer twice: for people and models, and for programs. */
export type Answer = { readonly text: string; readonly structured: Readonly<Record<string, unknown>> };

/** An answer's text with its note. */
export const noted = (text: string, { note }: { readonly note?: string }): string =>
  note === undefined ? text : `${text}\nNote: ${note}\n`;

/** One tool. `writes`: it writes into cra's own data folder, and waits for other writers. */
export type Tool<Part = App> = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** What the server's instructions say about a tool that is listed only on request. */
  readonly mention?: string;
  readonly writes: boolean;
  readonly isIdempotent: boolean;
  /** How to request less, after an answer that is too large. */
  readonly less: string;
  readonly input: JsonObject;
  readonly output: JsonObject;
  /** Checks the arguments, and throws a usage failure for wrong ones. The returned function does the work. */
  prepared(args: unknown): (call: Call<Part>) => Promise<Answer>;
};

type JsonObject = { readonly [key: string]: unknown; readonly type: "object" };

type Row<Input, Part> = Omit<Tool, "input" | "output" | "prepared"> & {
  readonly input: z.ZodType<Input>;
  readonly output: z.ZodType;
  answer(args: Input, call: Call<Part>): Promise<Answer>;
};

/** Creates a row of the table from zod types. */
export function tool<Input, Part = App>({ input, output, answer, ...row }: Row<Input, Part>): Tool<Part> {
  return {
    ...row,
    input: objectSchema(input, "input"),
    output: objectSchema(output, "output"),
    prepared(args) {
      const found = checkedArguments(input, args, row.name);
      return (call) => answer(found, call);
    },
  };
}

/**
 * The JSON Schema, as an object even for a union. Omits what uses every client's context and helps no model: patterns, and
 * bounds of all integers. Arguments are still checked against these.
 */
function objectSchema(type: z.ZodType, io: "input" | "output"): JsonObject {
  const { $schema: _, ...schema } = z.toJSONSchema(type, {
    io,
    override({ jsonSchema }) {
      if (io === "output") return;
      for (const bound of UNSAID) delete jsonSchema[bound];
      if ((jsonSchema.maximum ?? 0) >= LARGE) delete jsonSchema.maximum;
      if (jsonSchema.minimum === 1) delete jsonSchema.minimum;
    },
  });
  return { ...schema, type: "object" };
}

/** What no caller reaches, nor numbers as large. */
const LARGE = 1_000_000;
const UNSAID = ["pattern", "allOf", "minLength", "maxLength", "maxItems"] as const;
