/** The review screen: the package with marks, the preview, the reasons, and the budget. */
import { firstKey } from "../keys/bindings.ts";
import { insideOf, isNarrow, reviewLayout } from "../state/layout/layout.ts";
import { hasNothingToRefine } from "../state/refinement-request.ts";
import { currentFile, isEarlier, isFirstAnswer, type ReviewState, type Round } from "../state/review-state.ts";
import type { State } from "../state/state.ts";
import { counted, gauge, grouped, percent, progressText } from "../styling/numbers.ts";
import { justified, type Line, lineColumns, span } from "../styling/styled-text.ts";
import { type Signs, signsFor } from "../styling/theme.ts";
import { fileListPane } from "./file-list-view.ts";
import { beside, type PaneLook, pane } from "./pane.ts";
import { previewPane } from "./preview-pane.ts";
import { reasonLines } from "./reason-view.ts";
import { symbolsPane } from "./symbols-view.ts";

/** The rows between the header and the status line. */
export function reviewBody(state: State, review: ReviewState): readonly Line[] {
  const signs = signsFor(state.look.ascii);
  const layout = reviewLayout(state.size, review);
  const listActive = review.pane === "list" || review.symbols !== null;
  const list =
    layout.list.rows === 0
      ? []
      : review.symbols === null
        ? fileListPane(state, review, { ...layout.list, active: listActive, signs })
        : symbolsPane(state, review, review.symbols, { ...layout.list, active: listActive, signs });
  const preview =
    layout.preview.rows === 0 ? [] : previewPane(state, review, { ...layout.preview, active: !listActive, signs });
  const reason = layout.reason.rows === 0 ? [] : reasonPane(review, { ...layout.reason, active: false, signs });
  return isNarrow(state.size) ? [...list, ...preview, ...reason] : beside(list, [...preview, ...reason]);
}

function reasonPane(review: ReviewState, box: PaneLook): readonly Line[] {
  const file = currentFile(review);
  return pane(box, { title: "Why" }, file === null ? [] : reasonLines(review, file, insideOf(box), box.signs));
}

/** The budget, and the effect of the decisions on it; where packing stopped is in the list. */
export function reviewStatus(state: State, review: ReviewState): Line {
  const { look, size } = state;
  const signs = signsFor(look.ascii);
  const { round } = review;
  if (round === null)
    return [
      span("warn", ` ${signs.failed} stopped before it finished`),
      span("dim", `${signs.dot}there is no package; `),
      span("key", firstKey("package.refine", "review")),
      span("dim", " runs it again"),
    ];
  const { token_count: tokens, budget } = round.package;
  const wide = size.columns >= 100;
  const amount = `${grouped(tokens)} of ${grouped(budget)} tokens`;
  const marks = [...marksText(review, wide), span("plain", " ")];
  const title = span("plain", " ");
  const share = span("plain", ` (${percent(tokens, budget)})`);
  // A blank follows the bar, and one the words.
  const roomFor = (words: Line): number =>
    size.columns - lineColumns([title, span("strong", amount), share, ...words, ...marks]) - 2;
  const words = isEarlier(review)
    ? earlierWords(review, signs)
    : !hasNothingToRefine(review)
      ? nextRound(review, signs)
      : isFirstAnswer(round)
        ? firstAnswerWords(state, signs)
        : round.package.provenance.map === undefined
          ? coverageWords(round, signs)
          : mapWords(signs);
  // Words take precedence over the bar.
  const rest = [share, ...(words.find((one) => roomFor(one) >= 0) ?? words.at(-1) ?? [])];
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
  const key = span("key", firstKey("package.refine", "review"));
  if (index.status === "ready") {
    const final = [span("dim", ": "), key, span("dim", " for the final one")];
    return [[short, span("dim", ", the index is ready"), ...final], [short, ...final], [short]];
  }
  if (index.status !== "indexing") {
    const again = index.status === "failed" ? [span("dim", ": "), key, span("dim", " runs again")] : [];
    return [[short, span("dim", `, ${index.headline || "no index"}`), ...again], [short, ...again], [short], []];
  }
  const step = index.step === null ? "" : `${dot}${progressText(index.step, now, dot)}`;
  return [[short, span("dim", `${dot}indexing${step}`)], [short, span("dim", `${dot}indexing`)], [short], []];
}

/** That the package is only a map, and what to do: the longest form first. */
function mapWords({ dot }: Signs): readonly Line[] {
  const short = span("warn", `${dot}a map`);
  const why = [short, span("dim", ", as the task is vague")];
  return [
    [...why, span("dim", ": "), span("key", firstKey("task.new", "review")), span("dim", " words it otherwise")],
    why,
    [short],
  ];
}

/** The coverage, and the keys that change it: the longest form first. */
function coverageWords({ package: { provenance } }: Round, { dot }: Signs): readonly Line[] {
  const { stop } = provenance.budget;
  if (stop === undefined) return [[]];
  const short = [span("dim", `${dot}coverage ${stop.coverage}`)];
  const keys = [
    span("dim", ", "),
    span("key", firstKey("coverage.widen", "review")),
    span("dim", " more "),
    span("key", firstKey("coverage.narrow", "review")),
    span("dim", " less"),
  ];
  return [[...short, ...keys], short, []];
}

function earlierWords({ round }: ReviewState, { dot }: Signs): readonly Line[] {
  const short = [span("warn", `${dot}round ${round?.number ?? 1} of ${round?.latest ?? 1}`)];
  const key = [
    span("dim", ", an earlier one: "),
    span("key", firstKey("rounds.return", "review")),
    span("dim", " goes back to it"),
  ];
  return [[...short, ...key], short];
}

/** The tokens of the next round, its coverage, and the number of items that it would add and drop: the longest form first. */
function nextRound(review: ReviewState, signs: Signs): readonly Line[] {
  const { decisions, round } = review;
  const { result, requested, answered } = review.dryRun;
  const asked = `${grouped(decisions.budget ?? round?.package.budget ?? 0)}`;
  const coverage = decisions.coverage === null ? "" : `${signs.dot}coverage ${decisions.coverage}`;
  const label = (long: boolean): string => `${signs.dot}${long ? "next round " : "next "}`;
  if (result === null || answered !== requested)
    return [true, false].map((long) => [span("dim", `${label(long)}${signs.ellipsis} of ${asked}${coverage}`)]);
  const amount = `${result.exact ? "" : "~"}${grouped(result.tokens)}`;
  const moves = `${signs.dot}${grouped(result.enters.length)} in, ${grouped(result.leaves.length)} out`;
  const key: Line = [span("dim", ": "), span("key", firstKey("package.refine", "review")), span("dim", " applies")];
  const short: Line = [span("dim", label(false)), span("plain", amount), span("plain", coverage)];
  const long: Line = [
    span("dim", label(true)),
    span("plain", `${amount} of ${grouped(result.budget)}`),
    span("plain", coverage),
    span("dim", moves),
  ];
  return [[...long, ...key], [...short, span("dim", moves)], short];
}

function marksText({ decisions, notes }: ReviewState, wide: boolean): Line {
  let accepted = 0;
  for (const mark of decisions.files.values()) if (mark === "accepted") accepted += 1;
  const rejected = decisions.files.size - accepted;
  const parts = [
    ...(accepted === 0 ? [] : [span("good", wide ? `${accepted} accepted` : `+${accepted}`)]),
    ...(rejected === 0 ? [] : [span("bad", wide ? `${rejected} rejected` : `-${rejected}`)]),
    ...(decisions.symbols.size === 0
      ? []
      : [span("plain", wide ? counted(decisions.symbols.size, "symbol") : `s${decisions.symbols.size}`)]),
    ...(notes === "" ? [] : [span("plain", "note")]),
  ];
  return parts.flatMap((part, at) => (at === 0 ? [part] : [span("plain", wide ? ", " : " "), part]));
}

const TASK_TYPES: Readonly<Record<string, string>> = {
  bug_fix: "bug fix",
  feature: "feature",
  refactor: "refactoring",
  test: "tests",
  investigation: "question",
};

/** Facts of a round for the header. */
export function roundFacts(review: ReviewState): readonly string[] {
  const { round } = review;
  if (round === null) return ["stopped"];
  const type = round.package.task_query.task_type;
  return [
    TASK_TYPES[type] ?? type,
    isEarlier(review) ? `round ${round.number} of ${round.latest}` : `round ${round.number}`,
  ];
}
