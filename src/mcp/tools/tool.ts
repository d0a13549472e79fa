/**
 * What a tool is: one row of the table in `tools.ts`, and what its work is handed.
 *
 * A row's arguments are checked by its own zod type before its work begins; the same type is published as JSON Schema.
 */
import type { CallToolResult, Tool as ListedTool } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { App } from "../../app/app.ts";
import { Failed } from "../../failure.ts";
import type { Follow } from "../progress.ts";

/** How large answers are: tokens of a package when nothing is said, and at most. */
export type Limits = { readonly budgetDefault: number; readonly budgetMax: number };

/** What one call is handed. */
export type Call = {
  readonly app: App;
  readonly signal: AbortSignal;
  readonly follow: Follow;
  readonly limits: Limits;
};

/** The same answer twice: for people and models, and for programs. */
export type Answer = { readonly text: string; readonly structured: Readonly<Record<string, unknown>> };

/** An answer's text with its note. */
export const noted = (text: string, { note }: { readonly note?: string }): string =>
  note === undefined ? text : `${text}\nNote: ${note}\n`;

/** One tool. `writes`: it writes into cra's own data folder, and waits for others that do. */
export type Tool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly writes: boolean;
  readonly isIdempotent: boolean;
  /** How to ask for less, after an answer that is too large. */
  readonly less: string;
  readonly input: JsonObject;
  readonly output: JsonObject;
  /** Checks the arguments; throws a usage failure for wrong ones. What it returns does the work, and throws what stops it. */
  prepared(args: unknown): (call: Call) => Promise<Answer>;
};

/** A JSON Schema of an object. */
type JsonObject = { readonly [key: string]: unknown; readonly type: "object" };

type Row<Input> = Omit<Tool, "input" | "output" | "prepared"> & {
  readonly input: z.ZodType<Input>;
  readonly output: z.ZodType;
  answer(args: Input, call: Call): Promise<Answer>;
};

/** A row of the table, made of zod types. */
export function tool<Input>({ input, output, answer, ...row }: Row<Input>): Tool {
  return {
    ...row,
    input: objectSchema(input, "input"),
    output: objectSchema(output, "output"),
    prepared(args) {
      const found = checked(input, args, row.name);
      return (call) => answer(found, call);
    },
  };
}

/**
 * The JSON Schema, as an object even where it is a choice of several. What costs every client room in its context and tells
 * no model anything is left out: patterns, bounds of all whole numbers. Arguments are checked against them all the same.
 */
function objectSchema(type: z.ZodType, io: "input" | "output"): JsonObject {
  const { $schema: _, ...schema } = z.toJSONSchema(type, {
    io,
    override({ jsonSchema }) {
      if (io === "output") return;
      delete jsonSchema.pattern;
      delete jsonSchema.allOf;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return { ...schema, type: "object" };
}

/** Throws a usage failure that names the first argument that is wrong. */
function checked<Input>(type: z.ZodType<Input>, args: unknown, name: string): Input {
  const found = type.safeParse(args ?? {});
  if (found.success) return found.data;
  const [issue] = found.error.issues;
  const at = issue?.path.map(String).join(".") ?? "";
  const message = `${at === "" ? "the arguments" : at.slice(0, 100)}: ${issue?.message ?? "not understood"}`;
  throw new Failed({ code: "usage", message, next: `see the input schema of ${name}` });
}

/** A tool as clients list it. */
export function listed(row: Tool, { budgetMax }: Limits, isTextOnly: boolean): ListedTool {
  const { name, title, description, writes, isIdempotent, input, output } = row;
  const annotations = {
    title,
    readOnlyHint: !writes,
    destructiveHint: false,
    idempotentHint: isIdempotent,
    openWorldHint: false,
  };
  return {
    name,
    title,
    description,
    inputSchema: input,
    ...(isTextOnly ? {} : { outputSchema: output }),
    annotations,
    _meta: { [RESULT_CHARS_KEY]: charsMax(budgetMax) },
  };
}

/** Clients that know this key take results of that size whole. */
const RESULT_CHARS_KEY = "anthropic/maxResultSizeChars";
/** No such client takes more. */
const RESULT_CHARS_MAX = 500_000;
/** Characters of an answer for each token of the largest package: its text as JSON, and what goes with it. */
const CHARS_PER_TOKEN = 7;

/** No answer is longer, counted as JSON. */
const charsMax = (budgetMax: number): number => Math.min(RESULT_CHARS_MAX, budgetMax * CHARS_PER_TOKEN);

/** An answer as the protocol has it. Throws a usage failure for one that no client would take. */
export function resultOf(
  { text, structured }: Answer,
  { less }: Tool,
  limits: Limits,
  textOnly: boolean,
): CallToolResult {
  const chars = Math.max(text.length, textOnly ? 0 : JSON.stringify(structured).length);
  const most = charsMax(limits.budgetMax);
  if (chars > most) {
    const message = `the answer has ${chars} characters, more than the ${most} that clients accept`;
    throw new Failed({ code: "usage", message, next: less });
  }
  return { content: [{ type: "text", text }], ...(textOnly ? {} : { structuredContent: { ...structured } }) };
}
