/** The text of a package for an agent: of the task only the first line, since the agent knows what it asked. */

import type { ShownItem } from "../../retrieval/model/changes.ts";
import type { ContextPackage } from "../../retrieval/model/package-schema.ts";
import type { RoundNews } from "../../retrieval/model/round-news.ts";
import { shownItems } from "../../retrieval/refinement/changes.ts";
import { keyOf, roundNews } from "../../retrieval/refinement/round-news.ts";
import { renderMarkdown, withBriefTask } from "../../retrieval/render/markdown.ts";
import { renderNews } from "../../retrieval/render/news.ts";
import type { RetrieveResult as PipelineResult } from "../../retrieval/retrieve.ts";
import type { Redactor } from "../../secrets/redactor.ts";
import type { TokenCounter } from "../../text/tokens/tokens.ts";

/** Markdown and its tokens. `since`: it has only what that round did not show, and the names of the rest; null for the whole package. */
export type AnswerText = { readonly markdown: string; readonly tokens: number; readonly since: number | null };

/** Parts of packages that an agent has, the newest last. */
export type GivenParts = readonly ShownItem[];

/** A package for an agent. */
export type AgentAnswers = {
  /** The whole, or what the round before did not show. */
  next(shows: "all" | "new"): Promise<AnswerText>;
  /** What is new to an agent that has these parts, and what it has then. */
  beside(given: GivenParts): Promise<Omit<AnswerText, "since"> & { readonly given: GivenParts }>;
};

/** How texts are counted, and what hides secrets in them. */
type Printing = { readonly counter: TokenCounter; readonly redactor: Redactor };

/** The whole package, or what is new in it if that is shorter. */
export function answerText(
  result: Pick<PipelineResult, "pkg" | "packed" | "sources" | "showing" | "since">,
  shows: "all" | "new",
  { counter, redactor }: Printing,
): AnswerText {
  const whole = wholeText(result.pkg, { counter, redactor });
  if (shows === "all" || result.since === null) return whole;
  const news = newsText(roundNews(result, result.since), { counter, redactor });
  return news.tokens < whole.tokens ? { ...news, since: result.since.round } : whole;
}

/** More than the context of an agent has room for. */
const GIVEN_MAX = 2_000;

/** For an agent that was given packages of other tasks: what is new to it, and the names of the rest; and all that it has then. */
export function answerBeside(
  result: Pick<PipelineResult, "pkg" | "packed" | "sources" | "showing">,
  given: GivenParts,
  { counter, redactor }: Printing,
): Awaited<ReturnType<AgentAnswers["beside"]>> {
  const whole = wholeText(result.pkg, { counter, redactor });
  const news = roundNews(result, { round: null, shown: given });
  const text = news.kept.length === 0 ? whole : newsText(news, { counter, redactor });
  const isNews = text.tokens < whole.tokens;
  const kept = new Set(isNews ? news.kept.map(keyOf) : []);
  const added = shownItems(result).filter((part) => !kept.has(keyOf(part)));
  const replaced = new Set(added.map(keyOf));
  return {
    ...(isNews ? text : whole),
    given: [...given.filter((part) => !replaced.has(keyOf(part))), ...added].slice(-GIVEN_MAX),
  };
}

function newsText(news: RoundNews, { counter, redactor }: Printing): Omit<AnswerText, "since"> {
  const markdown = redactor.text(renderNews({ ...news, part: withBriefTask(news.part) ?? news.part }));
  return { markdown, tokens: counter.count(markdown) };
}

function wholeText(pkg: ContextPackage, { counter, redactor }: Printing): AnswerText {
  const brief = withBriefTask(pkg);
  if (brief !== null) {
    const markdown = redactor.text(renderMarkdown(brief));
    const tokens = counter.count(markdown);
    if (tokens < pkg.token_count) return { markdown, tokens, since: null };
  }
  return { markdown: redactor.text(renderMarkdown(pkg)), tokens: pkg.token_count, since: null };
}
