/**
 * Runs a compiled query over a tree and reads the matches directly from the runtime's memory.
 *
 * A pattern is looked at for every node as long as something may still match it, which is the whole file for a pattern of the root. So
 * those run apart, and only as deep as they reach. For the same reason a pattern does better to begin with a rare inner node and to
 * test what that is in (`#in? @capture "parent" "its parent"`) than to begin with a node that holds a lot.
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
  type CaptureTest,
  type CompiledQuery,
  LANGUAGE_WORD,
  QUERY_WORDS,
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
/** The arguments for "no range", then the limit of matches. The depth at which a match may start follows. */
const EVERYWHERE = [...Array.from({ length: 12 }, () => 0), NO_LIMIT];

/** Names that only predicates use. */
const isInner = (name: string): boolean => name.startsWith("_");

/** Copies a query into the runtime's memory, where it stays. */
export function queryRunner(runtime: Runtime, language: Language, query: CompiledQuery): RunQuery {
  const passes = place(runtime, language, query);
  const buffer = runtime._ts_init() / WORD_BYTES;
  const names = query.captureNames.map((name) => (isInner(name) ? null : name));
  const patterns = query.patterns.map(({ topic, tests, settings }) => ({
    topic,
    tests: tests.map((test) => testOf(test, language)),
    settings: new Map(Object.entries(settings)),
  }));

  return (tree, text, stop) => {
    const treeAddress = addressOf(tree);
    const matches: Record<Topic, Match[]> = { symbols: [], imports: [], references: [], comments: [] };
    let errors = 0;
    /** Reads what was found, from an address. */
    const read = (found: number, count: number): void => {
      const { words, spanAt, textsOf, isIn } = nodesOf(runtime, buffer, treeAddress, text);
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
        const passes = ({ capture, other, values, types, holds }: Test): boolean =>
          types !== null
            ? isIn(capture, types, first, end)
            : holds(textsOf(capture, first, end), other === null ? values : textsOf(other, first, end));
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
        matches[pattern.topic].push({
          pattern: number,
          captures: capturesOf(named, spans),
          settings: pattern.settings,
        });
      }
    };
    for (const { address, depthMax } of passes) {
      runtime.currentQueryProgressCallback = stop;
      runtime._ts_tree_root_node_wasm(treeAddress);
      runtime._ts_query_matches_wasm(address, treeAddress, ...EVERYWHERE, depthMax);
      runtime.currentQueryProgressCallback = null;
      const found = runtime.HEAP32[buffer + 1] ?? 0;
      read(found, runtime.HEAP32[buffer] ?? 0);
      runtime._free(found);
    }
    return { matches, errors };
  };
}

/**
 * Reads the nodes of captures, which lie from `first` to `end` in the runtime's memory as it is now. Each passes through the transfer
 * buffer.
 */
function nodesOf(runtime: Runtime, buffer: number, tree: number, text: string) {
  const words = runtime.HEAP32;
  const select = (node: number): void => {
    for (let word = 0; word < NODE_WORDS; word += 1) words[buffer + word] = words[node + word] ?? 0;
  };
  const spanAt = (node: number): Span => {
    select(node);
    return { start: words[node + 1] ?? 0, end: runtime._ts_node_end_index_wasm(tree) };
  };
  return {
    words,
    spanAt,
    textsOf(capture: number, first: number, end: number): readonly string[] {
      const texts: string[] = [];
      for (let at = first; at < end; at += CAPTURE_WORDS) {
        if (words[at] !== capture) continue;
        const span = spanAt(at + 1);
        texts.push(text.slice(span.start, span.end));
      }
      return texts;
    },
    isIn(capture: number, types: readonly number[], first: number, end: number): boolean {
      for (let at = first; at < end; at += CAPTURE_WORDS) {
        if (words[at] !== capture) continue;
        select(at + 1);
        for (const type of types) {
          runtime._ts_node_parent_wasm(tree);
          if (words[buffer] === 0 || runtime._ts_node_symbol_wasm(tree) !== type) return false;
        }
      }
      return true;
    },
  };
}

/** A match has few captures: searching the list is faster than building a map. */
const capturesOf = (names: readonly string[], spans: readonly Span[]): Captures => ({
  get(name) {
    for (let at = 0; at < names.length; at += 1) if (names[at] === name) return spans[at];
    return undefined;
  },
});

/** A structure to run, and how deep in a tree its matches may start. */
type Pass = { readonly address: number; readonly depthMax: number };

/** Builds the structures that the runtime's own compiler produces, without the parts that running does not need. */
function place(
  runtime: Runtime,
  language: Language,
  { arrays, wildcardPatterns, rootEntries: { from, to } }: CompiledQuery,
): readonly Pass[] {
  const structure = new Int32Array(QUERY_WORDS);
  const put = (name: keyof typeof ARRAYS, bytes: Uint8Array): void => {
    const { member, elementBytes } = ARRAYS[name];
    const size = bytes.length / elementBytes;
    structure.set([allocate(runtime, bytes), size, size], ARRAY_WORDS * member);
  };
  for (const name of ARRAY_NAMES) if (name !== "patternMap") put(name, Buffer.from(arrays[name], "base64"));
  structure[LANGUAGE_WORD] = addressOf(language);
  const pass = (patternMap: Uint8Array, wildcards: number, depthMax: number): Pass => {
    put("patternMap", patternMap);
    structure[WILDCARDS_WORD] = wildcards;
    return { address: allocate(runtime, new Uint8Array(structure.buffer)), depthMax };
  };
  const entries = Buffer.from(arrays.patternMap, "base64");
  const [start, end] = [from, to].map((entry) => entry * ARRAYS.patternMap.elementBytes);
  const others = Buffer.concat([entries.subarray(0, start), entries.subarray(end)]);
  return [...(from === to ? [] : [pass(entries.subarray(start, end), 0, 0)]), pass(others, wildcardPatterns, NO_LIMIT)];
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
  /** The types of the nodes around the capture; null for a test of its text. */
  readonly types: readonly number[] | null;
  holds(texts: readonly string[], values: readonly string[]): boolean;
};

function testOf({ operator, capture, other, values }: CaptureTest, language: Language): Test {
  const types = operator === "in?" ? values.map((type) => typeOf(language, type)) : null;
  const pattern = operator === "match?" || operator === "not-match?" ? new RegExp(values[0] ?? "") : null;
  const matches = (text: string): boolean => pattern?.test(text) === true;
  const holds: Record<CaptureTest["operator"], Test["holds"]> = {
    "eq?": (texts, against) => texts.every((text) => against.some((value) => text === value)),
    "not-eq?": (texts, against) => texts.every((text) => against.some((value) => text !== value)),
    "any-of?": (texts, against) => texts.length > 0 && texts.every((text) => against.includes(text)),
    "not-any-of?": (texts, against) => texts.length === 0 || !texts.every((text) => against.includes(text)),
    "match?": (texts) => texts.length > 0 && texts.every(matches),
    "not-match?": (texts) => !texts.some(matches),
    "in?": () => true,
  };
  return { capture, other, values, types, holds: holds[operator] };
}

function typeOf(language: Language, name: string): number {
  const type = language.idForNodeType(name, true);
  if (type === null) throw new Error(`a query names the type ${name}, which the grammar does not have`);
  return type;
}
