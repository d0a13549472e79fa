/** Which of several functions of one name, attached to values with `using` of Solidity, a call means. */
import { expect, test } from "bun:test";
import { resolveReferences } from "../../../../src/indexing/references/resolve-references.ts";
import { fixtureFiles, fixtureTexts } from "../../../support/facts.ts";
import { resolveImports } from "../../../support/resolved-imports.ts";

const FIXTURE = `
//- src/Sets.sol
library Sets {
  struct Bytes { uint256 size; }
  struct Words { uint256 size; }
  function add(Bytes storage set, bytes32 value) internal {}
  function add(Words storage set, string memory value) internal {}
}
//- src/Shop.sol
import {Sets} from "./Sets.sol";
contract Shop {
  using Sets for Sets.Bytes;
  using Sets for Sets.Words;
  struct Shelf { Sets.Bytes all; }
  Sets.Bytes private _first;
  Shelf private _shelf;
  mapping(address owner => mapping(uint256 => Sets.Bytes)) private _each;
  Sets.Bytes[] private _list;
  function field() public { _first.add(1); }
  function inner() public { _shelf.all.add(1); }
  function indexed(address own) public { _each[own][1].add(1); }
  function listed() public { _list[0].add(1); }
  function local(address own) public { Sets.Bytes storage some = _each[own][2]; some.add(2); }
  function given(Sets.Words storage some) internal { some.add("a"); }
  function other(Sets.Bytes storage some) internal { some.add(1); }
  function unknown() public { lost().add("a"); }
}
`;

test("the one whose first parameter has the type of the value, and the last if that is not known", async () => {
  const texts = fixtureTexts(FIXTURE);
  const files = await fixtureFiles(texts);
  const symbol = (path: string, at: number) => files.find((file) => file.path === path)?.facts.symbols[at];
  const imports = resolveImports(files, (path) => texts.get(path) ?? null);
  const calls = [...resolveReferences(files, imports)].filter(({ name }) => name === "add");
  expect(
    calls.map(({ callerPath, caller, calleePath, callee }) => [
      symbol(callerPath, caller)?.name,
      /\((\w+)/.exec(symbol(calleePath, callee)?.signature ?? "")?.[1],
    ]),
  ).toEqual([
    ["field", "Bytes"],
    ["inner", "Bytes"],
    ["indexed", "Bytes"],
    ["listed", "Bytes"],
    ["local", "Bytes"],
    ["given", "Words"],
    ["other", "Bytes"],
    ["unknown", "Words"],
  ]);
});
