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

/** The colours of a terminal: its background, its text, and the sixteen, dark ones first. */
export type Palette = { readonly background: string; readonly foreground: string; readonly colours: readonly string[] };

export const DARK: Palette = {
  background: "#1e1e2e",
  foreground: "#cdd6f4",
  colours: [
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
  ],
};

export const LIGHT: Palette = {
  background: "#eff1f5",
  foreground: "#4c4f69",
  colours: [
    "#5c5f77",
    "#d20f39",
    "#40a02b",
    "#a86f00",
    "#1e66f5",
    "#8839ef",
    "#0f7b83",
    "#8c8fa1",
    "#6c6f85",
    "#d20f39",
    "#40a02b",
    "#a86f00",
    "#1e66f5",
    "#8839ef",
    "#0f7b83",
    "#4c4f69",
  ],
};

type Style = Omit<Cell, "text" | "width">;
type Run = { readonly column: number; readonly columns: number; readonly text: string; readonly style: Style };

/** Renders the picture. Screen readers read `title`. */
export function pictureOf(cells: readonly (readonly Cell[])[], title: string, palette: Palette = DARK): string {
  const columns = Math.max(...cells.map((row) => row.length));
  const [width, height] = [columns * WIDTH + 2 * MARGIN, cells.length * HEIGHT + 2 * MARGIN];
  const rows = cells.map((row, at) => runsOf(row).map((run) => drawn(run, at, palette)));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${pixels(width)} ${pixels(height)}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}</style>`,
    `<rect width="100%" height="100%" rx="8" fill="${palette.background}"/>`,
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

function drawn(
  { column, columns, text, style }: Run,
  row: number,
  { background, foreground, colours }: Palette,
): string {
  const { isInverse, isBold, isDim, isUnderlined } = style;
  const front = colours[style.foreground] ?? foreground;
  const back = colours[style.background] ?? background;
  const [ink, paper] = isInverse ? [back, front] : [front, back];
  const [x, y] = [MARGIN + column * WIDTH, MARGIN + row * HEIGHT];
  const box = `x="${pixels(x)}" y="${pixels(y)}" width="${pixels(columns * WIDTH)}" height="${HEIGHT}"`;
  const sheet = paper === background ? "" : `<rect ${box} fill="${paper}"/>`;
  if (text.trim() === "") return sheet;
  // Colours beyond the sixteen are drawn in the default colour.
  const looks = [
    isBold ? ' font-weight="bold"' : "",
    isDim ? ' opacity=".6"' : "",
    isUnderlined ? ' text-decoration="underline"' : "",
  ].join("");
  const place = `x="${pixels(x)}" y="${pixels(y + HEIGHT - 5)}" textLength="${pixels(columns * WIDTH)}" fill="${ink}"`;
  return `${sheet}<text ${place}${looks}>${escaped(text.replaceAll(" ", NO_BREAK))}</text>`;
}

/** A blank that every viewer keeps: some join plain ones, whatever the style says. */
const NO_BREAK = "\u00a0";

const pixels = (length: number): string => String(Math.round(length * 10) / 10);

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
