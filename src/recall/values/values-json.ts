/** The JSON that `cra values --json` prints; `cra schema values` is generated from this type. */
import { z } from "zod";
import { ValueSchema } from "../../memory/experience.ts";

const count = z.int().nonnegative();

export const ValuesJson = z.strictObject({
  schema_version: z.literal(1),
  experiences: count.describe("resolved experiences, from which values are made"),
  vectors_by: z.string().nullable().describe("the embedding model that compared them; null: compared by their words"),
  worded: count.describe("values whose text a model wrote"),
  values: z.array(ValueSchema),
});
export type ValuesJson = z.infer<typeof ValuesJson>;
