/** The review screen: the ranked list with marks, the preview, the reasons, and the budget. */

import { keysOf } from "../keys/bindings.ts";
import { insideOf, isNarrow, reviewLayout, windowTop } from "../state/layout.ts";
import { shownMark } from "../state/marks.ts";
import { previewOf } from "../state/preview.ts";
import { hasNothingToRefine } from "../state/refinement-request.ts";
import { currentFile, isFirstAnswer, type PreviewLine, type ReviewState, type Round } from "../state/review-state.ts";
import type { State } from "../state/state.ts";
import { counted, gauge, grouped, percent, progressText } from "../styling/numbers.ts";
import { cutPath, justified, type Line, line, lineColumns, span } from "../styling/styled-text.ts";
import { type Signs, signsFor } from "../styling/theme.ts";
import { fileRow } from "./file-row.ts";
import { beside, type PaneLook, pane, scrollThumb } from "./pane.ts";
import { previewLines } from "./preview-view.ts";
import { reasonLines } from "./reason-view.ts";
import { symbolsPane } from "./symbols-view.ts";
import { typedLine } from "./typed-text.ts";

/** The rows between the header and the status line. */
export function reviewBody(state: State, review: ReviewState): readonly Line[] {
  const signs = signsFor(state.look.ascii);
  const layout = reviewLayout(state.size, review);
  const listActive = review.pane === "list" || review.symbols !== null;
  const list =
    layout.list.rows === 0
      ? []
      : review.symbols === null
        ? listPane(state, review, { ...layout.list, active: listActive, signs })
        : symbolsPane(review, review.symbols, { ...layout.list, active: listActive, signs });
  const preview =
    layout.preview.rows === 0 ? [] : previewPane(state, review, { ...layout.preview, active: !listActive, signs });
  const reason = layout.reason.rows === 0 ? [] : reasonPane(review, { ...layout.reason, active: false, signs });
  return isNarrow(state.size) ? [...list, ...preview, ...reason] : beside(list, [...preview, ...reason]);
}

function listPane(state: State, review: ReviewState, box: PaneLook): readonly Line[] {
  const inside = insideOf(box);
  const filtering = state.overlay?.is === "filter";
  const filter: readonly Line[] = filtering
    ? [[span("key", "/ "), ...typedLine(review.filter, inside.columns - 2, state.look)]]
    : [];
  const rows = inside.rows - filter.length;
  const { files, visible, cursor, rangeFrom } = review;
  const top = windowTop(cursor, visible.length, rows);
  const best = Math.max(0, files[0]?.score ?? 0);
  const [from, to] = rangeFrom === null ? [-1, -1] : [Math.min(rangeFrom, cursor), Math.max(rangeFrom, cursor)];
  const shown = visible.slice(top, top + rows).flatMap((at, row) => {
    const file = files[at];
    const place = top + row;
    const under =
      place === cursor ? (box.active ? "cursor" : "resting") : place >= from && place <= to ? "range" : null;
    return file === undefined
      ? []
      : [fileRow({ file, mark: shownMark(review, file.path), under, best }, inside.columns, box.signs)];
  });
  const query = review.filter.text;
  const narrow = isNarrow(state.size);
  return pane(
    box,
    {
      title: `${narrow ? "[Files] Preview" : "Files"}${review.round === null ? " (cancelled: partial)" : ""}`,
      right: `${query === "" || filtering ? "" : `/${query} `}${query === "" ? "" : `${grouped(visible.length)}/`}${grouped(files.length)}`,
      bottom: rangeFrom === null ? "" : `range of ${to - from + 1}`,
      thumb: scrollThumb(top, visible.length, rows),
    },
    [...filter, ...(shown.length > 0 ? shown : [line("dim", files.length === 0 ? "no files" : "no matches")])],
  );
}

function previewPane(state: State, review: ReviewState, box: PaneLook): readonly Line[] {
  const inside = insideOf(box);
  const narrow = isNarrow(state.size) ? "Files [Preview]  " : "";
  const file = currentFile(review);
  if (file === null) return pane(box, { title: `${narrow}Preview` }, []);
  const title = `${narrow}${cutPath(file.path, Math.max(8, inside.columns - narrow.length - 14), box.signs.ellipsis)}`;
  const preview = previewOf(review);
  if (preview === null) {
    const unreadable = review.preview.loaded?.path === file.path && review.preview.loaded.lines === null;
    return pane(box, { title }, [line("dim", unreadable ? "no preview available" : "loading")]);
  }
  const { lines, language, ships } = preview;
  const wanted = symbolTop(review, lines) ?? review.preview.top;
  const top = Math.max(0, Math.min(wanted, lines.length - inside.rows));
  return pane(
    box,
    {
      title,
      bottom: ships || review.round === null ? "" : "not in the package",
      right:
        lines.length <= inside.rows ? "" : `${grouped(top + 1)}-${grouped(top + inside.rows)}/${grouped(lines.length)}`,
      thumb: scrollThumb(top, lines.length, inside.rows),
    },
    previewLines(lines, language, top, inside, box.signs),
  );
}

/** In the symbols pane, the preview follows the cursor. */
function symbolTop({ symbols }: ReviewState, lines: readonly PreviewLine[]): number | null {
  const start = symbols?.rows?.[symbols.cursor]?.startLine ?? null;
  if (start === null) return null;
  const at = lines.findIndex(({ number }) => number !== null && number >= start);
  return at < 0 ? null : at;
}

function reasonPane(review: ReviewState, box: PaneLook): readonly Line[] {
  const file = currentFile(review);
  return pane(box, { title: "Why" }, file === null ? [] : reasonLines(review, file, insideOf(box), box.signs));
}

/** The budget, where packing stopped and why, and the effect of the decisions on it. */
export function reviewStatus(state: State, review: ReviewState): Line {
  const { look, size } = state;
  const signs = signsFor(look.ascii);
  const { round } = review;
  if (round === null)
    return [
      span("warn", ` ${signs.failed} cancelled: partial`),
      span("dim", `${signs.dot}nothing was packed; ${keysOf("package.refine", "review")[0] ?? ""} runs it again`),
    ];
  const { token_count: tokens, budget } = round.package;
  const wide = size.columns >= 100;
  const amount = `${grouped(tokens)}/${grouped(budget)}`;
  const marks = [...marksText(review, wide), span("plain", " ")];
  const title = span("plain", " Budget ");
  const share = span("plain", ` (${percent(tokens, budget)})`);
  // A blank follows the bar, and one the words.
  const roomFor = (words: Line): number =>
    size.columns - lineColumns([title, span("strong", amount), share, ...words, ...marks]) - 2;
  const words = !hasNothingToRefine(review)
    ? [nextRound(review, wide, signs)]
    : isFirstAnswer(round)
      ? firstAnswerWords(state, signs)
      : stopWords(round, signs);
  // What comes next takes precedence over the bar, the rest of the words does not.
  const withBar = words.slice(0, 2).find((one) => roomFor(one) >= BAR_COLUMNS_MIN);
  const rest = [share, ...(withBar ?? words.find((one) => roomFor(one) >= 0) ?? words.at(-1) ?? [])];
  const room = roomFor(rest.slice(1));
  const columns =
    [wide ? 24 : BAR_COLUMNS_MIN, BAR_COLUMNS_MIN].find((wanted) => wanted <= room && size.columns >= 70) ?? 0;
  const bar = span(tokens > budget ? "bad" : "accent", gauge(budget <= 0 ? 0 : tokens / budget, columns, signs));
  const facts = [title, bar, span("strong", columns === 0 ? amount : ` ${amount}`), ...rest];
  return justified(facts, marks, size.columns, signs.ellipsis);
}

const BAR_COLUMNS_MIN = 12;

/** What becomes of a first answer: the longest form first. */
function firstAnswerWords({ index, now }: State, { dot }: Signs): readonly Line[] {
  const short = span("dim", `${dot}first answer`);
  if (index.status === "ready") {
    const key = span("key", keysOf("package.refine", "review")[0] ?? "");
    const final = [span("dim", ": "), key, span("dim", " for the final one")];
    return [[short, span("dim", ", the index is ready"), ...final], [short, ...final], [short]];
  }
  if (index.status !== "indexing") return [[short, span("dim", `, ${index.headline || "no index"}`)], [short], []];
  const step = index.step === null ? "" : `${dot}${index.step.phase} ${progressText(index.step, now, dot)}`;
  return [[short, span("dim", `${dot}indexing${step}`)], [short, span("dim", `${dot}indexing`)], [short], []];
}

const STOPPED = { enough: "enough", budget: "budget full", everything: "everything relevant" } as const;

/** The coverage, why packing stopped, and the first piece that would come next: the longest form first. */
function stopWords({ package: { provenance } }: Round, signs: Signs): readonly Line[] {
  const { stop } = provenance.budget;
  if (stop === undefined) return [[]];
  const why = span("dim", `${signs.dot}coverage ${stop.coverage}: ${STOPPED[stop.reason]}`);
  const short = span("dim", `${signs.dot}${STOPPED[stop.reason]}`);
  const next = stop.next[0];
  const piece = next === undefined ? [] : [span("dim", `${signs.dot}next `), span("plain", next.item)];
  const cost = next === undefined ? [] : [span("dim", `, ${counted(next.tokens, "token")}`)];
  return [[why, ...piece, ...cost], [short, ...piece, ...cost], [short], []];
}

/** The tokens of the next round, its coverage, and the number of items that it would add and drop. */
function nextRound(review: ReviewState, wide: boolean, signs: Signs): Line {
  const { decisions, budget, round } = review;
  const { result, requested, answered } = review.dryRun;
  const asked = `${grouped(budget ?? round?.package.budget ?? 0)}`;
  const coverage = decisions.coverage === null ? "" : `${signs.dot}coverage ${decisions.coverage}`;
  if (result === null || answered !== requested)
    return [span("dim", `${signs.dot}next ${signs.ellipsis}/${asked}${coverage}`)];
  return [
    span("dim", `${signs.dot}next `),
    span("plain", `${result.exact ? "" : "~"}${grouped(result.tokens)}/${grouped(result.budget)}`),
    span("plain", coverage),
    span("dim", wide ? `${signs.dot}${grouped(result.enters.length)} in, ${grouped(result.leaves.length)} out` : ""),
  ];
}

function marksText({ decisions, notes }: ReviewState, wide: boolean): Line {
  const marks = [...decisions.files.values()];
  const accepted = marks.filter((mark) => mark === "accepted").length;
  const rejected = marks.length - accepted;
  const parts = [
    ...(accepted === 0 ? [] : [span("good", wide ? `${accepted} accepted` : `+${accepted}`)]),
    ...(rejected === 0 ? [] : [span("bad", wide ? `${rejected} rejected` : `-${rejected}`)]),
    ...(decisions.symbols.size === 0
      ? []
      : [span("plain", wide ? counted(decisions.symbols.size, "symbol") : `${decisions.symbols.size}s`)]),
    ...(notes === "" ? [] : [span("plain", "note")]),
  ];
  return parts.flatMap((part, at) => (at === 0 ? [part] : [span("plain", wide ? ", " : " "), part]));
}

/** Facts of a round for the header. */
export function roundFacts({ round }: ReviewState): readonly string[] {
  if (round === null) return ["partial"];
  return [round.package.task_query.task_type.replaceAll("_", " "), `round ${round.number}`];
}
