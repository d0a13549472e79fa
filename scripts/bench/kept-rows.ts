/** Measurements over cases whose rows are kept in a file of JSON lines, so that a run that was ended goes on where it stopped. */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import type { z } from "zod";
import { type ReadCase, readCases } from "../../src/evaluation/cases.ts";
import { keptIndexes } from "./worth-cases.ts";

/** A case, and the folder of its kept index. */
export type IndexedCase = { readonly one: ReadCase; readonly folder: string };

/** The cases of a file that have an index in the work folder of a finished `cra evaluate --keep-indexes`. */
export function indexedCases(path: string, work: string): readonly IndexedCase[] {
  const kept = keptIndexes(work);
  return readCases(readFileSync(path, "utf8"), path).flatMap((one) => {
    const folder = kept.get(one.baseCommit ?? "");
    return folder === undefined ? [] : [{ one, folder }];
  });
}

/** `variantOf` names what was measured by a row; `measure` yields the rows of a case for the variants that are left. */
type Measurement<Row> = {
  readonly cases: readonly IndexedCase[];
  readonly variants: readonly string[];
  /** The file that keeps the rows, if one does. */
  readonly path: string | undefined;
  readonly schema: z.ZodType<Row>;
  variantOf(row: Row): string;
  measure(variants: readonly string[], one: IndexedCase): AsyncIterable<Row>;
};

/** The rows of these cases: those that are kept, then those that were missing. */
export async function measuredRows<Row extends { readonly id: string }>({
  cases,
  variants,
  path,
  schema,
  variantOf,
  measure,
}: Measurement<Row>): Promise<readonly Row[]> {
  const rows = path === undefined ? [] : rowsIn(path, schema);
  const done = new Set(rows.map((row) => JSON.stringify([row.id, variantOf(row)])));
  for (const indexed of cases) {
    const left = variants.filter((variant) => !done.has(JSON.stringify([indexed.one.id, variant])));
    if (left.length === 0) continue;
    for await (const row of measure(left, indexed)) {
      rows.push(row);
      if (path !== undefined) appendFileSync(path, `${JSON.stringify(row)}\n`);
    }
  }
  const asked = new Set(cases.map(({ one }) => one.id));
  return rows.filter(({ id }) => asked.has(id));
}

const rowsIn = <Row>(path: string, schema: z.ZodType<Row>): Row[] =>
  existsSync(path)
    ? readFileSync(path, "utf8")
        .split("\n")
        .flatMap((text) => (text === "" ? [] : [schema.parse(JSON.parse(text))]))
    : [];
