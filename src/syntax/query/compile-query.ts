/**
 * Compiles a language's queries to plain data, which `run-query.ts` copies into the runtime's memory and runs.
 *
 * Compiling analyses the whole parse table: a fifth of a second for TypeScript, in every thread. The build does it once
 * for all languages (`scripts/queries.ts`), and its result is used as long as the queries are unchanged. The layout of a
 * compiled query is that of the pinned version of the runtime.
 */
import { createHash } from "node:crypto";
import { type Language, Parser, Query } from "web-tree-sitter";
import { GRAMMAR_VERSION } from "../../languages/grammar-packages.ts";
import type { Grammar } from "../../languages/syntax.ts";
import { TOPICS, type Topic } from "../../languages/syntax.ts";
import { addressOf, type Runtime, WORD_BYTES } from "../parse/runtime.ts";
import { expandParts } from "./query-parts.ts";

/**
 * A condition on a capture. `capture` is an index into the names. Its text is compared with `values`, or with the text of the capture
 * `other`; if the capture matched nothing, only the negated tests and `eq?` pass. For `in?`, `values` are the types of the nodes
 * around it, innermost first; nothing is in everything.
 */
export type CaptureTest = {
  readonly operator: (typeof OPERATORS)[number];
  readonly capture: number;
  readonly other: number | null;
  readonly values: readonly string[];
};

/** One pattern: the topic of its query file (null if that is unknown), its tests, its `#set!` properties. */
type Pattern = {
  readonly topic: Topic | null;
  readonly tests: readonly CaptureTest[];
  readonly settings: Readonly<Record<string, string>>;
};

/**
 * `key` identifies the queries and the grammar. `arrays` are the arrays of the runtime's structure, in base64. The entries of the pattern
 * map from `rootEntries.from` to `rootEntries.to` are those of patterns that begin with the root of a tree.
 */
export type CompiledQuery = {
  readonly key: string;
  readonly captureNames: readonly string[];
  readonly patterns: readonly Pattern[];
  readonly wildcardPatterns: number;
  readonly rootEntries: { readonly from: number; readonly to: number };
  readonly arrays: Readonly<Record<ArrayName, string>>;
};

/** The arrays of the structure that running needs: the index of the member, and the length of an element. */
export const ARRAYS = {
  steps: { member: 5, elementBytes: 20 },
  patternMap: { member: 6, elementBytes: 6 },
  patterns: { member: 8, elementBytes: 28 },
  negatedFields: { member: 10, elementBytes: 2 },
} as const;
type ArrayName = keyof typeof ARRAYS;
export const ARRAY_NAMES = ["steps", "patternMap", "patterns", "negatedFields"] as const satisfies readonly ArrayName[];
/** An array consists of an address, a size and a capacity. */
export const ARRAY_WORDS = 3;
const ARRAY_COUNT = 13;
/** The members after the arrays. */
export const LANGUAGE_WORD = ARRAY_WORDS * ARRAY_COUNT;
export const WILDCARDS_WORD = LANGUAGE_WORD + 1;
export const QUERY_WORDS = WILDCARDS_WORD + 1;
const WILDCARDS_MASK = 0xffff;

const ERRORS = "(ERROR) @error";

const textsOf = ({ queries }: Grammar): readonly string[] => TOPICS.map((topic) => expandParts(queries[topic] ?? ""));

/** Identifies the queries and the grammar of a compiled query. */
export const queryKey = (grammar: Grammar): string =>
  createHash("sha256")
    .update(JSON.stringify([textsOf(grammar), GRAMMAR_VERSION]))
    .digest("hex");

/** Compiles all queries of a grammar into one. Throws when they do not fit the grammar. */
export function compileQuery(runtime: Runtime, language: Language, grammar: Grammar): CompiledQuery {
  const texts = textsOf(grammar);
  const query = new Query(language, [...texts, ERRORS].join("\n"));
  try {
    return {
      key: queryKey(grammar),
      captureNames: query.captureNames,
      patterns: patternsOf(runtime, query, texts),
      ...structureOf(runtime, addressOf(query), rootSymbol(language)),
    };
  } finally {
    query.delete();
  }
}

function structureOf(
  runtime: Runtime,
  address: number,
  root: number | null,
): Pick<CompiledQuery, "wildcardPatterns" | "rootEntries" | "arrays"> {
  const words = runtime.HEAP32;
  const first = address / WORD_BYTES;
  const bytesOf = (name: ArrayName): Buffer => {
    const { member, elementBytes } = ARRAYS[name];
    const at = first + ARRAY_WORDS * member;
    const start = words[at] ?? 0;
    return Buffer.from(words.buffer, start, (words[at + 1] ?? 0) * elementBytes);
  };
  const contents = (name: ArrayName): string => bytesOf(name).toString("base64");
  return {
    wildcardPatterns: (words[first + WILDCARDS_WORD] ?? 0) & WILDCARDS_MASK,
    rootEntries: rootEntries(bytesOf("steps"), bytesOf("patternMap"), root),
    arrays: {
      steps: contents("steps"),
      patternMap: contents("patternMap"),
      patterns: contents("patterns"),
      negatedFields: contents("negatedFields"),
    },
  };
}

/** The number of the type of a language's root, null if an empty text has no tree. */
function rootSymbol(language: Language): number | null {
  const parser = new Parser().setLanguage(language);
  const tree = parser.parse("");
  const symbol = tree === null || tree.rootNode.isError ? null : tree.rootNode.typeId;
  tree?.delete();
  parser.delete();
  return symbol;
}

/** The pattern map is in order of the first node's type. An entry begins with the index of a step, and a step with the type of a node. */
function rootEntries(steps: Buffer, patternMap: Buffer, root: number | null): CompiledQuery["rootEntries"] {
  const stepBytes = ARRAYS.steps.elementBytes;
  const entryBytes = ARRAYS.patternMap.elementBytes;
  const symbols = Array.from({ length: patternMap.length / entryBytes }, (_, entry) =>
    steps.readUInt16LE(stepBytes * patternMap.readUInt16LE(entryBytes * entry)),
  );
  const from = root === null ? -1 : symbols.indexOf(root);
  return from < 0 ? { from: 0, to: 0 } : { from, to: symbols.lastIndexOf(root ?? -1) + 1 };
}

/** The position of a pattern in the joined text (in bytes) determines its topic. */
function patternsOf(runtime: Runtime, query: Query, texts: readonly string[]): readonly Pattern[] {
  const ends: number[] = [];
  for (const text of texts) ends.push((ends.at(-1) ?? 0) + Buffer.byteLength(text) + 1);
  return Array.from({ length: query.patternCount() }, (_, pattern) => {
    const at = query.startIndexForPattern(pattern);
    const calls = callsOf(runtime, addressOf(query), pattern);
    return {
      topic: TOPICS[ends.findIndex((end) => at < end)] ?? null,
      tests: calls.flatMap(({ operator, captures, values }) =>
        operator === "set!" ? [] : testOf(operator, captures, values),
      ),
      settings: Object.fromEntries(
        calls.flatMap(({ operator, values: [key = "", value = ""] }) => (operator === "set!" ? [[key, value]] : [])),
      ),
    };
  });
}

type Call = { readonly operator: string; readonly captures: readonly number[]; readonly values: readonly string[] };

const STEP_WORDS = 2;
const STEP_OF_CAPTURE = 1;
const STEP_OF_STRING = 2;

/** The predicates and directives of a pattern: an operator, then captures and strings. */
function callsOf(runtime: Runtime, query: number, pattern: number): readonly Call[] {
  const buffer = runtime._ts_init();
  const count = buffer / WORD_BYTES;
  const stepsAt = runtime._ts_query_predicates_for_pattern(query, pattern, buffer) / WORD_BYTES;
  const steps = runtime.HEAP32.slice(stepsAt, stepsAt + STEP_WORDS * (runtime.HEAP32[count] ?? 0));
  const calls: Call[] = [];
  let strings: string[] = [];
  let captures: number[] = [];
  for (let at = 0; at < steps.length; at += STEP_WORDS) {
    const id = steps[at + 1] ?? 0;
    if (steps[at] === STEP_OF_CAPTURE) captures.push(id);
    else if (steps[at] === STEP_OF_STRING) {
      const address = runtime._ts_query_string_value_for_id(query, id, buffer);
      strings.push(Buffer.from(runtime.HEAP32.buffer, address, runtime.HEAP32[count] ?? 0).toString());
    } else {
      const [operator = "", ...values] = strings;
      calls.push({ operator, captures, values });
      strings = [];
      captures = [];
    }
  }
  return calls;
}

const OPERATORS = ["eq?", "not-eq?", "any-of?", "not-any-of?", "match?", "not-match?", "in?"] as const;

function testOf(name: string, captures: readonly number[], values: readonly string[]): CaptureTest {
  const operator = OPERATORS.find((known) => known === name);
  const [capture, other = null] = captures;
  if (operator === undefined || capture === undefined) throw new Error(`queries cannot use #${name} like this`);
  return { operator, capture, other, values };
}
