/**
 * Draws the curve of recall against tokens as an SVG: a panel for definitions, files and tests each, with a line through the
 * fixed budgets and one through the levels of coverage. It has colours for light and dark pages, and no font of its own.
 */
import { z } from "zod";
import { CURVE_POINTS, type CurveLabel } from "../../src/evaluation/curve-points.ts";

const share = z.number().min(0).max(1).nullable();
const Row = z.object({
  label: z.enum(CURVE_POINTS.map(({ label }) => label)),
  tokens: z.number().nonnegative(),
  symbol_recall: share,
  file_recall: share,
  test_recall: share,
  token_efficiency: share,
  over_fixed: z.number().nullable(),
});
export type PlottedRow = z.output<typeof Row>;

/** The part of a `cra evaluate --json` report that is drawn. */
export const CurveReport = z.object({
  summary: z.object({ cases: z.int().positive(), curve: z.array(Row).min(1) }),
});

const PANELS = [
  { title: "changed definitions, shown whole", of: "symbol_recall" },
  { title: "changed files, shown in part", of: "file_recall" },
  { title: "changed tests, shown in part", of: "test_recall" },
] as const;
type PlottedShare = (typeof PANELS)[number]["of"];

const KINDS = [
  { kind: "fixed", words: "fixed budgets, filled" },
  { kind: "coverage", words: "levels of coverage" },
] as const;
type Kind = (typeof KINDS)[number]["kind"];

/** The level that is drawn as a larger point. */
const DEFAULT_LABEL: CurveLabel = "coverage-auto";

const PANEL = { width: 300, height: 240, left: 46, top: 56, gap: 24 };
const PLOT = { width: 244, height: 180 };
const SIZE = { width: PANELS.length * (PANEL.width + PANEL.gap), height: 268 };
const TOKENS_TICK = 8_000;
const SHARE_TICK = 0.1;
const RADIUS = { level: 3, default: 5 };

const STYLE = `
    :root { --page: #ffffff; --ink: #1f2328; --faint: #d0d7de; --fixed: #57606a; --coverage: #0969da; }
    @media (prefers-color-scheme: dark) {
      :root { --page: #0d1117; --ink: #e6edf3; --faint: #30363d; --fixed: #9198a1; --coverage: #58a6ff; }
    }
    text { font: 11px system-ui, sans-serif; fill: var(--ink); }
    .title { font-weight: 600; }
    .page { fill: var(--page); }
    .grid { stroke: var(--faint); }
    polyline { fill: none; stroke-width: 1.5; }
    polyline.fixed { stroke: var(--fixed); stroke-dasharray: 4 3; }
    polyline.coverage { stroke: var(--coverage); }
    circle.fixed { fill: var(--fixed); }
    circle.coverage { fill: var(--coverage); }`;

/** The whole picture, the same for the same rows. */
export function curvePlot(rows: readonly PlottedRow[]): string {
  const tokensMax = Math.ceil(Math.max(1, ...rows.map(({ tokens }) => tokens)) / TOKENS_TICK) * TOKENS_TICK;
  const panels = PANELS.map((panel, at) => panelOf(rows, panel, { at, tokensMax }));
  const { width, height } = SIZE;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Recall against mean tokens">
  <style>${STYLE}
  </style>
  <rect class="page" width="${width}" height="${height}"/>
${legend()}
${panels.join("\n")}
</svg>
`;
}

function legend(): string {
  const [y, step] = [18, 170];
  const text = (x: number, words: string): string => `<text x="${x + 34}" y="${y + 4}">${words}</text>`;
  const lines = KINDS.map(({ kind, words }, at) => {
    const x = PANEL.left + at * step;
    return `  <polyline class="${kind}" points="${x},${y} ${x + 26},${y}"/><circle class="${kind}" cx="${x + 13}" cy="${y}" r="${RADIUS.level}"/>${text(x, words)}`;
  });
  const x = PANEL.left + KINDS.length * step;
  const point = `  <circle class="coverage" cx="${x + 20}" cy="${y}" r="${RADIUS.default}"/>${text(x, "the default")}`;
  return [
    ...lines,
    point,
    `  <text x="${SIZE.width - PANEL.gap}" y="${y + 4}" text-anchor="end">recall against mean tokens</text>`,
  ].join("\n");
}

type Scale = { readonly x: (tokens: number) => number; readonly y: (share: number) => number };

function panelOf(
  rows: readonly PlottedRow[],
  { title, of }: { readonly title: string; readonly of: PlottedShare },
  { at, tokensMax }: { readonly at: number; readonly tokensMax: number },
): string {
  const shares = rows.flatMap((row) => row[of] ?? []);
  const least = Math.floor(Math.min(1 - SHARE_TICK, ...shares) / SHARE_TICK) * SHARE_TICK;
  const most = Math.min(1, Math.ceil(Math.max(least + SHARE_TICK, ...shares) / SHARE_TICK) * SHARE_TICK);
  const left = PANEL.left + at * (PANEL.width + PANEL.gap);
  const scale: Scale = {
    x: (tokens) => round(left + (tokens / tokensMax) * PLOT.width),
    y: (value) => round(PANEL.top + PLOT.height * (1 - (value - least) / (most - least))),
  };
  return [
    `  <text class="title" x="${left}" y="${PANEL.top - 12}">${title}, %</text>`,
    ...shareGrid(scale, { left, least, most }),
    ...tokenGrid(scale, { tokensMax, least }),
    ...KINDS.map(({ kind }) => lineOf(rows, of, kind, scale)),
  ].join("\n");
}

function shareGrid(
  { y }: Scale,
  { left, least, most }: { readonly left: number; readonly least: number; readonly most: number },
): readonly string[] {
  const ticks = Math.round((most - least) / SHARE_TICK);
  return Array.from({ length: ticks + 1 }, (_, tick) => {
    const value = least + tick * SHARE_TICK;
    const at = y(value);
    return `  <line class="grid" x1="${left}" x2="${left + PLOT.width}" y1="${at}" y2="${at}"/><text x="${left - 6}" y="${at + 4}" text-anchor="end">${Math.round(100 * value)}</text>`;
  });
}

function tokenGrid(
  { x, y }: Scale,
  { tokensMax, least }: { readonly tokensMax: number; readonly least: number },
): readonly string[] {
  const ticks = Math.floor(tokensMax / TOKENS_TICK);
  const below = y(least) + 16;
  return Array.from({ length: ticks + 1 }, (_, tick) => {
    const words = tick === 0 ? "0" : `${(tick * TOKENS_TICK) / 1_000}k`;
    return `  <text x="${x(tick * TOKENS_TICK)}" y="${below}" text-anchor="middle">${words}</text>`;
  });
}

function lineOf(rows: readonly PlottedRow[], of: PlottedShare, kind: Kind, { x, y }: Scale): string {
  const points = rows
    .filter(({ label }) => label.startsWith(`${kind}-`))
    .flatMap(({ label, tokens, [of]: value }) =>
      value === null ? [] : [{ label, at: [x(tokens), y(value)] as const, tokens }],
    )
    .toSorted((a, b) => a.tokens - b.tokens);
  // The default is no level of the line: it takes another share of each task.
  const line = points.filter(({ label }) => label !== DEFAULT_LABEL).map(({ at }) => at.join(","));
  const circles = points.map(({ label, at: [cx, cy] }) => {
    const radius = label === DEFAULT_LABEL ? RADIUS.default : RADIUS.level;
    return `  <circle class="${kind}" cx="${cx}" cy="${cy}" r="${radius}"/>`;
  });
  return [`  <polyline class="${kind}" points="${line.join(" ")}"/>`, ...circles].join("\n");
}

const round = (value: number): number => Math.round(value * 10) / 10;
