/** JavaScript, TypeScript and TSX, where statements export and JSDoc stands above what it describes. */
import javascriptWasm from "../../../dist/grammars/tree-sitter-javascript.wasm.zst" with { type: "file" };
import tsxWasm from "../../../dist/grammars/tree-sitter-tsx.wasm.zst" with { type: "file" };
import typescriptWasm from "../../../dist/grammars/tree-sitter-typescript.wasm.zst" with { type: "file" };
import comments from "../../../grammars/ecmascript/comments.scm" with { type: "text" };
import imports from "../../../grammars/ecmascript/imports.scm" with { type: "text" };
import references from "../../../grammars/ecmascript/references.scm" with { type: "text" };
import symbols from "../../../grammars/ecmascript/symbols.scm" with { type: "text" };
import javascriptReferences from "../../../grammars/javascript/references.scm" with { type: "text" };
import javascriptSymbols from "../../../grammars/javascript/symbols.scm" with { type: "text" };
import jsxReferences from "../../../grammars/jsx/references.scm" with { type: "text" };
import typescriptImports from "../../../grammars/typescript/imports.scm" with { type: "text" };
import typescriptReferences from "../../../grammars/typescript/references.scm" with { type: "text" };
import typescriptSymbols from "../../../grammars/typescript/symbols.scm" with { type: "text" };
import type { Grammar } from "./language.ts";
import { JAVADOC_STYLE, type LanguageStyle } from "./style.ts";

/**
 * The end of a member without a semicolon, when the next line of code begins with `<`: the grammar reads on,
 * and takes the type parameters of a call signature for arguments of the type before.
 */
const UNFINISHED =
  /((?:[\w\])}'"]|(?<!=)>))((?:[ \t]*(?:\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*\*\/)?[ \t]*\r?\n)+[ \t]*)(?=<[\w\s])/g;

const STYLE: LanguageStyle = {
  ...JAVADOC_STYLE,
  leadIn: /(?:\b(?:export|default|declare|const|let|var|using|await)\s+)+$/,
  public: false,
  isPrivate: (name) => name.startsWith("#"),
  mend: (text) => text.replace(UNFINISHED, (_, end: string, gap: string) => `${end};${gap.slice(1)}`),
  ownerPath: (owner) => {
    const path = owner.replace(/\.prototype$/, "").replace(/[?!]/g, "");
    return /^(?:this|self|exports|module\.exports)$/.test(path) || !/^[\w$.]+$/.test(path) ? null : path;
  },
};

export const JAVASCRIPT: Grammar = {
  kind: "grammar",
  wasm: javascriptWasm,
  queries: {
    symbols: [symbols, javascriptSymbols],
    imports: [imports],
    references: [references, javascriptReferences, jsxReferences],
    comments: [comments],
  },
  style: STYLE,
};

const TYPED = {
  symbols: [symbols, typescriptSymbols],
  imports: [imports, typescriptImports],
  references: [references, typescriptReferences],
  comments: [comments],
};

export const TYPESCRIPT: Grammar = { kind: "grammar", wasm: typescriptWasm, queries: TYPED, style: STYLE };

export const TSX: Grammar = {
  kind: "grammar",
  wasm: tsxWasm,
  queries: { ...TYPED, references: [...TYPED.references, jsxReferences] },
  style: STYLE,
};
