/**
 * What a row of the language table is: how the text of a file becomes facts.
 *
 * Not here: the rows (`languages/`), the table (`grammars.ts`), loading (`load-grammar.ts`).
 */

import type { Outline } from "../facts/outline.ts";
import type { SourceText } from "../facts/source-text.ts";
import type { Topic } from "../query/match.ts";
import type { LanguageStyle } from "./style.ts";

/** A text and the language that it is to be parsed as. */
export type Reading = { readonly text: string; readonly language: string };

/**
 * A language with a grammar. `wasm` is the path of its compressed grammar; the query files of a topic are joined in
 * order. `dialect` names another language of the table that a text is written in after all (a C header that is C++),
 * or null.
 */
export type Grammar = {
  readonly kind: "grammar";
  readonly wasm: string;
  readonly queries: Readonly<Record<Topic, readonly string[]>>;
  readonly style: LanguageStyle;
  readonly dialect?: (text: string) => string | null;
};

/** A tag of markup that can be a component, and where its name begins. */
export type ComponentUse = { readonly name: string; readonly start: number };

/**
 * The parts of a text in another language: a text of the same length in which everything but those parts is blank,
 * so that places stay what they are; null when there is no such part. And the components around them.
 */
export type Embedded = { readonly script: Reading | null; readonly components: readonly ComponentUse[] };

/** A language that holds parts in another one. */
export type Embedding = { readonly kind: "embedding"; read(text: string): Embedded };

/** A language whose outline is read off its lines. */
export type Outlined = { readonly kind: "outline"; outline(source: SourceText): readonly Outline[] };

export type Language = Grammar | Embedding | Outlined;
