/** What `recall` and `premortem` share: their limits, and the answer with its notices. */
import { z } from "zod";
import type { App } from "../../app/app.ts";
import { Failed } from "../../failure.ts";
import type { Notice } from "../../notice.ts";
import { noticeSentence } from "../../notice-sentence.ts";
import type { ContextJson, FormattedContext } from "../../recall/context/context-json.ts";
import { changedNotes } from "./changed-files.ts";
import type { Answer, Call, Limits } from "./tool.ts";

export const ITEMS_DEFAULT = 10;
const ITEMS_MAX = 100;
/** An answer contains everything twice: as one text, and item by item. */
const TIMES_SAID = 2;

export const limit = (of: string) =>
  z.int().min(1).max(ITEMS_MAX).optional().describe(`most items per ${of}, ${ITEMS_DEFAULT} by default`);
export const max_tokens = (tokens: number) =>
  z.int().min(1).optional().describe(`most tokens of the text, ${tokens} by default`);

/** Throws a usage failure for more than clients accept. */
export function tokensOf(asked: number | undefined, usual: number, { budgetMax }: Limits): number {
  const most = Math.floor(budgetMax / TIMES_SAID);
  if ((asked ?? 0) <= most) return asked ?? Math.min(usual, most);
  throw new Failed({
    code: "usage",
    message: `max_tokens: ${asked} is more than this server allows (${most})`,
    next: "ask for less",
  });
}

/** Failures of sources, and files that have changed since they were indexed, are part of both forms of the answer. */
export async function noticing(
  { app }: Pick<Call<Pick<App, "notices" | "changedFiles">>, "app">,
  ask: () => Promise<FormattedContext>,
): Promise<Answer> {
  const before = app.notices.length;
  const context = await ask();
  const code = context.items.flatMap(({ source, metadata }) => (source === "code" ? [metadata.file_path] : []));
  const notes = [
    ...app.notices.slice(before).map((notice: Notice) => noticeSentence(notice)),
    ...(code.length === 0 ? [] : changedNotes(app.changedFiles(code))),
  ];
  const note = notes.length === 0 ? {} : { note: notes.join("; ") };
  const structured: ContextJson = { schema_version: 1, ...context, ...note };
  const said = notes.map((one) => `Note: ${one}\n`).join("");
  return { text: `${context.markdown || "Nothing was found.\n"}${said}`, structured };
}
