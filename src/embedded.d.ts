/**
 * The types of files that the build puts inside the binary.
 *
 * `*.zst` (compressed grammars, `with { type: "file" }`) is a path to read; `*.scm` (tree-sitter queries,
 * `with { type: "text" }`) is the text itself.
 */

declare module "*.zst" {
  const path: string;
  export default path;
}

declare module "*.scm" {
  const text: string;
  export default text;
}
