/**
 * What `cra values --json` prints, as published JSON: `cra schema values` is made from this type.
 */
import { z } from "zod";
import { ValueSchema } from "../../memory/experience.ts";

const count = z.int().nonnegative();

export const ValuesJson = z.strictObject({
  schema_version: z.literal(1),
  experiences: count.describe("those that have ended, which values are made of"),
  vectors_by: z.string().nullable().describe("the embedding model that compared them; null: their words did"),
  worded: count.describe("values whose text a model wrote"),
  values: z.array(ValueSchema),
});
export type ValuesJson = z.infer<typeof ValuesJson>;
