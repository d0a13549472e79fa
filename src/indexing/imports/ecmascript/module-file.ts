/**
 * Finds the file that a path of a module specifier means: extensions, `index` files, and output extensions that stand for
 * sources (`./a.js` for `./a.ts`).
 *
 * TypeScript importers follow TypeScript's order; JavaScript importers try the path as written first. Case matters.
 * `.json` must be written out.
 */

const TYPESCRIPT_FIRST = [".ts", ".tsx", ".d.ts", ".mts", ".cts", ".d.mts", ".d.cts", ".js", ".jsx", ".mjs", ".cjs"];
const JAVASCRIPT_FIRST = [".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts", ".d.ts", ".d.mts", ".d.cts"];

/** Which sources an output extension may stand for, in TypeScript's order. */
const SOURCES_OF: ReadonlyMap<string, readonly string[]> = new Map([
  [".js", [".ts", ".tsx", ".d.ts", ".jsx"]],
  [".jsx", [".tsx", ".d.ts"]],
  [".mjs", [".mts", ".d.mts"]],
  [".cjs", [".cts", ".d.cts"]],
]);

const OUTPUT_EXTENSION = /(\.[mc]?jsx?)$/;
const TYPESCRIPT_FILE = /\.[mc]?tsx?$/;
const ANY_EXTENSION = /(?:\.d)?\.[mc]?[jt]sx?$/;

/** The indexed file that `path` means when `from` imports it, or null. */
export function moduleFile(paths: ReadonlySet<string>, path: string, from: string): string | null {
  const isTypescript = TYPESCRIPT_FILE.test(from);
  const extension = OUTPUT_EXTENSION.exec(path)?.[1] ?? "";
  const stem = path.slice(0, path.length - extension.length);
  const sources = (SOURCES_OF.get(extension) ?? []).map((source) => stem + source);
  const order = isTypescript ? TYPESCRIPT_FIRST : JAVASCRIPT_FIRST;
  return (
    first(paths, isTypescript ? sources : []) ??
    first(paths, [path]) ??
    first(paths, sources) ??
    first(paths, path === "" ? [] : order.map((ending) => path + ending)) ??
    first(
      paths,
      order.map((ending) => (path === "" ? `index${ending}` : `${path}/index${ending}`)),
    )
  );
}

/** Like `moduleFile`, for the path of a built file: any source with that stem matches. */
export function sourceFile(paths: ReadonlySet<string>, path: string): string | null {
  return moduleFile(paths, path.replace(ANY_EXTENSION, ""), ".ts");
}

const first = (paths: ReadonlySet<string>, candidates: readonly string[]): string | null =>
  candidates.find((candidate) => paths.has(candidate)) ?? null;
