/** What of a file's change other files can see. */
import { expect, test } from "bun:test";
import { interfaceHash } from "../../../src/indexing/links/interface-hash.ts";
import { fixtureFiles } from "../../support/facts.ts";

const hashOf = async (text: string): Promise<string> => {
  const [file] = await fixtureFiles(new Map([["a.hpp", text]]));
  return file === undefined ? "" : interfaceHash(file.facts);
};

test("whether a using is in a function counts, as what includes the file sees only others", async () => {
  const inFunction = "namespace a {\ninline void run() {\n  using namespace b;\n}\n}\n";
  const inNamespace = "namespace a {\ninline void run() {\n}\n  using namespace b;\n}\n";
  expect(await hashOf(inNamespace)).not.toBe(await hashOf(inFunction));
  expect(await hashOf(`\n${inNamespace}`)).toBe(await hashOf(inNamespace));
});
