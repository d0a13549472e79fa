/** JavaScript, TypeScript and TSX, with export statements and with JSDoc above definitions; JavaScript with types of Flow is read as TSX. */
import javascriptWasm from "../../../dist/grammars/tree-sitter-javascript.wasm.zst" with { type: "file" };
import tsxWasm from "../../../dist/grammars/tree-sitter-tsx.wasm.zst" with { type: "file" };
import typescriptWasm from "../../../dist/grammars/tree-sitter-typescript.wasm.zst" with { type: "file" };
import { type Grammar, JAVADOC_STYLE, type LanguageStyle } from "../syntax.ts";
import imports from "./imports.scm" with { type: "text" };
import javascriptReferences from "./javascript-references.scm" with { type: "text" };
import javascriptSymbols from "./javascript-symbols.scm" with { type: "text" };
import jsxReferences from "./jsx-references.scm" with { type: "text" };
import references from "./references.scm" with { type: "text" };
import symbols from "./symbols.scm" with { type: "text" };
import typescriptImports from "./typescript-imports.scm" with { type: "text" };
import typescriptReferences from "./typescript-references.scm" with { type: "text" };
import typescriptSymbols from "./typescript-symbols.scm" with { type: "text" };

/**
 * The end of a member without a semicolon if the next line of code starts with `<`: the grammar continues there and takes
 * the type parameters of a call signature for arguments of the previous type. Only few and short comments may come between.
 */
const UNFINISHED =
  /((?:[\w\])}'"]|(?<!=)>))((?:[ \t]*(?:\/\/[^\n]{0,200}\n|(?:\/\*(?:[^*]|\*(?!\/)){0,200}\*\/[ \t]*)?\r?\n)){1,20}[ \t]*)(?=<[\w\s])/g;

const COMMENTS = "[(comment) (hash_bang_line)] @comment";

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

/** The comment of files with types of Flow, most of which the grammar of TypeScript knows, near the start of a text. */
const FLOW = /^[ \t]*(?:\/\*+|\*|\/\/)[ \t]*@flow\b/m;
const FLOW_WITHIN = 2_000;

export const JAVASCRIPT_GRAMMAR: Grammar = {
  wasm: javascriptWasm,
  queries: {
    symbols: `${symbols}\n${javascriptSymbols}`,
    imports,
    references: `${references}\n${javascriptReferences}\n${jsxReferences}`,
    comments: COMMENTS,
  },
  style: STYLE,
  dialect: (text) => (FLOW.test(text.slice(0, FLOW_WITHIN)) ? "tsx" : null),
};

const TYPED = {
  symbols: `${symbols}\n${typescriptSymbols}`,
  imports: `${imports}\n${typescriptImports}`,
  references: `${references}\n${typescriptReferences}`,
  comments: COMMENTS,
};

export const TYPESCRIPT_GRAMMAR: Grammar = { wasm: typescriptWasm, queries: TYPED, style: STYLE };

export const TSX_GRAMMAR: Grammar = {
  wasm: tsxWasm,
  queries: { ...TYPED, references: `${TYPED.references}\n${jsxReferences}` },
  style: STYLE,
};
