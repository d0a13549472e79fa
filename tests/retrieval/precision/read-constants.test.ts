/** Which constants come with the definitions that read them. */
import { expect, test } from "bun:test";
import type { SymbolRow } from "../../../src/db/curated/knowledge-base.ts";
import type { ImportFamily } from "../../../src/languages/language.ts";
import { withConstants } from "../../../src/retrieval/precision/read-constants.ts";
import { symbolRow } from "../../support/symbol-row.ts";

const OWN = 1;
const IMPORTED = 2;

const constant = (fileId: number, name: string, exported = true): SymbolRow =>
  symbolRow(0, fileId, name, "variable", { exported });

/** The constants that one function of a file with this text brings, as `file name`. */
function readBy(text: string, constants: readonly SymbolRow[], family: ImportFamily = "ecmascript"): readonly string[] {
  const reader = symbolRow(1, OWN, "reader");
  const placed = [{ symbol: reader, tier: "primary", floor: false, score: 1, why: "", usedBy: [] } as const];
  const symbols = [reader, symbolRow(2, IMPORTED, "other"), ...constants.map((one, at) => ({ ...one, id: at + 3 }))];
  const found = withConstants({
    ...{ readers: placed, placed, symbols },
    linesOf: () => text.split("\n"),
    familyOf: () => family,
    imports: [{ source: OWN, target: IMPORTED, kind: "import" }],
  });
  return found.slice(placed.length).map(({ symbol, why }) => `${symbol.fileId} ${symbol.name}: ${why}`);
}

test("of the same file and of what an imported one exports", () => {
  const text = "return LIMIT + STEP";
  expect(readBy(text, [constant(OWN, "LIMIT", false), constant(IMPORTED, "STEP")])).toEqual([
    "1 LIMIT: read by reader",
    "2 STEP: read by reader",
  ]);
  expect(readBy(text, [constant(IMPORTED, "STEP", false)])).toEqual([]);
  // Where nothing has to be exported, anything can be read.
  expect(readBy(text, [constant(IMPORTED, "STEP", false)], "python")).toEqual(["2 STEP: read by reader"]);
});

test("a member of something else is no constant of the file", () => {
  const own = [constant(OWN, "location")];
  expect(readBy("e.loc = e.errors[0].location", own)).toEqual([]);
  expect(readBy("e.loc = e.errors[0].location", own, "python")).toEqual([]);
  expect(readBy("e.location = location", own)).toHaveLength(1);
  expect(readBy("return [...location]", own)).toHaveLength(1);
  expect(readBy("return module.exports.location", own)).toHaveLength(1);
  expect(readBy("return 'a'.location", own, "php")).toHaveLength(1);
  expect(readBy("return $.$limit\n", [constant(OWN, "$limit")])).toEqual([]);
  expect(readBy("return tables.LIMIT", [constant(IMPORTED, "LIMIT")])).toHaveLength(1);
});
