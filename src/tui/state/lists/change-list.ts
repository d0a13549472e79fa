/** What the newest round changed, and what the next one would: by file, with totals. */
import type { PackageMove } from "../../../retrieval/dry-run.ts";
import { CHANGE_KINDS, type ChangeKind } from "../../../retrieval/model/changes.ts";
import { counted, grouped } from "../../styling/numbers.ts";
import { hasNothingToRefine } from "../refinement-request.ts";
import { moveName, type ReviewState } from "../review-state.ts";
import type { State } from "../state.ts";
import { type Matched, matchingRows } from "./filtered-lists.ts";

/**
 * One change; `item` is null for the file as a whole. `detail` says how much is shown, or the tokens. `isAlone`: no row above
 * names its file.
 */
type ItemRow = {
  readonly is: "item";
  readonly isAlone: boolean;
  readonly kind: ChangeKind;
  readonly path: string;
  readonly item: string | null;
  readonly detail: string;
};

/** A file with a summary of its changes. A file with a single change is an item alone. */
type FileRow = { readonly is: "file"; readonly path: string; readonly summary: string };
export type ChangeRow = ItemRow | FileRow;

/** Changes of one origin under a heading. `isComing`: they are still being worked out. */
type ChangeSection = {
  readonly heading: string;
  readonly rows: readonly ChangeRow[];
  readonly isComing?: boolean;
};

/** Null when there is nothing to compare: in the first round of a task, without decisions. */
export function changeSections({ review }: Pick<State, "review">): readonly ChangeSection[] | null {
  if (review === null) return null;
  const sections = [...comingSection(review), ...madeSection(review)];
  return sections.length === 0 ? null : sections;
}

const KIND_WORDS: Readonly<Record<ChangeKind, string>> = {
  added: "added",
  dropped: "dropped",
  promoted: "shown in more detail",
  demoted: "shown in less detail",
  edited: "edited",
};

/** `2 added, 1 dropped`. */
const kindsText = (kinds: readonly ChangeKind[]): string =>
  CHANGE_KINDS.map((kind) => [kinds.filter((one) => one === kind).length, kind] as const)
    .filter(([count]) => count > 0)
    .map(([count, kind]) => `${grouped(count)} ${KIND_WORDS[kind]}`)
    .join(", ");

function madeSection({ round }: ReviewState): readonly ChangeSection[] {
  const changes = round?.package.provenance.changes ?? null;
  if (round === null || changes === null) return [];
  const items = CHANGE_KINDS.flatMap((kind) =>
    (changes[kind] ?? []).map(({ path, item, detail, before }): ItemRow => {
      const becomes =
        kind === "added" || before === detail ? detail : kind === "dropped" ? before : `${before} to ${detail}`;
      return { is: "item", isAlone: true, kind, path, item, detail: becomes };
    }),
  );
  const same = changes.edited === undefined ? "the same parts" : "nothing changed";
  const total = items.length === 0 ? same : totalText(items);
  const rest = changes.left_out === 0 ? "" : `, and ${counted(changes.left_out, "more change")}`;
  return [
    { heading: `Round ${round.number}, since round ${changes.since_round}: ${total}${rest}`, rows: byFile(items) },
  ];
}

/** What applying the decisions would change; nothing when nothing is to be applied. */
function comingSection(review: ReviewState): readonly ChangeSection[] {
  const { result, requested, answered } = review.dryRun;
  if (review.round === null || hasNothingToRefine(review)) return [];
  if (result === null || requested !== answered) {
    return [{ heading: "The next round: being worked out", rows: [], isComing: true }];
  }
  const rows = (kind: "added" | "dropped", moves: readonly PackageMove[]): readonly ItemRow[] =>
    moves.map((move) => ({
      is: "item",
      isAlone: true,
      kind,
      path: move.path,
      item: move.item,
      detail: counted(move.tokens, "token"),
    }));
  const items = [...rows("added", result.enters), ...rows("dropped", result.leaves)];
  const sum = (moves: readonly PackageMove[]): string =>
    grouped(moves.reduce((total, { tokens }) => total + tokens, 0));
  const total =
    items.length === 0
      ? "nothing would change"
      : `${totalText(items)}: ${sum(result.enters)} tokens in, ${sum(result.leaves)} out`;
  return [{ heading: `The next round, not applied yet: ${total}`, rows: byFile(items) }];
}

/** A file counts by its parts, unless it changed as a whole only. */
function totalText(items: readonly ItemRow[]): string {
  const files = Map.groupBy(items, ({ path }) => path);
  const counts = [...files.values()].flatMap((own) => {
    const parts = own.filter(({ item }) => item !== null);
    return parts.length === 0 ? own : parts;
  });
  return `${counted(files.size, "file")}, ${kindsText(counts.map(({ kind }) => kind))}`;
}

/** The items in groups, in the order in which their files first occur. */
const byFile = (items: readonly ItemRow[]): readonly ChangeRow[] =>
  [...Map.groupBy(items, ({ path }) => path)].flatMap(([path, own]): readonly ChangeRow[] => {
    const parts = own.filter(({ item }) => item !== null);
    const whole = own.find(({ item }) => item === null);
    if (own.length === 1 || (whole !== undefined && parts.length === 0)) return own.slice(0, 1);
    const inside = kindsText(parts.map(({ kind }) => kind));
    const summary = whole === undefined ? inside : `${KIND_WORDS[whole.kind]}, ${counted(parts.length, "part")}`;
    return [{ is: "file", path, summary }, ...parts.map((part) => ({ ...part, isAlone: false }))];
  });

const listed = new WeakMap<readonly ChangeSection[], readonly ChangeRow[]>();

/** The rows that match the query, the best first; without one, all in their order. */
export function changeRows(sections: readonly ChangeSection[], query: string): readonly Matched<ChangeRow>[] {
  const all = listed.get(sections) ?? sections.flatMap(({ rows }) => rows);
  listed.set(sections, all);
  return query === ""
    ? all.map((row) => ({ row, matched: [] }))
    : matchingRows(
        all.filter(({ is }) => is === "item"),
        query,
        changeName,
      );
}

/** A line of the list: the heading of a section, or a row with its index. */
type ChangeLine =
  | { readonly is: "heading"; readonly heading: string }
  | { readonly is: "row"; readonly at: number; readonly found: Matched<ChangeRow> };

/** The lines of the list: rows that match the query, under their headings when there is none. */
export function changeLines(sections: readonly ChangeSection[], query: string): readonly ChangeLine[] {
  const rows = changeRows(sections, query).map((found, at) => ({ is: "row", at, found }) as const);
  if (query !== "") return rows;
  let from = 0;
  return sections.flatMap((section): readonly ChangeLine[] => {
    const own = rows.slice(from, from + section.rows.length);
    from += section.rows.length;
    return [{ is: "heading", heading: section.heading }, ...own];
  });
}

/** What a list calls a change. */
export const changeName = (row: ChangeRow): string =>
  row.is === "file" || row.item === null ? row.path : moveName({ path: row.path, item: row.item });
