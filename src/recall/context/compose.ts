/** Renders the selected candidates as Markdown, with their items and counts. Tokens are counted on the text itself. */
import type { TokenCounter } from "../../text/tokens/tokens.ts";
import type { AskDeps } from "../search/ask-sources.ts";
import type { Candidate } from "./candidate.ts";
import type { ContextItem, FormattedContext } from "./context-json.ts";
import type { ContextType } from "./context-types.ts";
import { mostRelevantFirst } from "./deduplicate.ts";
import { type Chosen, select } from "./select.ts";

/** The sections of a context and their candidates, in display order. */
export type Plan = {
  readonly title: string;
  readonly sources: readonly {
    readonly weight: number;
    readonly sections: readonly { readonly title: string; readonly candidates: readonly Candidate[] }[];
  }[];
  closing(items: readonly ContextItem[]): string;
};

/** Reports a text above `maxTokens` with a notice. */
export function composeContext(
  { counter, onNotice }: Pick<AskDeps, "onNotice"> & { readonly counter: TokenCounter },
  plan: Plan,
  maxTokens: number,
): FormattedContext {
  const chosen = select(
    plan.sources.map(({ weight, sections }) => ({ weight, sections: sections.map(({ candidates }) => candidates) })),
    maxTokens - frameTokens(plan, counter),
    counter,
  );
  const text = rendered(plan, chosen);
  const inOrder = [...chosen.values()].sort((a, b) => mostRelevantFirst(a.candidate, b.candidate));
  const token_count = counter.count(text);
  const budget_exceeded = token_count > maxTokens;
  if (budget_exceeded) onNotice({ code: "recall-over-limit", tokens: token_count, limit: maxTokens });
  const sources_used: Partial<Record<ContextType, number>> = {};
  for (const { candidate } of inOrder) sources_used[candidate.type] = (sources_used[candidate.type] ?? 0) + 1;
  return { markdown: text, items: inOrder.map(itemOf), token_count, sources_used, budget_exceeded };
}

const itemOf = ({ candidate, content }: Chosen): ContextItem => candidate.item(content);

function rendered(plan: Plan, chosen: ReadonlyMap<Candidate, Chosen>): string {
  const shown: Chosen[] = [];
  const sections = plan.sources.flatMap((source) =>
    source.sections.map(({ title, candidates }): Section => {
      const own = candidates.flatMap((candidate) => chosen.get(candidate) ?? []);
      shown.push(...own);
      return { title, items: own.map(({ content }) => content) };
    }),
  );
  return renderSections(plan.title, sections, plan.closing(shown.map(itemOf)));
}

/** The tokens of the text without its items. */
function frameTokens(plan: Plan, counter: TokenCounter): number {
  const sections = plan.sources.flatMap((source) =>
    source.sections.map(({ title, candidates }) => ({ title, items: candidates.length > 0 ? [""] : [] })),
  );
  return counter.count(renderSections(plan.title, sections, plan.closing([])));
}

type Section = { readonly title: string; readonly items: readonly string[] };

/** A title, the sections that have items, and a closing line; empty without any item. */
function renderSections(title: string, sections: readonly Section[], closing: string): string {
  const filled = sections.filter(({ items }) => items.length > 0);
  if (filled.length === 0) return "";
  return `${[
    `# ${title}`,
    ...filled.flatMap((section) => [`## ${section.title}\n${section.items[0] ?? ""}`, ...section.items.slice(1)]),
    `---\n*${closing}*`,
  ].join("\n\n")}\n`;
}
