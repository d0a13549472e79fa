/** The text of a package for an agent: of the task only the first line, since the agent knows what it asked. */
import type { ContextPackage } from "../../retrieval/model/package-schema.ts";
import { roundNews } from "../../retrieval/refinement/round-news.ts";
import { renderMarkdown, withBriefTask } from "../../retrieval/render/markdown.ts";
import { renderNews } from "../../retrieval/render/news.ts";
import type { RetrieveResult as PipelineResult } from "../../retrieval/retrieve.ts";
import type { Redactor } from "../../secrets/redactor.ts";
import type { TokenCounter } from "../../text/tokens/tokens.ts";

/** Markdown and its tokens. `since`: it has only what that round did not show, and the names of the rest; null for the whole package. */
export type AnswerText = { readonly markdown: string; readonly tokens: number; readonly since: number | null };

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
  const news = roundNews(result, result.since);
  const markdown = redactor.text(renderNews({ ...news, part: withBriefTask(news.part) ?? news.part }));
  const tokens = counter.count(markdown);
  return tokens < whole.tokens ? { markdown, tokens, since: news.since } : whole;
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
