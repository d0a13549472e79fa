/** The scanners of `highlight.ts`, made of what the table of languages says about comments, strings and keywords. */
import type { Highlighting } from "../../languages/highlighting.ts";
import { LANGUAGES } from "../../languages/languages.ts";

/** A text of several lines. */
type Block = { readonly begin: string; readonly end: string; readonly role: "code.comment" | "code.string" };

export type Family = {
  readonly blocks: readonly Block[];
  /** Sticky; groups `comment`, `string`, `number` and `word`, else what is none of them. */
  readonly pattern: RegExp;
  readonly keywords: ReadonlySet<string>;
  readonly foldsCase: boolean;
};

const NUMBER = String.raw`\b(?:0[xXbBoO][0-9a-fA-F_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?)\w*`;
const WORD = String.raw`[\p{L}_$@][\p{L}\p{M}\p{N}_$]*`;
/** Spaces and signs, as long as none of them could begin something. */
const OTHER = String.raw`[\s()\[\]{},.:=+&|<>!?^~*%]+`;

function family({ comments, strings, blocks, keywords, foldsCase }: Highlighting): Family {
  const groups = [
    ...(comments.length > 0 ? [`(?<comment>${comments.join("|")})`] : []),
    ...(strings.length > 0 ? [`(?<string>${strings.join("|")})`] : []),
    `(?<number>${NUMBER})`,
    `(?<word>${WORD})`,
    // `*` and `%` could begin a block or a comment here: one at a time.
    blocks.length > 0 || comments.length > 0 ? String.raw`[\s()\[\],.:=+&|>!?^~]` : OTHER,
  ];
  return {
    blocks: blocks.map(({ begin, end, role }) => ({ begin, end, role: `code.${role}` })),
    pattern: new RegExp(groups.join("|"), "uy"),
    keywords: new Set(keywords.split(/\s+/).filter((word) => word !== "")),
    foldsCase: foldsCase ?? false,
  };
}

const FAMILIES: ReadonlyMap<string, Family> = new Map(
  [...LANGUAGES].flatMap(([name, { highlighting }]) =>
    highlighting === undefined ? [] : [[name, family(highlighting)] as const],
  ),
);

/** How a language is scanned; null when it has no colours. */
export const familyOf = (language: string): Family | null => FAMILIES.get(language) ?? null;
