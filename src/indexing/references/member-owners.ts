/** Members that stand outside of the types they belong to: `func (s *Server) Run()`, `void Foo::bar()`, extensions. */
import type { FileFacts, SymbolFact } from "../../syntax/facts/facts.ts";

/** How much longer a symbol's path is than its name and what it stands in: by its owner and a dot. In characters. */
function ownerLength({ symbols }: FileFacts, { name, qualifiedName, parent }: SymbolFact): number {
  const around = parent === null ? undefined : symbols[parent]?.qualifiedName;
  return qualifiedName.length - (around === undefined ? 0 : around.length + 1) - name.length - 1;
}

/** The owner, as written, of a member that stands outside of it (`Server` of `func (s *Server) Run()`), or null. */
export function ownerOf(facts: FileFacts, symbol: SymbolFact): string | null {
  const length = ownerLength(facts, symbol);
  const { name, qualifiedName } = symbol;
  if (length <= 0 || !qualifiedName.endsWith(`.${name}`)) return null;
  const end = qualifiedName.length - name.length - 1;
  return qualifiedName.slice(end - length, end);
}

/** Whether a symbol stands outside of the type that it belongs to. */
export const isOutside = (facts: FileFacts, symbol: SymbolFact): boolean =>
  ownerLength(facts, symbol) > 0 && ownerOf(facts, symbol) !== null;
