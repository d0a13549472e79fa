/**
 * The languages that can be parsed: for each a grammar, its queries and its style.
 *
 * Adding a language is adding a row here, its query files under `grammars/`, a line in
 * `scripts/grammars.ts` and a fixture in the tests. Grammars are compressed files inside the binary;
 * queries are text. A row may name query files of several folders: they are joined in order.
 * Not here: loading (`load-grammar.ts`).
 */
import javascriptWasm from "../../dist/grammars/tree-sitter-javascript.wasm.zst" with { type: "file" };
import pythonWasm from "../../dist/grammars/tree-sitter-python.wasm.zst" with { type: "file" };
import tsxWasm from "../../dist/grammars/tree-sitter-tsx.wasm.zst" with { type: "file" };
import typescriptWasm from "../../dist/grammars/tree-sitter-typescript.wasm.zst" with { type: "file" };
import ecmascriptComments from "../../grammars/ecmascript/comments.scm" with { type: "text" };
import ecmascriptImports from "../../grammars/ecmascript/imports.scm" with { type: "text" };
import ecmascriptReferences from "../../grammars/ecmascript/references.scm" with { type: "text" };
import ecmascriptSymbols from "../../grammars/ecmascript/symbols.scm" with { type: "text" };
import javascriptReferences from "../../grammars/javascript/references.scm" with { type: "text" };
import javascriptSymbols from "../../grammars/javascript/symbols.scm" with { type: "text" };
import jsxReferences from "../../grammars/jsx/references.scm" with { type: "text" };
import pythonComments from "../../grammars/python/comments.scm" with { type: "text" };
import pythonImports from "../../grammars/python/imports.scm" with { type: "text" };
import pythonReferences from "../../grammars/python/references.scm" with { type: "text" };
import pythonSymbols from "../../grammars/python/symbols.scm" with { type: "text" };
import typescriptImports from "../../grammars/typescript/imports.scm" with { type: "text" };
import typescriptReferences from "../../grammars/typescript/references.scm" with { type: "text" };
import typescriptSymbols from "../../grammars/typescript/symbols.scm" with { type: "text" };
import type { Topic } from "./match.ts";
import type { LanguageStyle } from "./style.ts";
import { ECMASCRIPT } from "./styles/ecmascript.ts";
import { PYTHON } from "./styles/python.ts";

/**
 * What facts depend on besides the text: raised whenever the queries or the code that reads them find
 * something else, so that cached facts of an older version are not used.
 */
export const EXTRACTOR_VERSION = "1";

/** The packages that grammars and runtime come from, as pinned in package.json; a part of the cache key too. */
export const GRAMMAR_VERSION = "tree-sitter-wasm 0.3.1, web-tree-sitter 0.27.1";

/** One language. `wasm` is the path of its compressed grammar. */
export type Grammar = {
  readonly wasm: string;
  readonly queries: Readonly<Record<Topic, readonly string[]>>;
  readonly style: LanguageStyle;
};

const TYPESCRIPT_SYMBOLS = [ecmascriptSymbols, typescriptSymbols];
const TYPESCRIPT_IMPORTS = [ecmascriptImports, typescriptImports];
const TYPESCRIPT_REFERENCES = [ecmascriptReferences, typescriptReferences];

/** By the name of the language as the walker gives it. */
export const GRAMMARS: ReadonlyMap<string, Grammar> = new Map<string, Grammar>([
  [
    "python",
    {
      wasm: pythonWasm,
      queries: {
        symbols: [pythonSymbols],
        imports: [pythonImports],
        references: [pythonReferences],
        comments: [pythonComments],
      },
      style: PYTHON,
    },
  ],
  [
    "javascript",
    {
      wasm: javascriptWasm,
      queries: {
        symbols: [ecmascriptSymbols, javascriptSymbols],
        imports: [ecmascriptImports],
        references: [ecmascriptReferences, javascriptReferences, jsxReferences],
        comments: [ecmascriptComments],
      },
      style: ECMASCRIPT,
    },
  ],
  [
    "typescript",
    {
      wasm: typescriptWasm,
      queries: {
        symbols: TYPESCRIPT_SYMBOLS,
        imports: TYPESCRIPT_IMPORTS,
        references: TYPESCRIPT_REFERENCES,
        comments: [ecmascriptComments],
      },
      style: ECMASCRIPT,
    },
  ],
  [
    "tsx",
    {
      wasm: tsxWasm,
      queries: {
        symbols: TYPESCRIPT_SYMBOLS,
        imports: TYPESCRIPT_IMPORTS,
        references: [...TYPESCRIPT_REFERENCES, jsxReferences],
        comments: [ecmascriptComments],
      },
      style: ECMASCRIPT,
    },
  ],
]);

/** Whether triple-quoted strings in a language are documentation. */
export const hasDocstrings = (language: string): boolean => GRAMMARS.get(language)?.style.docstrings ?? false;
