/** The list of the review: the package in its order, where packing stopped, and what was left out. */
import { firstKey } from "../keys/bindings.ts";
import { shownKey } from "../keys/key-names.ts";
import { insideOf, isNarrow, rowsAbove, windowTop } from "../state/layout/layout.ts";
import { matchedLetters } from "../state/lists/file-list.ts";
import { listedAt, listRows, rowOf } from "../state/lists/list-rows.ts";
import { tellingFolders } from "../state/lists/same-names.ts";
import { shownMark } from "../state/marks.ts";
import { isShipped, type ReviewState, type Round } from "../state/review-state.ts";
import type { State } from "../state/state.ts";
import { counted, grouped } from "../styling/numbers.ts";
import { columnsOf, cut, type Line, line, span } from "../styling/styled-text.ts";
import type { Signs } from "../styling/theme.ts";
import { fileHeadings, fileRow, marksLegend } from "./file-row.ts";
import { type PaneLook, pane, scrollThumb } from "./pane.ts";
import { typedLine } from "./typed-text.ts";

export function fileListPane(state: State, review: ReviewState, box: PaneLook): readonly Line[] {
  const inside = insideOf(box);
  const isFiltering = state.overlay?.is === "filter" && state.overlay.of === "files";
  const above = rowsAbove(inside.rows, isFiltering);
  const rows = Math.max(0, inside.rows - above);
  const { files, visible, cursor, rangeFrom } = review;
  const list = listRows(review);
  const top = windowTop(rowOf(list, cursor), list.count, rows);
  const matched = matchedLetters(review);
  const telling = tellingFolders(files);
  // Of a stopped run nothing ships, and its files show how well they match.
  const best = review.round === null ? (files[0]?.score ?? 0) : undefined;
  const [from, to] = rangeFrom === null ? [-1, -1] : [Math.min(rangeFrom, cursor), Math.max(rangeFrom, cursor)];
  const marks = new Set<ReturnType<typeof shownMark>>();
  const shown = Array.from({ length: Math.max(0, Math.min(rows, list.count - top)) }, (_, at): Line => {
    const row = top + at;
    if (row === list.stopAt) return stopLine(review, list.shipped, inside.columns, box.signs);
    if (row === list.foldedAt) return foldedLine(list.folded, inside.columns, state, box.signs);
    const place = listedAt(list, row);
    const index = place === null ? -1 : (visible[place] ?? -1);
    const file = files[index];
    if (file === undefined) return [];
    const under =
      place === cursor
        ? box.active
          ? "cursor"
          : "resting"
        : place !== null && place >= from && place <= to
          ? "range"
          : null;
    const mark = shownMark(review, file.path);
    marks.add(mark);
    const found = { matched: matched.get(index) ?? [], telling: telling.get(file.path) };
    return fileRow({ file, mark, under, ...found }, inside.columns, box.signs, best);
  });
  const headings =
    above - (isFiltering ? 1 : 0) > 0 ? [fileHeadings(inside.columns, true, best !== undefined, box.signs)] : [];
  return pane(
    box,
    {
      title: `${isNarrow(state.size) ? "[List] Preview  " : ""}${titleOf(review)}`,
      right: countOf(review, isFiltering),
      bottom: rangeFrom === null ? marksLegend(marks) : `range of ${to - from + 1}: mark it, or esc`,
      thumb: scrollThumb(top, list.count, rows, above),
    },
    [
      ...(isFiltering
        ? [[span("key", "/ "), ...typedLine(review.filter, inside.columns - 2, state.look)] satisfies Line]
        : []),
      ...headings,
      ...(shown.length > 0 ? shown : [line("dim", emptyText(review))]),
    ],
  );
}

function titleOf({ round, shows }: ReviewState): string {
  if (round === null) return "Files found (stopped: not a package)";
  return shows.leftOut ? "Package and what was left out" : "Package";
}

function countOf({ filter, files, visible, round, shows }: ReviewState, isFiltering: boolean): string {
  const query = filter.text;
  const shipped = round?.package.files.length ?? files.length;
  if (query === "" && shows.leftOut && round !== null) {
    const leftOut = files.filter((file) => file.kind === "file" && !isShipped(file)).length;
    return `${grouped(shipped)} and ${counted(leftOut, "file")}`;
  }
  if (query === "") return counted(shipped, "file");
  return `${isFiltering ? "" : `/${query}  `}${grouped(visible.length)} of ${grouped(files.length)}`;
}

const emptyText = ({ files, filter }: ReviewState): string =>
  files.length === 0
    ? `No files: nothing matches the task. Press ${firstKey("task.new", "review")} to word it otherwise.`
    : `No file matches "${filter.text}". Esc clears the filter.`;

export const STOPPED = { enough: "enough", budget: "budget full", everything: "everything relevant" } as const;

/** Fewer columns say nothing about what comes next. */
const PIECE_COLUMNS_MIN = 16;

/** `── enough at 6,120 of 32,768 tokens · next: Flask.run, 57 tokens ──`, as much of it as fits. */
function stopLine({ round }: ReviewState, shipped: number, columns: number, signs: Signs): Line {
  const room = columns - 6;
  const words = round === null ? [""] : stopForms(round, room, signs);
  const text = words.find((form) => columnsOf(form) <= room) ?? cut(words.at(-1) ?? "", room, signs.ellipsis);
  const rest = Math.max(0, columns - columnsOf(text) - 5);
  const arrow = shipped === 0 ? signs.horizontal : signs.up;
  return [
    span("border", `${signs.horizontal}${arrow}${signs.horizontal} `),
    span("stop", text),
    span("border", ` ${signs.horizontal.repeat(rest)}`),
  ];
}

function stopForms(
  { package: { token_count, budget, provenance } }: Round,
  room: number,
  signs: Signs,
): readonly string[] {
  const { stop } = provenance.budget;
  const why = stop === undefined ? "the package" : STOPPED[stop.reason];
  const amount = `${grouped(token_count)} of ${grouped(budget)}`;
  const next = stop?.next[0];
  const piece = next === undefined ? "" : `${signs.dot}next: ${next.item}`;
  const cost = next === undefined ? "" : `, ${counted(next.tokens, "token")}`;
  const short = `${why} at ${amount}`;
  const left = room - columnsOf(short);
  return [
    `${short} tokens${piece}${cost}`,
    `${short}${piece}${cost}`,
    ...(piece === "" || left < PIECE_COLUMNS_MIN ? [] : [`${short}${cut(piece, left, signs.ellipsis)}`]),
    short,
    why,
  ];
}

function foldedLine(folded: number, columns: number, { look }: State, { ellipsis }: Signs): Line {
  const key = shownKey("leftout.toggle", "review", look.ascii) ?? "";
  const files = counted(folded, "more file");
  const room = columns - 4 - key.length - 8;
  const whole = `${files} ranked and left out`;
  const text = whole.length <= room ? whole : cut(`${files} left out`, room, ellipsis);
  return [span("dim", `  ${signOf(look.ascii)} ${text}  `), span("key", key), span("dim", " lists")];
}

const signOf = (ascii: boolean): string => (ascii ? "+" : "▸");
