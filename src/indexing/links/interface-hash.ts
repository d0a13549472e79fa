/**
 * A hash over what other files can see of a file: its symbols in order, imports, bases and package.
 *
 * If it stays the same, all other files resolve as before, whatever changed inside.
 */
import { givingThemselves } from "../references/declarations/untyped-results.ts";
import { basesBySymbol, type Interface, importTexts } from "./interface-diff.ts";

/** A hash in hex. */
export function interfaceHash(facts: Interface): string {
  const { parsed, namespace, symbols, exportedAs } = facts;
  const seen = [
    parsed,
    namespace,
    symbols.map(({ name, qualifiedName, kind, signature, parent, exported }) => [
      name,
      qualifiedName,
      kind,
      signature,
      parent,
      exported,
    ]),
    importTexts(facts),
    [...basesBySymbol(facts)],
    Object.entries(exportedAs),
    [...givingThemselves(facts)],
  ];
  return Bun.SHA256.hash(JSON.stringify(seen), "hex").slice(0, 32);
}
