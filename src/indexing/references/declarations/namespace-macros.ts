/**
 * Namespaces of C++ that macros open: `#define SHOP_BEGIN namespace shop {`. The names after such a macro seem to be in no namespace, because
 * macros are not expanded.
 */
import type { OutlineSymbol } from "../../../syntax/facts/facts.ts";
import type { FileSymbols } from "./file-symbols.ts";

const DEFINE = /^#\s*define\s+\w+\s/;
const NAMESPACE = /\b(inline\s+)?namespace\s+([A-Za-z_][\w:]*)/g;

export const isMacro = ({ signature }: Pick<OutlineSymbol, "signature">): boolean => signature.startsWith("#");

/** The path of the namespaces that a macro opens, without inline ones, with dots; null if it opens none. */
export function openedByMacro({ signature }: Pick<OutlineSymbol, "signature">): string | null {
  if (!DEFINE.test(signature)) return null;
  const names = [...signature.matchAll(NAMESPACE)].flatMap(([, inline, name = ""]) =>
    inline === undefined ? name.split("::") : [],
  );
  return names.length === 0 ? null : names.join(".");
}

/** A path without a namespace that a macro of one of the files opens; null if it begins with none. */
export type PathInMacro = (files: ReadonlySet<FileSymbols>, path: string) => string | null;

/** Reads the macros of a file once. */
export function pathInMacro(): PathInMacro {
  const cached = new WeakMap<FileSymbols, readonly string[]>();
  const openedIn = (file: FileSymbols): readonly string[] => {
    let opened = cached.get(file);
    if (opened === undefined) {
      opened = file.facts.symbols.flatMap((symbol) => openedByMacro(symbol) ?? []);
      cached.set(file, opened);
    }
    return opened;
  };
  return (files, path) => {
    if (!path.includes(".")) return null;
    for (const file of files)
      for (const opened of openedIn(file)) if (path.startsWith(`${opened}.`)) return path.slice(opened.length + 1);
    return null;
  };
}
