/** What the search for affected files reads of a whole repository, and when. */
import { expect, test } from "bun:test";
import { affectedFiles } from "../../../src/indexing/links/affected-files.ts";
import { importerReach } from "../../../src/indexing/links/importer-reach.ts";
import type { LinkedFiles } from "../../../src/indexing/links/linked-files.ts";
import { fixtureFiles } from "../../support/facts.ts";

const CART = "export class Cart {}\n";
const SHOP = 'import { Cart } from "./cart";\nexport function shop(): Cart {\n  return new Cart();\n}\n';

/** Two files, of which one imports the other: what is affected by a change of the first, and how often all imports are read. */
async function changed(before: string, after: string) {
  const texts = new Map([
    ["cart.ts", after],
    ["shop.ts", SHOP],
  ]);
  const [old] = await fixtureFiles(new Map([["cart.ts", before]]));
  const facts = new Map((await fixtureFiles(texts)).map((file) => [file.path, file.facts]));
  let readings = 0;
  const known: Pick<LinkedFiles, "mentioning" | "languageOf" | "interfaceOf"> = {
    mentioning: (terms) =>
      [...texts].flatMap(([path, text]) => (terms.every((term) => text.toLowerCase().includes(term)) ? path : [])),
    languageOf: () => "typescript",
    interfaceOf: (path) => facts.get(path) ?? null,
  };
  const imports = () => {
    readings += 1;
    return [["shop.ts", "cart.ts"]] as const;
  };
  const files: LinkedFiles = {
    ...known,
    importersOf: () => [],
    bindingsOf: () => [],
    bindingsIn: () => [],
    leadsTo: () => false,
    hasNeighbours: () => true,
    filesOf: () => [...texts.keys()],
    configures: () => false,
    addsToName: () => false,
    reachIn: () => importerReach({ ...known, imports, outsideMembers: () => [] }),
  };
  const change = { path: "cart.ts", language: "typescript", kind: "changed" } as const;
  const is = { before: old?.facts ?? null, after: facts.get("cart.ts") ?? null };
  const affected = affectedFiles([{ ...change, ...is }], files);
  return { affected: [...affected].sort(), readings };
}

test("a new name that no other file has asks for no imports of other files", async () => {
  const added = `${CART}export function addedByNobody(): number {\n  return 1;\n}\n`;
  expect(await changed(CART, added)).toEqual({ affected: ["cart.ts"], readings: 0 });
});

test("a name that another file has leads to it if an import does", async () => {
  expect(await changed(CART, "export class Cart extends Map {}\n")).toEqual({
    affected: ["cart.ts", "shop.ts"],
    readings: 1,
  });
});
