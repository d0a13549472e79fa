/**
 * Parses a text and runs its language's queries; the only place that touches syntax trees.
 *
 * Invariants: a tree is always deleted, a cancelled parser always reset (else its next parse would go
 * on with the old text); no tree is walked node by node, since crossing into WebAssembly is what costs.
 * An error in the text is no failure: the tree has what could be understood.
 */
import type { Node, QueryMatch } from "web-tree-sitter";
import { type LoadedGrammar, loadGrammar } from "./load-grammar.ts";
import type { Match, Matches, Span, Topic } from "./match.ts";
import type { LanguageStyle } from "./style.ts";

/** `timeMsMax`: how long one file may take, in milliseconds of `now`. `factsMax`: how many facts of one kind are kept. */
export type ParseLimits = {
  readonly timeMsMax: number;
  readonly factsMax: number;
  now(): number;
};

export type Found = { readonly matches: Matches } | { readonly problem: string };

/** What `problem` says of a file that needed more than its time. */
export const TOOK_TOO_LONG = "took too long";

/** Runs the queries of a language that has a grammar. Rejects when the runtime itself breaks. */
export async function findMatches(
  text: string,
  language: string,
  { clean, mend }: Pick<LanguageStyle, "clean" | "mend">,
  limits: ParseLimits,
): Promise<Found> {
  const grammar = await loadGrammar(language);
  const deadline = limits.now() + limits.timeMsMax;
  let late = false;
  const stop = (): boolean => {
    late ||= limits.now() > deadline;
    return late;
  };
  const found = read(clean === null ? text : clean(text), grammar, stop);
  if (found === null) return { problem: TOOK_TOO_LONG };
  const mended = found.errors === 0 ? undefined : mend?.(text);
  const second = mended === undefined || mended === text ? null : read(mended, grammar, stop);
  const { matches } = second !== null && second.errors < found.errors ? second : found;
  return { matches };
}

type Reading = { readonly matches: Matches; readonly errors: number };

/** One parse and one query; null when `stop` said so. */
function read(text: string, { parser, query, topicOf }: LoadedGrammar, stop: () => boolean): Reading | null {
  const tree = parser.parse(text, null, { progressCallback: stop });
  if (tree === null) {
    parser.reset();
    return null;
  }
  try {
    const found = query.matches(tree.rootNode, { progressCallback: stop });
    if (stop()) return null;
    const matches: Record<Topic, Match[]> = { symbols: [], imports: [], references: [], comments: [] };
    let errors = 0;
    for (const match of found) {
      const topic = topicOf(match.patternIndex);
      if (topic === null) errors += 1;
      else matches[topic].push(plain(match));
    }
    return { matches, errors };
  } finally {
    tree.delete();
  }
}

function plain({ patternIndex, captures, setProperties }: QueryMatch): Match {
  const spans = new Map<string, Span>();
  for (const { name, node } of captures) if (!spans.has(name)) spans.set(name, spanOf(node));
  return { pattern: patternIndex, captures: spans, settings: settingsOf(setProperties) };
}

const spanOf = (node: Node): Span => ({ start: node.startIndex, end: node.endIndex });

const NO_SETTINGS: ReadonlyMap<string, string> = new Map();

function settingsOf(properties: QueryMatch["setProperties"]): ReadonlyMap<string, string> {
  const entries = Object.entries(properties ?? {});
  if (entries.length === 0) return NO_SETTINGS;
  return new Map(entries.map(([key, value]) => [key, value ?? ""]));
}
