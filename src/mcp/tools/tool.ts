/**
 * The type of a tool: one row of the table in `tools.ts`, and the dependencies of its work.
 *
 * The zod type of a row validates its arguments before the work starts; the same type is published as JSON Schema.
 */
import type { CallToolResult, Tool as ListedTool } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { App } from "../../app/app.ts";
import { Failed } from "../../failure.ts";
import { isTooDeep } from "../../text/json-depth.ts";
import { isRecord, parseJson } from "../../text/parse-json.ts";
import { firstOfEachField } from "../../text/schema-issues.ts";
import type { Behind } from "../index-behind.ts";
import type { LongAnswers } from "../long-answers.ts";
import type { Follow } from "../progress.ts";

/** The size of answers: the default and maximum tokens of a package. */
export type Limits = { readonly budgetDefault: number; readonly budgetMax: number };

/** The dependencies of one call. `Part` is what a tool needs of the app. */
export type Call<Part = App> = {
  readonly app: Part;
  readonly signal: AbortSignal;
  readonly follow: Follow;
  readonly limits: Limits;
  readonly behind: Behind;
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
      const found = checked(input, args, row.name);
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

/** Problems named in a message. */
const PROBLEMS_MAX = 3;

/** Arguments of the type, as they are or as a model meant them. Throws a usage failure that names the first that are wrong. */
export function checked<Input>(type: z.ZodType<Input>, args: unknown, name: string): Input {
  const given = withoutBlanks(args ?? {});
  const strict = type.safeParse(given);
  const found = strict.success ? strict : type.safeParse(asMeant(given, strict.error.issues));
  if (found.success) return found.data;
  const { issues } = found.error;
  const problems = firstOfEachField(issues).map(({ path, code, message }) => {
    const isMissing = code === "invalid_type" && message.endsWith("received undefined");
    return `${path.map(String).join(".").slice(0, 100) || "the arguments"}: ${isMissing ? "it is missing" : message}`;
  });
  const isUnknown = issues.some(({ code, path }) => code === "unrecognized_keys" && path.length === 0);
  throw new Failed({
    code: "usage",
    message: problems.slice(0, PROBLEMS_MAX).join("; "),
    next:
      isUnknown && type instanceof z.ZodObject
        ? `${name} takes ${Object.keys(type.shape).join(", ")}`
        : `see the input schema of ${name}`,
  });
}

/** Models give null or an empty text for what they leave out, also as an entry of a list. */
function withoutBlanks(args: unknown): unknown {
  if (!isRecord(args)) return args;
  const given = Object.entries(args).filter(([, value]) => !isBlank(value));
  return Object.fromEntries(
    given.map(([name, value]) => [name, Array.isArray(value) ? value.filter((entry) => !isBlank(entry)) : value]),
  );
}

const isBlank = (value: unknown): boolean => value === null || value === "";

/** With each text that is refused read as what models mean by it. */
function asMeant(args: unknown, issues: readonly z.core.$ZodIssue[]): unknown {
  if (!isRecord(args)) return args;
  const meant = issues.flatMap((issue) => {
    const [name, inside] = [String(issue.path[0]), issue.path.length > 1];
    const text = inside ? undefined : args[name];
    return typeof text === "string" ? [[name, meantBy(text, issue)] as const] : [];
  });
  return { ...args, ...Object.fromEntries(meant) };
}

/** A choice in other letters, the only entry of a list, or the text's value in JSON; else the text. */
function meantBy(text: string, issue: z.core.$ZodIssue): unknown {
  if (issue.code === "invalid_value")
    return issue.values.find((value) => String(value).toLowerCase() === text.trim().toLowerCase()) ?? text;
  if (issue.code !== "invalid_type" && issue.code !== "invalid_union") return text;
  const value = isTooDeep(text) ? undefined : parseJson(text);
  const isEntry = issue.code === "invalid_type" && issue.expected === "array" && !Array.isArray(value);
  return isEntry ? [text] : (value ?? text);
}

/** A tool as clients list it. */
export function listed(row: Omit<Tool, "prepared">, { budgetMax }: Limits, isStructured: boolean): ListedTool {
  const { name, title, description, writes, isIdempotent, input, output } = row;
  const annotations = {
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
    ...(isStructured ? { outputSchema: output } : {}),
    annotations,
    _meta: { [RESULT_CHARS_KEY]: charsMax(budgetMax) },
  };
}

/** Clients that know this key accept results of that size without truncation. */
const RESULT_CHARS_KEY = "anthropic/maxResultSizeChars";
/** The maximum of such clients. */
const RESULT_CHARS_MAX = 500_000;
/** Characters of an answer for each token of the largest package: its text as JSON, and what goes with it. */
const CHARS_PER_TOKEN = 7;

/** The maximum length of an answer as JSON. */
const charsMax = (budgetMax: number): number => Math.min(RESULT_CHARS_MAX, budgetMax * CHARS_PER_TOKEN);

/**
 * An answer in the form of the protocol, said once: as text, of which a long one links to its rest, or as structured content. Throws a
 * usage failure for structured content that is too large for any client.
 */
export function resultOf(
  { text, structured }: Answer,
  { name, less }: Pick<Tool, "name" | "less">,
  { budgetMax }: Limits,
  how: { readonly isStructured: boolean; readonly longAnswers: Pick<LongAnswers, "shown"> },
): CallToolResult {
  const most = charsMax(budgetMax);
  if (how.isStructured) {
    const chars = JSON.stringify(structured).length;
    const message = `the answer has ${chars} characters, more than the ${most} that clients accept`;
    if (chars > most) throw new Failed({ code: "usage", message, next: less });
    return { content: [{ type: "text", text: ELSEWHERE }], structuredContent: { ...structured } };
  }
  const shown = how.longAnswers.shown(text, most);
  const content: CallToolResult["content"] = [{ type: "text", text: shown.text }];
  if (shown.rest !== null)
    content.push({
      type: "resource_link",
      uri: shown.rest.uri,
      name: `the rest of ${name}`,
      mimeType: MARKDOWN,
      size: shown.rest.chars,
    });
  return { content };
}

export const MARKDOWN = "text/markdown";
const ELSEWHERE = "The answer is in the structured content.";
