/** Replies of a stand-in model to judgement prompts: reads the items and lists them as a test chooses. */
import { z } from "zod";
import type { Reply } from "./stand-in-ollama.ts";
import type { Received } from "./stand-in-request.ts";

export type JudgedStage = "analysis" | "scope" | "precision";

/** An item of a prompt: its number, everything the model sees of it, and the heading that it stands under. */
export type AskedItem = { readonly id: number; readonly text: string; readonly group: string };

const Format = z.object({ properties: z.record(z.string(), z.unknown()) });

/** The lists that an answer has. */
export const listsOf = (format: unknown): readonly string[] =>
  Object.keys(Format.parse(format).properties).filter((name) => name !== "words");

/** The stage that sent the prompt, identified by its lists. */
export function stageOf({ format }: Pick<Received, "format">): JudgedStage {
  const { properties } = Format.parse(format);
  const lists = listsOf(format);
  return "words" in properties ? "analysis" : lists.includes("relevant") ? "scope" : "precision";
}

/** The items of a prompt, in order. */
export function itemsOf({ prompt }: Pick<Received, "prompt">): readonly AskedItem[] {
  const block = /^<<< items [^\n]*\n([\s\S]*?)\n>>> items /m.exec(prompt)?.[1] ?? "";
  let group = "";
  return block.split(/\n(?! {4})/).flatMap((part) => {
    const [, id, text] = /^\[(\d+)\] ([\s\S]*)$/.exec(part) ?? [];
    if (id !== undefined && text !== undefined)
      return [{ id: Number(id), text: text.replaceAll("\n    ", "\n"), group }];
    group = /^in (.*):$/.exec(part)?.[1] ?? group;
    return [];
  });
}

/** A reply that lists each item under the name from `choose`; null, or the name of no list, lists it nowhere. */
export const sorting =
  (choose: (item: AskedItem, stage: JudgedStage) => string | null): Reply =>
  (request) => {
    const stage = stageOf(request);
    const chosen = itemsOf(request).map((item) => ({ id: item.id, list: choose(item, stage) }));
    return JSON.stringify({
      ...Object.fromEntries(
        listsOf(request.format).map((name) => [name, chosen.flatMap(({ id, list }) => (list === name ? [id] : []))]),
      ),
      ...(stage === "analysis" ? { words: [] } : {}),
    });
  };

/** The lists of a model that needs everything. */
const AGREED = { analysis: "helpful", scope: "relevant", precision: "primary" } as const;

/** Replies that everything is needed. */
export const AGREEABLE: Reply = sorting((_, stage) => AGREED[stage]);

/** Replies that everything is needed except files whose path starts with a prefix. */
export const without = (path: string): Reply =>
  sorting(({ text }, stage) => (stage === "scope" && text.startsWith(path) ? null : AGREED[stage]));

/** Replies that nothing is needed. */
export const DISMISSIVE: Reply = sorting(() => null);
