/** Measures the functions and types of a TypeScript file with the grammar that `cra` itself reads TypeScript with. */
import { loadGrammar } from "../../src/syntax/parse/load-grammar.ts";

const FUNCTIONS = [
  "arrow_function",
  "function_declaration",
  "function_expression",
  "generator_function",
  "generator_function_declaration",
  "method_definition",
];
const TYPES = ["interface_body", "object_type"];

// There is one tree-sitter runtime in a process, and other tests share it.
const [typescript, tsx] = [await loadGrammar("typescript"), await loadGrammar("tsx")];

/** A function with its number of lines, or a type with its number of members. */
type Size = { readonly kind: "function" | "type"; readonly line: number; readonly size: number };

/** The sizes of all functions and types of a file, nested ones too. */
export function sizesIn(path: string, text: string): readonly Size[] {
  const { parser } = path.endsWith(".tsx") ? tsx : typescript;
  const tree = parser.parse(text);
  if (tree === null) throw new Error(`${path}: cannot be parsed`);
  const sizes = tree.rootNode.descendantsOfType([...FUNCTIONS, ...TYPES]).map((node): Size => {
    const line = node.startPosition.row + 1;
    return TYPES.includes(node.type)
      ? { kind: "type", line, size: node.namedChildren.filter(({ type }) => type !== "comment").length }
      : { kind: "function", line, size: node.endPosition.row + 2 - line };
  });
  tree.delete();
  return sizes;
}
