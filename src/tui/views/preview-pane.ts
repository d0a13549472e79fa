/** The preview of the file under the cursor: what ships of it or the whole file, with the search. */

import { insideOf, isNarrow } from "../state/layout/layout.ts";
import { symbolsListed } from "../state/lists/filtered-lists.ts";
import { previewOf, shippedPreview } from "../state/preview/preview.ts";
import { matcherOf, previewTop } from "../state/preview/preview-search.ts";
import { currentFile, DIFF_LABEL, type PreviewLine, type ReviewState } from "../state/review-state.ts";
import type { State } from "../state/state.ts";
import { grouped } from "../styling/numbers.ts";
import { cutPath, type Line, line, span, wrapped } from "../styling/styled-text.ts";
import { type PaneLook, pane, scrollThumb } from "./pane.ts";
import { previewLines } from "./preview-view.ts";
import { typedLine } from "./typed-text.ts";

export function previewPane(state: State, review: ReviewState, box: PaneLook): readonly Line[] {
  const inside = insideOf(box);
  const narrow = isNarrow(state.size) ? "List [Preview]  " : "";
  const file = currentFile(review);
  if (file === null) return pane(box, { title: `${narrow}Preview` }, [line("dim", "No file is selected.")]);
  const room = Math.max(8, inside.columns - narrow.length - 20);
  const title = `${narrow}${file.kind === "diff" ? DIFF_LABEL : cutPath(file.path, room, box.signs.ellipsis)}`;
  const preview = previewOf(review);
  if (preview === null) {
    const isUnreadable = review.preview.loaded?.path === file.path && review.preview.loaded.lines === null;
    const told = isUnreadable
      ? "The index does not have this file: update it with ctrl+x on the first screen."
      : "loading";
    const rows = wrapped(told, inside.columns, inside.rows, box.signs.ellipsis);
    return pane(
      box,
      { title },
      rows.map((text) => line("dim", text)),
    );
  }
  const isTyping = state.overlay?.is === "filter" && state.overlay.of === "preview";
  const typing: readonly Line[] = isTyping
    ? [[span("key", "/ "), ...typedLine(review.preview.query, inside.columns - 2, state.look)]]
    : [];
  const rows = inside.rows - typing.length;
  const { lines, language } = preview;
  const { wrap, left, hit } = review.preview;
  const wanted = symbolTop(review, lines) ?? previewTop(review, rows);
  const top = Math.max(0, Math.min(wanted, wrap ? lines.length - 1 : lines.length - rows));
  const look = {
    columns: inside.columns,
    rows,
    signs: box.signs,
    language,
    top,
    left,
    wrap,
    matcher: matcherOf(review),
    hit,
  };
  const last = Math.min(lines.length, top + rows);
  return pane(
    box,
    {
      title,
      bottom: stateText(review),
      right: lines.length <= rows ? "" : `${grouped(top + 1)}-${grouped(last)} of ${grouped(lines.length)}`,
      thumb: scrollThumb(top, lines.length, rows, typing.length),
    },
    [...typing, ...previewLines(lines, look)],
  );
}

/** What is shown: `ships as shown`, `whole file`, `left out of the package`; and how. */
function stateText(review: ReviewState): string {
  const file = currentFile(review);
  const { whole, wrap, left, query } = review.preview;
  const ships = file !== null && shippedPreview(review, file) !== null;
  const what =
    review.round === null
      ? "the file"
      : !ships
        ? "left out of the package"
        : whole
          ? "the whole file"
          : "ships as shown";
  return [
    what,
    ...(query.text === "" ? [] : [`/${query.text}`]),
    ...(wrap ? ["wrapped"] : left > 0 ? [`from column ${left + 1}`] : []),
  ].join(", ");
}

/** In the symbols pane, the preview follows the cursor. */
function symbolTop({ symbols }: ReviewState, lines: readonly PreviewLine[]): number | null {
  const start = symbols === null ? null : (symbolsListed(symbols)[symbols.cursor]?.row.startLine ?? null);
  if (start === null) return null;
  const at = lines.findIndex(({ number }) => number !== null && number >= start);
  return at < 0 ? null : at;
}
