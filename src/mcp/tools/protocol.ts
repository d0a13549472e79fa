/** A tool and its answers in the forms of the Model Context Protocol. */
import type { CallToolResult, Tool as ListedTool } from "@modelcontextprotocol/server";
import { Failed } from "../../failure.ts";
import type { LongAnswers } from "../long-answers.ts";
import type { Answer, Limits, Tool } from "./tool.ts";

/** A tool as clients list it. */
export function listedTool(row: Omit<Tool, "prepared">, { budgetMax }: Limits, isStructured: boolean): ListedTool {
  const { name, title, description, writes, isIdempotent, input, output } = row;
  const annotations = {
    readOnlyHint: !writes,
    destructiveHint: false,
    idempotentHint: isIdempotent,
    openWorldHint: false,
  };
  return {
    name,
    title,
    description,
    inputSchema: input,
    ...(isStructured ? { outputSchema: output } : {}),
    annotations,
    _meta: { [RESULT_CHARS_KEY]: charsMax(budgetMax) },
  };
}

/** Clients that know this key accept results of that size without truncation. */
const RESULT_CHARS_KEY = "anthropic/maxResultSizeChars";
/** The maximum of such clients. */
const RESULT_CHARS_MAX = 500_000;
/** Characters of an answer for each token of the largest package: its text as JSON, and what goes with it. */
const CHARS_PER_TOKEN = 7;

/** The maximum length of an answer as JSON. */
const charsMax = (budgetMax: number): number => Math.min(RESULT_CHARS_MAX, budgetMax * CHARS_PER_TOKEN);

/**
 * An answer in the form of the protocol, said once: as text, of which a long one links to its rest, or as structured content. Throws a
 * usage failure for structured content that is too large for any client.
 */
export function toolResult(
  { text, structured }: Answer,
  { name, less }: Pick<Tool, "name" | "less">,
  { budgetMax }: Limits,
  how: { readonly isStructured: boolean; readonly longAnswers: Pick<LongAnswers, "shown"> },
): CallToolResult {
  const most = charsMax(budgetMax);
  if (how.isStructured) {
    const chars = JSON.stringify(structured).length;
    const message = `the answer has ${chars} characters, more than the ${most} that clients accept`;
    if (chars > most) throw new Failed({ code: "usage", message, next: less });
    return { content: [{ type: "text", text: ELSEWHERE }], structuredContent: { ...structured } };
  }
  const shown = how.longAnswers.shown(text, most);
  const content: CallToolResult["content"] = [{ type: "text", text: shown.text }];
  if (shown.rest !== null)
    content.push({
      type: "resource_link",
      uri: shown.rest.uri,
      name: `the rest of ${name}`,
      mimeType: MARKDOWN,
      size: shown.rest.chars,
    });
  return { content };
}

export const MARKDOWN = "text/markdown";
const ELSEWHERE = "The answer is in the structured content.";
