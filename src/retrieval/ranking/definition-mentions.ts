/** The bonus of definitions that the task names, or that its stack traces go through. */
import type { FileRow, SymbolQueries } from "../../db/curated/knowledge-base.ts";
import type { SectionKind } from "../../task/query.ts";
import { positionsById } from "../lexical/file-positions.ts";
import type { Anchor } from "../model/anchor.ts";

const TRACE = 0.3;
const QUALIFIED = 0.2;
const HINT = 0.5;
/** By the section that contains the mention. */
const NAMED_IN: Partial<Record<SectionKind, number>> = { title: 0.2, inline: 0.2, prose: 0.25 };
/** The factor for names that do not look like code. */
const WORD_SHARE = 0.3;

type MentionedDefinition = { readonly id: number; readonly bonus: number };

type MentionInput = {
  readonly kb: SymbolQueries;
  readonly files: readonly FileRow[];
  readonly anchors: readonly Anchor[];
};

/**
 * The mentioned definitions by position of their file and index in it. The strongest mention of each kind counts, shared
 * among the definitions that it can mean.
 */
export function mentionedDefinitions({
  kb,
  files,
  anchors,
}: MentionInput): Map<number, Map<number, MentionedDefinition>> {
  const positionOf = positionsById(files);
  const bonuses = bonusById(anchors);
  const fileIds = anchors
    .filter(({ kind, section, symbols }) => weightOf(kind, section) > 0 && symbols.length > 0)
    .flatMap(({ files: named }) => named.filter((id) => positionOf.has(id)));
  const mentioned = new Map<number, Map<number, MentionedDefinition>>();
  const ids = Float64Array.from(bonuses.keys()).sort();
  for (const { fileId, ids: own } of kb.definitionIdsIn([...new Set(fileIds)])) {
    const inFile = new Map<number, MentionedDefinition>();
    own.visitAmong(ids, (ordinal, id) => {
      const bonus = bonuses.get(id) ?? 0;
      if (bonus > 0) inFile.set(ordinal, { id, bonus });
    });
    if (inFile.size > 0) mentioned.set(positionOf.get(fileId) ?? -1, inFile);
  }
  return mentioned;
}

/** The sum of the strongest share in each group of mentions, by id of the definition. */
function bonusById(anchors: readonly Anchor[]): ReadonlyMap<number, number> {
  const groups = new Map<string, Map<number, number>>();
  for (const { kind, section, codeLike, symbols, value } of anchors) {
    const weight = weightOf(kind, section);
    if (weight === 0) continue;
    const strongest = groups.getOrInsertComputed(kind === "definition" ? section : kind, () => new Map());
    const strength = kind === "trace" ? value : kind === "definition" && !codeLike ? WORD_SHARE : 1;
    const share = (weight * strength) / symbols.length;
    for (const id of symbols) strongest.set(id, Math.max(strongest.get(id) ?? 0, share));
  }
  const bonuses = new Map<number, number>();
  // Most definitions are in one group. The sum of several must not depend on the order of the groups.
  const several = new Map<number, number[]>();
  for (const strongest of groups.values())
    for (const [id, share] of strongest) {
      const before = bonuses.get(id);
      if (before === undefined) bonuses.set(id, share);
      else several.getOrInsertComputed(id, () => [before]).push(share);
    }
  for (const [id, shares] of several)
    bonuses.set(
      id,
      shares.sort((a, b) => a - b).reduce((sum, share) => sum + share, 0),
    );
  return bonuses;
}

function weightOf(kind: Anchor["kind"], section: Anchor["section"]): number {
  if (kind === "hint") return HINT;
  if (kind === "trace") return TRACE;
  if (kind === "qualified") return QUALIFIED;
  return kind === "definition" ? (NAMED_IN[section] ?? 0) : 0;
}
