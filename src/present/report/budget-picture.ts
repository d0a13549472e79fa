/** Where the tokens of a package went, as a bar and as a table. */
import type { ContextPackage, SymbolJson } from "../../retrieval/model/package-schema.ts";
import { whyStopped } from "../../retrieval/render/stop-text.ts";
import { type Html, html } from "./html.ts";

/** The parts in the order of the bar; their colours go by it. */
const PARTS = [
  ["primary", "what the task is about"],
  ["tests", "tests"],
  ["supporting", "what that uses"],
  ["type_context", "types"],
  ["text", "task, headings, reasons, lines outside of definitions"],
] as const;

/** Whether all of a symbol's text is that of a larger symbol of the file. The own lines of a class are excerpts, but count as the class. */
export const isInside = (
  { shown, start_line: start, end_line: end }: SymbolJson,
  symbols: readonly SymbolJson[],
): boolean =>
  shown === "elsewhere" &&
  symbols.some(
    (one) =>
      one.shown !== "signature" &&
      one.start_line <= start &&
      one.end_line >= end &&
      one.end_line - one.start_line > end - start,
  );

/** Takes a package that has each line once (`renderJson`). */
export function budgetPicture({ files, provenance, token_count: used, budget }: ContextPackage): Html {
  const tierOf = new Map(
    provenance.symbols.map(({ path, qualified_name, tier }) => [`${path} ${qualified_name}`, tier]),
  );
  const tokens = new Map<string, number>();
  for (const { path, symbols } of files)
    for (const symbol of symbols) {
      if (isInside(symbol, symbols)) continue;
      const { qualified_name, relevance, tokens: count } = symbol;
      const tier = tierOf.get(`${path} ${qualified_name}`) ?? relevance;
      tokens.set(tier, (tokens.get(tier) ?? 0) + count);
    }
  const counted = [...tokens.values()].reduce((sum, count) => sum + count, 0);
  tokens.set("text", Math.max(0, used - counted));
  // Counts of parts can exceed the count of the whole text a little, and hidden secrets are shorter than they were.
  const scale = Math.min(1, used / Math.max(1, counted));
  const whole = Math.max(budget, used, 1);
  const parts = PARTS.map(([tier, what], at) => ({ at, what, count: Math.round((tokens.get(tier) ?? 0) * scale) }));
  const free = Math.max(0, budget - used);
  const { before, stop } = provenance.budget;
  const ends = stop === undefined ? "" : ` It ends there because ${whyStopped(stop)}.`;
  const all = stop === undefined || stop.coverage === 1 ? "All relevant material" : "All that is worth its tokens";
  let from = 0;
  const boxes = parts.map(({ at, what, count }) => {
    const [x, width] = [(from / whole) * 1_000, (count / whole) * 1_000];
    from += count;
    return html`<rect class="f${at}" x="${x.toFixed(1)}" y="0" width="${width.toFixed(1)}" height="28"><title>${what}: ${count} tokens</title></rect>`;
  });
  return html`<p>${used} of ${budget} tokens.${ends}${before > used ? ` ${all} would take ${before}.` : ""}</p>
<svg role="img" aria-label="${used} of ${budget} tokens are used" viewBox="0 0 1000 28" width="100%" height="28" preserveAspectRatio="none"><rect class="f5" width="1000" height="28"/>${boxes}</svg>
<table><caption>Tokens by kind</caption><thead><tr><th scope="col">kind</th><th scope="col" class="n">tokens, about</th><th scope="col" class="n">share of the budget</th></tr></thead><tbody>
${[...parts, { at: 5, what: "free", count: free }].map(
  ({
    at,
    what,
    count,
  }) => html`<tr><th scope="row"><svg aria-hidden="true" width="12" height="12" class="key"><rect class="f${at}" width="12" height="12"/></svg> ${what}</th><td class="n">${count}</td><td class="n">${share(count, budget)}</td></tr>
`,
)}</tbody></table>`;
}

const share = (count: number, of: number): string => `${of === 0 ? 0 : Math.round((count / of) * 1_000) / 10} %`;
