/**
 * Runs a compiled query over a tree and reads the matches directly from the runtime's memory.
 *
 * The result is a sequence of words: for each match its pattern and its number of captures, for each capture its name
 * and its node (id, start, row, column, tree).
 */
import type { Language, Tree } from "web-tree-sitter";
import type { Topic } from "../../languages/syntax.ts";
import type { Span } from "../../text/lines.ts";
import { addressOf, type Runtime, WORD_BYTES } from "../parse/runtime.ts";
import {
  ARRAY_NAMES,
  ARRAY_WORDS,
  ARRAYS,
  type CompiledQuery,
  LANGUAGE_WORD,
  QUERY_WORDS,
  type TextTest,
  WILDCARDS_WORD,
} from "./compile-query.ts";
import type { Captures, Match, Matches } from "./match.ts";

/** The matches in a tree, in order, and the number of places that could not be parsed. */
export type Reading = { readonly matches: Matches; readonly errors: number };

/** Finds all matches; `stop` can end it early. */
export type RunQuery = (tree: Tree, text: string, stop: () => boolean) => Reading;

const NODE_WORDS = 5;
const CAPTURE_WORDS = 1 + NODE_WORDS;
const NO_LIMIT = 0xffffffff;
/** The arguments for "no range", then the limits of matches and depth. */
const EVERYWHERE = [...Array.from({ length: 12 }, () => 0), NO_LIMIT, NO_LIMIT];

/** Names that only predicates use. */
const isInner = (name: string): boolean => name.startsWith("_");

/** Copies a query into the runtime's memory, where it stays. */
export function queryRunner(runtime: Runtime, language: Language, query: CompiledQuery): RunQuery {
  const address = place(runtime, language, query);
  const buffer = runtime._ts_init() / WORD_BYTES;
  const names = query.captureNames.map((name) => (isInner(name) ? null : name));
  const patterns = query.patterns.map(({ topic, tests, settings }) => ({
    topic,
    tests: tests.map(testOf),
    settings: new Map(Object.entries(settings)),
  }));

  return (tree, text, stop) => {
    const treeAddress = addressOf(tree);
    runtime.currentQueryProgressCallback = stop;
    runtime._ts_tree_root_node_wasm(treeAddress);
    runtime._ts_query_matches_wasm(address, treeAddress, ...EVERYWHERE);
    runtime.currentQueryProgressCallback = null;
    const words = runtime.HEAP32;
    const count = words[buffer] ?? 0;
    const found = words[buffer + 1] ?? 0;
    const spanAt = (node: number): Span => {
      for (let word = 0; word < NODE_WORDS; word += 1) words[buffer + word] = words[node + word] ?? 0;
      return { start: words[node + 1] ?? 0, end: runtime._ts_node_end_index_wasm(treeAddress) };
    };
    const textsOf = (capture: number, first: number, end: number): readonly string[] => {
      const texts: string[] = [];
      for (let at = first; at < end; at += CAPTURE_WORDS) {
        if (words[at] !== capture) continue;
        const span = spanAt(at + 1);
        texts.push(text.slice(span.start, span.end));
      }
      return texts;
    };

    const matches: Record<Topic, Match[]> = { symbols: [], imports: [], references: [], comments: [] };
    let errors = 0;
    let next = found / WORD_BYTES;
    for (let match = 0; match < count; match += 1) {
      const number = words[next] ?? 0;
      const first = next + 2;
      next = first + (words[next + 1] ?? 0) * CAPTURE_WORDS;
      const pattern = patterns[number];
      if (pattern === undefined || pattern.topic === null) {
        errors += 1;
        continue;
      }
      const end = next;
      const passes = ({ capture, other, values, holds }: Test): boolean =>
        holds(textsOf(capture, first, end), other === null ? values : textsOf(other, first, end));
      if (!pattern.tests.every(passes)) continue;
      const named: string[] = [];
      const spans: Span[] = [];
      for (let at = first; at < end; at += CAPTURE_WORDS) {
        const name = names[words[at] ?? 0];
        // The first capture of a name wins.
        if (name == null || named.includes(name)) continue;
        named.push(name);
        spans.push(spanAt(at + 1));
      }
      const captures = capturesOf(named, spans);
      matches[pattern.topic].push({ pattern: number, captures, settings: pattern.settings });
    }
    runtime._free(found);
    return { matches, errors };
  };
}

/** A match has few captures: searching the list is faster than building a map. */
const capturesOf = (names: readonly string[], spans: readonly Span[]): Captures => ({
  get: (name) => spans[names.indexOf(name)],
});

/** Builds the structure that the runtime's own compiler produces, without the parts that running does not need. */
function place(runtime: Runtime, language: Language, { arrays, wildcardPatterns }: CompiledQuery): number {
  const structure = new Int32Array(QUERY_WORDS);
  for (const name of ARRAY_NAMES) {
    const { member, elementBytes } = ARRAYS[name];
    const bytes = Buffer.from(arrays[name], "base64");
    const size = bytes.length / elementBytes;
    structure.set([allocate(runtime, bytes), size, size], ARRAY_WORDS * member);
  }
  structure[LANGUAGE_WORD] = addressOf(language);
  structure[WILDCARDS_WORD] = wildcardPatterns;
  return allocate(runtime, new Uint8Array(structure.buffer));
}

function allocate(runtime: Runtime, bytes: Uint8Array): number {
  const address = runtime._malloc(bytes.length);
  // Memory that grew is another object.
  new Uint8Array(runtime.HEAP32.buffer).set(bytes, address);
  return address;
}

type Test = {
  readonly capture: number;
  readonly other: number | null;
  readonly values: readonly string[];
  holds(texts: readonly string[], values: readonly string[]): boolean;
};

function testOf({ operator, capture, other, values }: TextTest): Test {
  const pattern = operator === "match?" || operator === "not-match?" ? new RegExp(values[0] ?? "") : null;
  const matches = (text: string): boolean => pattern?.test(text) === true;
  const holds: Record<TextTest["operator"], Test["holds"]> = {
    "eq?": (texts, against) => texts.every((text) => against.some((value) => text === value)),
    "not-eq?": (texts, against) => texts.every((text) => against.some((value) => text !== value)),
    "any-of?": (texts, against) => texts.length > 0 && texts.every((text) => against.includes(text)),
    "not-any-of?": (texts, against) => texts.length === 0 || !texts.every((text) => against.includes(text)),
    "match?": (texts) => texts.length > 0 && texts.every(matches),
    "not-match?": (texts) => !texts.some(matches),
  };
  return { capture, other, values, holds: holds[operator] };
}
