/** Solidity: its files, its words, and where its grammar comes from. */
import { C } from "../c/language.ts";
import type { Language } from "../language.ts";
import { NOMINAL_NAMES, words } from "../name-rules.ts";

export const SOLIDITY = {
  endings: "sol",
  stackFrames: "other",
  roles: { test: String.raw`[^/]*\.t\.sol` },
  highlighting: C.highlighting,
  imports: "solidity",
  names: {
    ...NOMINAL_NAMES,
    declares: "type name",
    wrappers: words(
      "calldata constant immutable indexed internal memory override payable private public storage transient virtual",
    ),
  },
  parsing: {
    kind: "grammar",
    wasm: "@repomix/tree-sitter-wasms/out/tree-sitter-solidity.wasm",
    load: async () => (await import("./syntax.ts")).SOLIDITY_GRAMMAR,
    sample: { text: "contract Greeter {\n  function greet() public {}\n}\n", finds: "Greeter" },
  },
} satisfies Language;
