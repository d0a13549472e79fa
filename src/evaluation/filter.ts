/** Which cases to run: `repo=flask,language==python`. Every condition must hold. */
import { Failed } from "../failure.ts";
import type { EvaluationCase } from "./model.ts";

const FIELDS = ["id", "repo", "language", "source"] as const;
type Field = (typeof FIELDS)[number];

export type Condition = { readonly field: Field; readonly text: string; readonly isWhole: boolean };

/** `field=text` holds where the field contains the text, `field==text` where it is it. Throws a usage failure. */
export function readFilter(typed: string): readonly Condition[] {
  return typed.split(",").map((part) => {
    const [, name = "", equals = "", text = ""] = /^\s*(\w+)\s*(==?)\s*(.+?)\s*$/s.exec(part) ?? [];
    const field = FIELDS.find((known) => known === name);
    if (field === undefined) {
      throw new Failed({
        code: "usage",
        message: `--filter: ${JSON.stringify(part.slice(0, 60))} is not field=text`,
        next: `fields are ${FIELDS.join(", ")}; == asks for the whole value`,
      });
    }
    return { field, text, isWhole: equals === "==" };
  });
}

export const passes = (one: EvaluationCase, conditions: readonly Condition[]): boolean =>
  conditions.every(({ field, text, isWhole }) => {
    const value = one[field] ?? "";
    return isWhole ? value === text : value.toLowerCase().includes(text.toLowerCase());
  });
