/** JavaScript, TypeScript and TSX: their files, their words, and where their grammars come from. */
import { type Highlighting, SCRIPT } from "../highlighting.ts";
import type { Language, Stub } from "../language.ts";
import { type NameRules, PLAIN_NAMES, words } from "../name-rules.ts";

/** The part of a test's file name before its extension. */
const TESTS = "[^/]*[.-](?:test|spec|test-d|tests|e2e|stories|story)";

const HIGHLIGHTING: Highlighting = {
  ...SCRIPT,
  keywords: `abstract any as async await boolean break case catch class const continue debugger declare default delete
    do else enum export extends false finally for from function get if implements import in infer instanceof interface
    is keyof let namespace never new null number object of override private protected public readonly return satisfies
    set static string super switch symbol this throw true try type typeof undefined unknown var void while with yield`,
};

const CLASSES: readonly Stub[] = [[/^(?:export )?(?:default )?class /, " {}"]];
const DECLARATIONS: readonly Stub[] = [
  [/^(?:export )?(?:default )?(?:declare )?(?:abstract class|class|interface|(?:const )?enum) /, " {}"],
  [/^(?:export )?(?:default )?(?:declare )?function /, ";"],
];

const NAMES: NameRules = { ...PLAIN_NAMES, moduleValues: true, itself: words("constructor") };

/** Rules that Vue, Svelte and Astro share. */
export const ECMASCRIPT = {
  stackFrames: "node",
  stubs: CLASSES,
  highlighting: HIGHLIGHTING,
  imports: "ecmascript",
  names: NAMES,
} satisfies Language;

export const JAVASCRIPT = {
  ...ECMASCRIPT,
  endings: "js jsx mjs cjs",
  rareEndings: "es6",
  roles: {
    test: String.raw`[^/]*_tests?\.js|tests?\.js|${TESTS}\.[cm]?jsx?`,
    example: String.raw`[^/]*[.-]bench\.[cm]?jsx?`,
    config: String.raw`[\w.-]*\.config\.[cm]?js|[Gg]ulpfile\.js|Gruntfile\.js|\.eslintrc\.[cm]?js|rollup[\w.-]*\.js|webpack[\w.-]*\.js|build\.js|karma[\w.-]*\.js`,
  },
  parsing: {
    kind: "grammar",
    wasm: "@vscode/tree-sitter-wasm/wasm/tree-sitter-javascript.wasm",
    load: async () => (await import("./syntax.ts")).JAVASCRIPT_GRAMMAR,
    sample: { text: "export function greet() {\n  return 1;\n}\n", finds: "greet" },
  },
} satisfies Language;

export const TYPESCRIPT = {
  ...ECMASCRIPT,
  stubs: DECLARATIONS,
  endings: "ts mts cts",
  roles: {
    test: String.raw`[^/]*_tests?\.ts|tests?\.ts|${TESTS}\.[cm]?ts`,
    example: String.raw`[^/]*[.-]bench\.[cm]?ts`,
    declaration: String.raw`[^/]*\.d\.[cm]?ts`,
    config: String.raw`[\w.-]*\.config\.[cm]?ts`,
  },
  parsing: {
    kind: "grammar",
    wasm: "@vscode/tree-sitter-wasm/wasm/tree-sitter-typescript.wasm",
    load: async () => (await import("./syntax.ts")).TYPESCRIPT_GRAMMAR,
    sample: { text: "export function greet(): number {\n  return 1;\n}\n", finds: "greet" },
  },
} satisfies Language;

export const TSX = {
  ...ECMASCRIPT,
  stubs: DECLARATIONS,
  endings: "tsx",
  roles: {
    test: String.raw`${TESTS}\.[cm]?tsx`,
    example: String.raw`[^/]*[.-]bench\.[cm]?tsx`,
  },
  parsing: {
    kind: "grammar",
    wasm: "@vscode/tree-sitter-wasm/wasm/tree-sitter-tsx.wasm",
    load: async () => (await import("./syntax.ts")).TSX_GRAMMAR,
    sample: { text: "export const Greeting = () => {\n  return <p>hello</p>;\n};\n", finds: "Greeting" },
  },
} satisfies Language;
