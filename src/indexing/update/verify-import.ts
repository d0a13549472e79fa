/**
 * Accepts parsed facts from another machine for files with the same content.
 *
 * The facts may be wrong or forged. So a random sample is parsed again and one difference rejects everything
 * (`compareSome`), and a file's facts are rejected if they contain a word that its text lacks (`isOfText`), so that they cannot
 * bring text of their own into a package.
 */

import { languageOf } from "../../languages/languages.ts";
import type { FileFacts } from "../../syntax/facts/facts.ts";
import type { IndexOptions } from "../model/index-run.ts";
import type { IndexDeps, ParseInput, ParseOutput } from "./index-deps.ts";
import { hashOf, textOf } from "./scan-and-parse.ts";

/** Names a content, as the parse cache does. */
type Content = Pick<ParseInput, "hash" | "language">;

/** What was found elsewhere. */
export type FoundElsewhere = { find(content: Content): ParseOutput | null };

/** Facts for parsing to give in place of its own. */
export type Adoption = {
  /** Null where there are none, or none of this text. */
  factsOf(input: ParseInput): ParseOutput | null;
  /** How many contents' facts were given. */
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

/** So many contents are parsed again. */
const SAMPLES = 16;
/** After this many files the event loop gets a turn, so that signals are seen. */
const FILES_PER_TURN = 50;

/**
 * Parses some contents of the work tree again, of those that were found elsewhere: how many, and how many of them were
 * not the same. `shuffled` gives a list in an order that nobody can foresee. Throws the signal's reason.
 */
export async function compareSome(
  { git, workTree, parser }: Pick<IndexDeps, "git" | "workTree" | "parser">,
  { ignore, bytesMax }: Pick<IndexOptions, "ignore" | "bytesMax">,
  found: FoundElsewhere,
  shuffled: <T>(list: readonly T[]) => readonly T[],
  signal: AbortSignal,
): Promise<{ readonly compared: number; readonly unlike: number }> {
  const readTracked = () => git.readTracked(signal);
  const { files } = await workTree.walk({ readTracked, ignore, signal, onProgress: () => undefined });
  const limits = { bytesMax, vendoredIsMain: workTree.vendoredIsMain(files.map(({ path }) => path)) };
  const chosen = new Map<string, { readonly input: ParseInput; readonly known: ParseOutput }>();
  for (const [index, { path, sizeBytes }] of shuffled(files).entries()) {
    signal.throwIfAborted();
    if (index % FILES_PER_TURN === 0) await new Promise((resume) => setImmediate(resume));
    if (chosen.size === SAMPLES) break;
    if (workTree.skipByPath(path, sizeBytes, limits) !== null) continue;
    const read = workTree.readFile(path, bytesMax);
    if (read.kind === "problem") continue;
    const content = { hash: hashOf(read.bytes), language: languageOf(path) };
    const text = textOf(workTree, path, read.bytes);
    const known = text.skip === null ? found.find(content) : null;
    if (known === null || text.skip !== null) continue;
    chosen.set(`${content.hash}:${content.language}`, { input: { path, ...content, text: text.text }, known });
  }
  const answers = await Promise.all(
    [...chosen.values()].map(async ({ input, known }) => ({ known, own: await parser.parse(input, signal) })),
  );
  // What this machine cannot parse, for want of time or memory, says nothing of the other one.
  const compared = answers.filter(({ own }) => own.facts.problem === null);
  return { compared: compared.length, unlike: compared.filter(({ own, known }) => !isSame(own, known)).length };
}

const isSame = (a: ParseOutput, b: ParseOutput): boolean =>
  Bun.deepEquals(a.facts, b.facts) && Buffer.compare(a.stats, b.stats) === 0;

/** What languages call a thing that has no name in the text. */
const GIVEN_NAMES = ["default", "exports"] as const;

/** Whether all that facts say in words is said in the text, which has as many lines as they say. */
export function isOfText(facts: FileFacts, text: string): boolean {
  if (facts.lineCount !== lineCountOf(text)) return false;
  const words = new Set<string>(GIVEN_NAMES);
  for (const word of wordsOf(text)) words.add(word);
  for (const said of textsOf(facts))
    for (const word of wordsOf(said)) {
      if (words.has(word)) continue;
      // A text that was cut ends within a word.
      if (!text.includes(word)) return false;
      words.add(word);
    }
  return true;
}

/** By ranges of characters, which is quick: letters of all scripts are in them, and some signs that do no harm. */
const wordsOf = (text: string): readonly string[] => text.match(/[\w$\u00c0-\u1fff\u2c00-\u2dff\u3040-\uffff]+/g) ?? [];

function lineCountOf(text: string): number {
  let count = text === "" || text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

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
