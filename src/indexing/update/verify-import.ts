/**
 * Accepts parsed facts from another machine for files with the same content.
 *
 * The facts may be wrong or forged. So a random sample is parsed again and one difference rejects everything
 * (`compareSome`), and a file's facts are rejected if they contain a word that its text lacks (`isOfText`), so that they cannot
 * bring text of their own into a package.
 */

import { nextTurn } from "../../concurrency/next-turn.ts";
import type { FileFacts } from "../../syntax/facts/facts.ts";
import { lineCount } from "../../text/lines.ts";
import type { IndexOptions } from "../model/index-run.ts";
import type { IndexDeps, ParseInput, ParseOutput } from "./index-deps.ts";
import { contentOf, indexableFile, textOf } from "./scan/file-content.ts";

/** Identifies a content, with the same key as the parse cache. */
type Content = Pick<ParseInput, "hash" | "language">;

/** The facts from another machine. */
export type FoundElsewhere = { find(content: Content): ParseOutput | null };

/** Facts that replace parsing. */
export type Adoption = {
  /** Null if there are none, or they do not belong to this text. */
  factsOf(input: ParseInput): ParseOutput | null;
  /** Number of contents whose facts were used. */
  takenOver(): number;
};

export function adoptionOf(found: FoundElsewhere): Adoption {
  let takenOver = 0;
  return {
    factsOf(input) {
      const known = found.find(input);
      if (known === null || !isOfText(known.facts, input.text)) return null;
      takenOver += 1;
      return known;
    },
    takenOver: () => takenOver,
  };
}

/** Number of contents that are parsed again. */
const SAMPLES = 16;
/** After this many files the event loop gets a turn, so that signals are seen. */
const FILES_PER_TURN = 50;

/**
 * Parses a sample of the contents again that have facts from another machine. Returns the size of the sample and the number
 * of differences. `shuffled` returns a list in an unpredictable order. Throws the signal's reason.
 */
export async function compareSome(
  { git, workTree, parser }: Pick<IndexDeps, "git" | "workTree" | "parser">,
  { ignore, bytesMax }: Pick<IndexOptions, "ignore" | "bytesMax">,
  found: FoundElsewhere,
  shuffled: <T>(list: readonly T[]) => readonly T[],
  signal: AbortSignal,
): Promise<{ readonly compared: number; readonly unlike: number }> {
  const readTracked = () => git.readTracked(signal);
  const { files, list } = await workTree.walk({ readTracked, ignore, signal, onProgress: () => undefined });
  const limits = { bytesMax, vendoredIsMain: workTree.vendoredIsMain(list().paths) };
  const chosen = new Map<string, { readonly input: ParseInput; readonly known: ParseOutput }>();
  for (const [index, { path, sizeBytes }] of shuffled([...files]).entries()) {
    signal.throwIfAborted();
    if (index % FILES_PER_TURN === 0) await nextTurn();
    if (chosen.size === SAMPLES) break;
    if (workTree.skipByPath(path, sizeBytes, limits) !== null) continue;
    const read = workTree.readFile(path, bytesMax);
    if (read.kind === "problem") continue;
    const { contentHash: hash, language } = indexableFile(path, contentOf(path, read.bytes));
    const content = { hash, language };
    const text = textOf(workTree, path, read.bytes);
    const known = text.skip === null ? found.find(content) : null;
    if (known === null || text.skip !== null) continue;
    chosen.set(`${content.hash}:${content.language}`, { input: { path, ...content, text: text.text }, known });
  }
  const answers = await Promise.all(
    [...chosen.values()].map(async ({ input, known }) => ({ known, own: await parser.parse(input, signal) })),
  );
  // If this machine lacks time or memory to parse a content, that says nothing about the other machine.
  const compared = answers.filter(({ own }) => own.facts.problem === null);
  return { compared: compared.length, unlike: compared.filter(({ own, known }) => !isSame(own, known)).length };
}

/** Whether two machines parsed a content alike. */
export const isSame = (a: ParseOutput, b: ParseOutput): boolean =>
  Bun.deepEquals(a.facts, b.facts) && Buffer.compare(a.stats, b.stats) === 0;

/** Words that facts have of their own: names of nameless definitions, and what says that a variable holds an object (`new Cart()`). */
const GIVEN_WORDS = ["default", "exports", "new"] as const;

/** Whether the text contains every word of the facts and has as many lines as they say. */
export function isOfText(facts: FileFacts, text: string): boolean {
  if (facts.lineCount !== lineCount(text)) return false;
  const words = new Set<string>([...GIVEN_WORDS, ...wordsOf(text)]);
  for (const said of textsOf(facts)) {
    // Most are single words that were said before.
    if (words.has(said)) continue;
    for (const word of wordsOf(said)) {
      if (words.has(word)) continue;
      // A truncated text can end within a word.
      if (!text.includes(word)) return false;
      words.add(word);
    }
    words.add(said);
  }
  return true;
}

/** Ranges of characters, for speed: they contain the letters of all scripts, and some harmless signs. */
const wordsOf = (text: string): readonly string[] => text.match(/[\w$\u00c0-\u1fff\u2c00-\u2dff\u3040-\uffff]+/g) ?? [];

/** Every text in the facts. */
function* textsOf({ problem, namespace, doc, symbols, comments, imports, references, exportedAs }: FileFacts) {
  if (problem !== null) yield problem;
  if (namespace !== null) yield namespace;
  if (doc !== null) yield doc.content;
  for (const symbol of symbols) {
    yield symbol.name;
    yield symbol.qualifiedName;
    yield symbol.signature;
    if (symbol.doc !== null) yield symbol.doc.content;
  }
  for (const { content } of comments) yield content;
  for (const { specifier, names } of imports) {
    yield specifier;
    for (const { name, alias } of names) {
      yield name;
      if (alias !== null) yield alias;
    }
  }
  for (const { name, qualifier } of references) {
    yield name;
    if (qualifier !== null) yield qualifier;
  }
  for (const [name, local] of Object.entries(exportedAs)) {
    yield name;
    yield local;
  }
}
