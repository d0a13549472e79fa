/**
 * Renders a terminal screen as SVG, cell by cell with colours.
 *
 * A pure function: the same screen gives the same bytes. Text is set in runs of one style, each stretched to its
 * columns, so that any fixed-width font works.
 */
import type { Cell } from "./terminal-screen.ts";

/** The size of a cell, in pixels. */
const WIDTH = 8.4;
const HEIGHT = 18;
const MARGIN = 12;

const BACKGROUND = "#1e1e2e";
const FOREGROUND = "#cdd6f4";

/** The 16 colours of a terminal, dark ones first. */
const COLOURS = [
  "#45475a",
  "#f38ba8",
  "#a6e3a1",
  "#f9e2af",
  "#89b4fa",
  "#cba6f7",
  "#94e2d5",
  "#bac2de",
  "#7f849c",
  "#f38ba8",
  "#a6e3a1",
  "#f9e2af",
  "#89b4fa",
  "#cba6f7",
  "#94e2d5",
  "#ffffff",
] as const;

type Style = Omit<Cell, "text" | "width">;
type Run = { readonly column: number; readonly columns: number; readonly text: string; readonly style: Style };

/** Renders the picture. Screen readers read `title`. */
export function pictureOf(cells: readonly (readonly Cell[])[], title: string): string {
  const columns = Math.max(...cells.map((row) => row.length));
  const [width, height] = [columns * WIDTH + 2 * MARGIN, cells.length * HEIGHT + 2 * MARGIN];
  const rows = cells.map((row, at) => runsOf(row).map((run) => drawn(run, at)));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${pixels(width)} ${pixels(height)}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre}</style>`,
    `<rect width="100%" height="100%" rx="8" fill="${BACKGROUND}"/>`,
    ...rows.flat().filter((run) => run !== ""),
    "</svg>",
    "",
  ].join("\n");
}

function runsOf(row: readonly Cell[]): readonly Run[] {
  const runs: Run[] = [];
  for (const [column, { text, width, ...style }] of row.entries()) {
    // The second half of a wide character.
    if (width === 0) continue;
    const last = runs.at(-1);
    const shown = text === "" ? " " : text;
    const sameStyle = last !== undefined && JSON.stringify(last.style) === JSON.stringify(style);
    // A wide character is a run of its own because fonts disagree on its width.
    if (sameStyle && width === 1 && last.columns === last.text.length)
      runs[runs.length - 1] = { ...last, columns: last.columns + 1, text: last.text + shown };
    else runs.push({ column, columns: width, text: shown, style });
  }
  return runs;
}

function drawn({ column, columns, text, style }: Run, row: number): string {
  const { isInverse, isBold, isDim, isUnderlined } = style;
  const front = colour(style.foreground, FOREGROUND);
  const back = colour(style.background, BACKGROUND);
  const [ink, paper] = isInverse ? [back, front] : [front, back];
  const [x, y] = [MARGIN + column * WIDTH, MARGIN + row * HEIGHT];
  const box = `x="${pixels(x)}" y="${pixels(y)}" width="${pixels(columns * WIDTH)}" height="${HEIGHT}"`;
  const sheet = paper === BACKGROUND ? "" : `<rect ${box} fill="${paper}"/>`;
  if (text.trim() === "") return sheet;
  const looks = [
    isBold ? ' font-weight="bold"' : "",
    isDim ? ' opacity=".6"' : "",
    isUnderlined ? ' text-decoration="underline"' : "",
  ].join("");
  const place = `x="${pixels(x)}" y="${pixels(y + HEIGHT - 5)}" textLength="${pixels(columns * WIDTH)}" fill="${ink}"`;
  return `${sheet}<text ${place}${looks}>${escaped(text)}</text>`;
}

const pixels = (length: number): string => String(Math.round(length * 10) / 10);

/** Colours beyond the sixteen are drawn in the default colour. */
const colour = (number: number, plain: string): string => COLOURS[number] ?? plain;

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
