/**
 * Reads and filters the cases of a file: JSON Lines (one case a line), one JSON array, or one JSON object.
 *
 * Symbols are names, a path and a name (`path:name`), or objects; unknown fields are ignored. Errors name file, line and field.
 */

import { z } from "zod";
import { Failed } from "../failure.ts";
import { asDefined, symbolParts } from "../retrieval/requests/request-names.ts";
import { parseJson } from "../text/parse-json.ts";
import type { EvaluationCase, GoldSymbol } from "./model.ts";

/** Far above any real set of issues; the whole file is in memory. */
export const CASES_BYTES_MAX = 256 * 1024 * 1024;
const CASES_MAX = 100_000;
const TASK_CHARS_MAX = 1024 * 1024;
const LIST_MAX = 10_000;

/** A case as read; `repoPath` is the folder that a case may name, as written. */
export type ReadCase = EvaluationCase & { readonly repoPath: string | null };

const name = z.string().min(1).max(2_000);
const path = z
  .string()
  .min(1)
  .max(4_096)
  .refine((text) => !text.includes("\0"), "must be a path");
const line = z.int().min(0).max(100_000_000);
/** An insertion may point past the last line of a file, or to line 0 before the first. */
const atLine = line.transform((number) => Math.max(1, number));

const Symbols = z.array(
  z.union([
    name,
    z
      .object({
        path: path.nullish(),
        qualified: name.nullish(),
        name: name.nullish(),
        start: atLine.nullish(),
        end: atLine.nullish(),
        role: z.enum(["innermost", "enclosing"]).nullish(),
      })
      .refine((symbol) => (symbol.qualified ?? symbol.name ?? null) !== null, "needs a name"),
  ]),
);

const flag = z.boolean().nullish();

const Exactness = z.object({ group: name.max(500), level: z.int().min(1).max(9) });

const CaseJson = z.object({
  id: z.union([name.max(500), z.int().transform(String)]).nullish(),
  repo: z
    .string()
    .max(200)
    .regex(/^(?!\.+(?:\/|$))[\w.-]+(?:\/(?!\.+(?:\/|$))[\w.-]+)*$/, "must be like owner/name")
    .nullish(),
  repo_path: path.nullish(),
  base_commit: z
    .string()
    .regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/, "must be a full commit hash")
    .nullish(),
  base_date: z.iso.datetime({ offset: true, local: true }).nullish(),
  language: name.max(100).nullish(),
  source: name.max(200).nullish(),
  task: z
    .string()
    .max(TASK_CHARS_MAX)
    .refine((text) => text.trim() !== "", "is empty"),
  expected_files: z.array(path).min(1).max(LIST_MAX),
  expected_test_files: z.array(path).max(LIST_MAX).nullish(),
  expected_symbols: Symbols.max(LIST_MAX).nullish(),
  expected_lines: z
    .array(z.object({ path, start: atLine, end: atLine }))
    .max(LIST_MAX)
    .nullish(),
  mentions_gold_path: flag,
  mentions_gold_basename: flag,
  mentions_gold_symbol: flag,
  exactness: Exactness.nullish(),
});

/** The cases in the text of a file; `where` is its path, for messages. Throws a usage failure. */
export function readCases(text: string, where: string): readonly ReadCase[] {
  const rows = rowsOf(text.replace(/^\ufeff/, ""), where);
  if (rows.length === 0) throw wrong(where, "contains no cases");
  if (rows.length > CASES_MAX) throw wrong(where, `contains more than ${CASES_MAX} cases`);
  const cases = rows.map(({ value, at }, index) => caseOf(value, at, index));
  const seen = new Map<string, string>();
  for (const [index, { id }] of cases.entries()) {
    const at = rows[index]?.at ?? where;
    if (seen.has(id)) throw wrong(at, `id: ${shown(id)} is also the id of ${seen.get(id)}`);
    seen.set(id, at);
  }
  return cases;
}

/** A case as a line that `readCases` reads back. */
export function caseLine(one: ReadCase): string {
  const { answerLeak } = one;
  return JSON.stringify({
    id: one.id,
    repo: one.repo,
    repo_path: one.repoPath,
    base_commit: one.baseCommit,
    base_date: one.baseDate,
    language: one.language,
    source: one.source,
    task: one.task,
    expected_files: one.expectedFiles,
    expected_test_files: one.expectedTestFiles,
    expected_symbols: one.expectedSymbols.map(({ path, qualified, name, lines, role }) => ({
      ...{ path, qualified, name, role },
      ...lines,
    })),
    expected_lines: one.expectedLines,
    exactness: one.exactness,
    ...(answerLeak === null
      ? {}
      : {
          mentions_gold_path: answerLeak.path,
          mentions_gold_basename: answerLeak.basename,
          mentions_gold_symbol: answerLeak.symbol,
        }),
  });
}

type Row = { readonly value: unknown; readonly at: string };

function rowsOf(text: string, where: string): readonly Row[] {
  if (text.trim() === "") return [];
  const whole = parseJson(text);
  if (Array.isArray(whole)) return whole.map((value, index) => ({ value, at: `${where}: case ${index + 1}` }));
  if (whole !== undefined) return [{ value: whole, at: where }];
  const lines = text.split("\n");
  if (lines.length === 1 || text.trimStart().startsWith("[")) throw wrong(where, "is not valid JSON");
  return lines.flatMap((row, index) => {
    if (row.trim() === "") return [];
    const at = `${where}:${index + 1}`;
    const value = parseJson(row);
    if (value === undefined) throw wrong(at, "is not valid JSON");
    return [{ value, at }];
  });
}

function caseOf(value: unknown, at: string, index: number): ReadCase {
  const checked = CaseJson.safeParse(value);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    const field = issue?.path.join(".") || "the case";
    throw wrong(at, `${field}: ${issue?.message ?? "is not valid"}`);
  }
  const json = checked.data;
  const files = [...json.expected_files, ...(json.expected_test_files ?? [])];
  const flags = [json.mentions_gold_path, json.mentions_gold_basename, json.mentions_gold_symbol];
  return {
    id: json.id ?? `case-${index + 1}`,
    repo: json.repo ?? null,
    repoPath: json.repo_path ?? null,
    baseCommit: json.base_commit ?? null,
    baseDate: json.base_date ?? null,
    language: json.language ?? null,
    source: json.source ?? null,
    task: json.task,
    expectedFiles: [...new Set(json.expected_files)],
    expectedTestFiles: [...new Set(json.expected_test_files)],
    expectedSymbols: (json.expected_symbols ?? []).map((symbol) =>
      typeof symbol === "string" ? namedSymbol(symbol, files) : symbolOf(symbol),
    ),
    expectedLines: (json.expected_lines ?? []).map(({ path, start, end }) => ({
      path,
      start,
      end: Math.max(start, end),
    })),
    answerLeak: flags.every((flag) => flag === null || flag === undefined)
      ? null
      : {
          path: json.mentions_gold_path ?? false,
          basename: json.mentions_gold_basename ?? false,
          symbol: json.mentions_gold_symbol ?? false,
        },
    exactness: json.exactness ?? null,
  };
}

/**
 * A name, or `path:name`, also as test runners and ids in JSON write it. The path is an expected file, else it has a folder: names
 * hold colons too, such as `Cart::add`.
 */
function namedSymbol(typed: string, expected: readonly string[]): GoldSymbol {
  const text = asDefined(typed);
  const { path, name } =
    [(file: string) => expected.includes(file), (file: string) => file.includes("/")]
      .map((isFile) => ({ ...symbolParts(text, isFile), isFile }))
      .find((parts) => parts.name !== "" && parts.isFile(parts.path)) ?? WITHOUT_FILE;
  const qualified = path === null ? typed : name;
  return { path, qualified, name: lastName(qualified), lines: null, role: "innermost" };
}

const WITHOUT_FILE = { path: null, name: "" };

function symbolOf(symbol: Exclude<z.output<typeof Symbols>[number], string>): GoldSymbol {
  const qualified = symbol.qualified ?? symbol.name ?? "";
  const { start, end } = symbol;
  return {
    path: symbol.path ?? null,
    qualified,
    name: symbol.name ?? lastName(qualified),
    lines: typeof start === "number" && typeof end === "number" ? { start, end: Math.max(start, end) } : null,
    role: symbol.role ?? "innermost",
  };
}

/** `b` of `a.b`, `a::b` and `A#b`. */
const lastName = (qualified: string): string =>
  qualified.split(/::|[.#/]/).findLast((part) => part !== "") ?? qualified;

const wrong = (where: string, message: string): Failed =>
  new Failed({ code: "usage", message: `${where}: ${message}` });

const shown = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 59)}…` : text);

const FILTER_FIELDS = ["id", "repo", "language", "source"] as const;
type Field = (typeof FILTER_FIELDS)[number];

type Condition = { readonly field: Field; readonly text: string; readonly isExact: boolean };

/**
 * Conditions on cases, as in `repo=flask,language==python`: the field contains the text (`=`, in any letter case) or equals
 * it (`==`). Throws a usage failure.
 */
export function readFilter(typed: string): readonly Condition[] {
  return typed.split(",").map((part) => {
    const [, name = "", equals = "", text = ""] = /^(\w+)\s*(==?)\s*(.+)$/s.exec(part.trim()) ?? [];
    const field = FILTER_FIELDS.find((known) => known === name);
    if (field === undefined) {
      throw new Failed({
        code: "usage",
        message: `--filter: ${JSON.stringify(part.slice(0, 60))} is not field=text`,
        next: `fields are ${FILTER_FIELDS.join(", ")}; == matches the whole value`,
      });
    }
    return { field, text, isExact: equals === "==" };
  });
}

/** Whether a case meets all conditions. */
export const passes = (one: EvaluationCase, conditions: readonly Condition[]): boolean =>
  conditions.every(({ field, text, isExact }) => {
    const value = one[field] ?? "";
    return isExact ? value === text : value.toLowerCase().includes(text.toLowerCase());
  });
