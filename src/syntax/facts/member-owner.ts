/** The owner of a member that is defined outside its type: `func (s *Server) Run()`, `void Foo::bar()`, extensions. */
import type { OutlinedFacts, OutlineSymbol } from "./facts.ts";

type WithSymbols = Pick<OutlinedFacts, "symbols">;

/** The length of the owner in a symbol's qualified name: the part without its parent and its name. */
function ownerLength({ symbols }: WithSymbols, { name, qualifiedName, parent }: OutlineSymbol): number {
  const around = parent === null ? undefined : symbols[parent]?.qualifiedName;
  return qualifiedName.length - (around === undefined ? 0 : around.length + 1) - name.length - 1;
}

/** The owner of an external member as written (`Server` of `func (s *Server) Run()`), or null. */
export function ownerOf(facts: WithSymbols, symbol: OutlineSymbol): string | null {
  const length = ownerLength(facts, symbol);
  const { name, qualifiedName } = symbol;
  if (length <= 0 || !qualifiedName.endsWith(`.${name}`)) return null;
  const end = qualifiedName.length - name.length - 1;
  return qualifiedName.slice(end - length, end);
}

export const isExternalMember = (facts: WithSymbols, symbol: OutlineSymbol): boolean =>
  ownerLength(facts, symbol) > 0 && ownerOf(facts, symbol) !== null;
