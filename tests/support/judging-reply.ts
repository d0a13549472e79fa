/** Replies of a stand-in model to judgement prompts: reads the items and classifies them as a test chooses. */
import { z } from "zod";
import type { Reply } from "./stand-in-ollama.ts";
import type { Received } from "./stand-in-request.ts";

/** An item of a prompt: its id and everything the model sees of it. */
export type AskedItem = { readonly id: string; readonly text: string };

const Format = z.object({
  properties: z.object({
    verdicts: z.object({
      items: z.object({ properties: z.object({ class: z.object({ enum: z.array(z.string()) }) }) }),
    }),
  }),
});

/** The classes that the prompt allows. */
export const classesOf = ({ format }: Received): readonly string[] =>
  Format.parse(format).properties.verdicts.items.properties.class.enum;

/** The stage that sent the prompt, identified by its classes. */
export function stageOf(request: Received): "analysis" | "scope" | "precision" {
  const classes = classesOf(request);
  return classes.includes("essential") ? "analysis" : classes.includes("relevant") ? "scope" : "precision";
}

export function itemsOf({ prompt }: Received): readonly AskedItem[] {
  return prompt.split(/^(?=\[c\d+\] )/m).flatMap((part) => {
    const [, id, text] = /^\[(c\d+)\] ([\s\S]*?)(?:\n>>> |$)/.exec(part) ?? [];
    return id === undefined || text === undefined ? [] : [{ id, text }];
  });
}

/** A reply that gives each item the class from `choose`, and omits items for null. */
export const sorting =
  (
    choose: (item: AskedItem, stage: "analysis" | "scope" | "precision") => string | null,
    reason = "as it looks",
  ): Reply =>
  (request) => {
    const stage = stageOf(request);
    return JSON.stringify({
      verdicts: itemsOf(request).flatMap((item) => {
        const verdict = choose(item, stage);
        return verdict === null ? [] : [{ id: item.id, class: verdict, reason }];
      }),
    });
  };

/** The classes of a model that needs everything. */
const AGREED = { analysis: "helpful", scope: "relevant", precision: "primary" } as const;

/** Replies that everything is needed. */
export const AGREEABLE: Reply = sorting((_, stage) => AGREED[stage]);

/** Replies that everything is needed except files whose path starts with a prefix. */
export const without = (path: string, reason?: string): Reply =>
  sorting(({ text }, stage) => (stage === "scope" && text.startsWith(path) ? "irrelevant" : AGREED[stage]), reason);

/** Replies that nothing is needed. */
export const DISMISSIVE: Reply = sorting(
  (_, stage) => ({ analysis: "irrelevant", scope: "irrelevant", precision: "excluded" })[stage],
);
