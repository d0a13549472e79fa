/** Selects which problems of a checked value a message names. */
import type { z } from "zod";

/** The first problem of each field: of a list that is wrong throughout, one entry. */
export const firstOfEachField = (issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] =>
  [...Map.groupBy(issues, ({ path }) => path[0]).values()].flatMap(([first]) => first ?? []);
