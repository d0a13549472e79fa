/**
 * A list of the names that a task mentions, each once, the most telling first.
 *
 * A name keeps the heaviest section it stands in, and counts as code if it is written so anywhere.
 */
import type { Mention, SectionKind } from "./query.ts";
import { HEAVIEST_FIRST } from "./sections.ts";

export type MentionList = {
  add(mention: Mention): void;
  /**
   * At most `countMax` mentions: heaviest section first, then written as code, then as they came. Of more,
   * those of the title stay, then those that are `sure`.
   */
  best(countMax: number, isSure: (mention: Mention) => boolean): readonly Mention[];
};

/** An empty list. */
export function mentionList(): MentionList {
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
