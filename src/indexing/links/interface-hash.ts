/**
 * A hash over what other files can see of a file: its symbols in order, imports, bases and package.
 *
 * If it stays the same, all other files resolve as before, whatever changed inside.
 */
import { createHash } from "node:crypto";
import type { FileFacts } from "../../syntax/facts/facts.ts";

/** A hash in hex. */
export function interfaceHash({ parsed, namespace, symbols, imports, references, exportedAs }: FileFacts): string {
  const bases = references.filter(({ kind }) => kind === "inherit" || kind === "implement");
  const seen = [
    parsed,
    namespace,
    symbols.map((symbol) => [
      symbol.name,
      symbol.qualifiedName,
      symbol.kind,
      symbol.signature,
      symbol.parent,
      symbol.exported,
    ]),
    imports.map(({ specifier, kind, names, star }) => [specifier, kind, names, star]),
    bases.map(({ name, qualifier, kind, symbol }) => [name, qualifier, kind, symbol]),
    Object.entries(exportedAs),
  ];
  return createHash("sha256").update(JSON.stringify(seen)).digest("hex").slice(0, 32);
}
