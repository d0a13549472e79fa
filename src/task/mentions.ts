/**
 * Finds the files and symbols that a task mentions. Whether a name exists in the repository is decided later.
 *
 * Every name is listed once, with the heaviest section it is in; the lists begin with the heaviest. A dotted name
 * (`flask.app.Flask`) may be a module or a member, so it is in both lists. Version lists and checklists (noise) name files,
 * but no symbols.
 */
import { STOP_WORDS } from "../text/terms/stop-words.ts";
import { endsLikeFile } from "./names/file-names.ts";
import { withoutMapKeys } from "./names/map-keys.ts";
import { NOT_SYMBOLS, PRODUCTS, SYMBOL_NOUNS } from "./names/name-tables.ts";
import { isSpeltLikeCode } from "./names/symbol-names.ts";
import { contextOf, namesIn, withoutEnd } from "./names/word-names.ts";
import { type Word, wordsIn } from "./names/words.ts";
import { type Mention, type Section, type SectionKind, TASK_LIMITS } from "./query.ts";
import { takeInlineCode, withUsersJoined } from "./sections/markup.ts";
import { HEAVIEST_FIRST } from "./sections/sections.ts";

/** What a task mentions, at most `TASK_LIMITS.fileHintsMax` files and `symbolHintsMax` symbols. */
type Mentions = { readonly files: readonly Mention[]; readonly symbols: readonly Mention[] };

/** Text in one section. `quoted`: it is between backticks. */
type Stretch = { readonly text: string; readonly section: SectionKind; readonly quoted: boolean };

const CODE_KINDS: ReadonlySet<SectionKind> = new Set(["inline", "code", "trace"]);
const EMPHASIS = /(^|\s)_([^_\s][^_\n]{0,200})_(?![\w])/g;
const IMPORTED =
  /^\s*(?:from\s+[\w.]{1,200}\s+import\s+\(?([^"'`()]{1,300})|import\s+(?:type\s+)?([^"'`()]{1,300})\sfrom\s)/;
const IMPORT_WORDS: ReadonlySet<string> = new Set(["as", "type", "default"]);

/** The names of files and symbols in the sections of a task. */
export function findMentions(sections: readonly Section[]): Mentions {
  const files = mentionList();
  const symbols = mentionList();
  for (const stretch of sections.flatMap(stretchesOf)) {
    const { section, quoted } = stretch;
    const line = withoutMapKeys(withUsersJoined(stretch.text));
    const words = quoted && isBracketedPath(line.trim()) ? [{ text: line.trim(), at: 0 }] : wordsIn(line);
    const where = { asCode: quoted || CODE_KINDS.has(section), alone: quoted && words.length === 1 };
    words.forEach((word, at) => {
      if (word.text.length > TASK_LIMITS.wordCharsMax) return;
      const context = contextOf(word, line, where);
      const names = namesIn(word.text, context);
      const isCode = (name: string) =>
        context.asCode || context.called || isSpeltLikeCode(name) || /[.:#\\*]/.test(name);
      for (const text of names.files) files.add({ text, section, codeLike: isCode(text) });
      if (section === "noise") return;
      for (const text of names.symbols) symbols.add({ text, section, codeLike: isCode(text) });
      const noun = namedByNoun(word, words[at - 1], words[at + 1]);
      if (noun !== null) symbols.add({ text: noun, section, codeLike: true });
    });
    if (section !== "code") continue;
    for (const text of importedNames(stretch.text)) symbols.add({ text, section, codeLike: true });
  }
  return {
    files: files.best(TASK_LIMITS.fileHintsMax, ({ text }) => /[/\\]/.test(text) || endsLikeFile(text)),
    symbols: symbols.best(TASK_LIMITS.symbolHintsMax, ({ codeLike }) => codeLike),
  };
}

/** Divides titles and headings, which keep their inline code, into code and text. */
function stretchesOf({ kind, text }: Section): readonly Stretch[] {
  if (CODE_KINDS.has(kind)) return [{ text, section: kind, quoted: kind === "inline" }];
  const { text: plain, spans } = takeInlineCode(text);
  return [
    ...spans.map((span) => ({ text: span, section: kind, quoted: true })),
    { text: plain.replace(EMPHASIS, "$1 $2 "), section: kind, quoted: false },
  ];
}

/** A path with brackets in its folders (`app/(auth)/page.tsx`). Elsewhere brackets separate words. */
function isBracketedPath(span: string): boolean {
  const folder = span.slice(0, Math.max(span.lastIndexOf("/"), span.lastIndexOf("\\"), 0));
  return (
    span.length <= TASK_LIMITS.wordCharsMax &&
    /[({]/.test(folder) &&
    /^[^\s"'`<>|;=*]+$/.test(span) &&
    /^[^(){}]*\.\w{1,7}$/.test(span.slice(folder.length))
  );
}

/** "the Session class", "class Session": a capitalized word next to a noun for symbols. */
function namedByNoun(word: Word, before: Word | undefined, after: Word | undefined): string | null {
  const name = withoutEnd(word.text);
  const lower = name.toLowerCase();
  if (!/^[A-Z][a-z]\w*$/.test(name) || NOT_SYMBOLS.has(name) || STOP_WORDS.has(lower) || PRODUCTS.has(lower))
    return null;
  const isNoun = (other: Word | undefined) => SYMBOL_NOUNS.has(withoutEnd(other?.text ?? ""));
  return isNoun(after) || isNoun(before) ? name : null;
}

/** The names that `from x import …` and `import … from` bind, plain words included. */
function importedNames(line: string): readonly string[] {
  const [, python = "", script = ""] = IMPORTED.exec(line) ?? [];
  const names = (python + script).split(/[\s,{}]+/);
  return names.filter((name) => /^[A-Za-z_$][\w$]+$/.test(name) && !IMPORT_WORDS.has(name));
}

type MentionList = {
  add(mention: Mention): void;
  /**
   * At most `countMax` mentions: by heaviest section, then those written as code, then as they came. When there are more,
   * those of the title stay, then the sure ones.
   */
  best(countMax: number, isSure: (mention: Mention) => boolean): readonly Mention[];
};

/** Collects names: each once, with the heaviest section it is in, as code when it is written so anywhere. */
function mentionList(): MentionList {
  const found = new Map<string, Mention>();
  return {
    add(mention) {
      const known = found.get(mention.text) ?? mention;
      const section = rank(mention.section) < rank(known.section) ? mention.section : known.section;
      found.set(mention.text, { text: mention.text, section, codeLike: mention.codeLike || known.codeLike });
    },
    best(countMax, isSure) {
      const sorted = [...found.values()].sort(
        (a, b) => rank(a.section) - rank(b.section) || Number(b.codeLike) - Number(a.codeLike),
      );
      if (sorted.length <= countMax) return sorted;
      const doubt = (mention: Mention): number => (mention.section === "title" ? 0 : isSure(mention) ? 1 : 2);
      const kept = new Set(sorted.toSorted((a, b) => doubt(a) - doubt(b)).slice(0, countMax));
      return sorted.filter((mention) => kept.has(mention));
    },
  };
}

const rank = (section: SectionKind): number => HEAVIEST_FIRST.indexOf(section);
