/**
 * Variables of functions, which hide what the file defines or imports under the same name.
 *
 * @local is the name of a variable. With @local.after it is known only where that node ends (`run := run()` in Go), else
 * in its whole function. Functions inside see it, methods of a class inside do not see those of the class.
 */
import type { Match } from "../query/match.ts";
import { type SourceText, textOf } from "./source-text.ts";
import type { UncountedSymbol } from "./symbols.ts";

/** What a file has: its symbols, the offsets of the names that imports define, and the symbols by place and by name. */
export type ScopesOfFile = {
  readonly symbols: readonly Pick<UncountedSymbol, "name" | "kind" | "parent">[];
  readonly bound: ReadonlySet<number>;
  symbolAt(offset: number): number | null;
  symbolNamed(name: string, parent: number | null): number | null;
};

/** Whether a name is such a variable, at an offset inside a symbol or at the top level (null). */
export type LocalNames = { has(name: string, symbol: number | null, offset: number): boolean };

export function localNames(
  source: SourceText,
  matches: readonly Match[],
  { symbols, bound, symbolAt, symbolNamed }: ScopesOfFile,
): LocalNames {
  const knownFrom = new Map<string, number>();
  for (const { captures } of matches) {
    const local = captures.get("local");
    if (local === undefined || bound.has(local.start)) continue;
    const name = textOf(source, local);
    const symbol = symbolAt(local.start);
    // A symbol is found by its name where it is visible.
    if (symbolNamed(name, symbol) !== null || (symbol !== null && symbols[symbol]?.name === name)) continue;
    const key = `${symbol} ${name}`;
    const from = captures.get("local.after")?.end ?? 0;
    knownFrom.set(key, Math.min(from, knownFrom.get(key) ?? from));
  }
  return {
    has: (name, symbol, offset) => {
      for (let at = symbol; ; ) {
        const isFunction = at === symbol || FUNCTIONS.has(symbols[at ?? -1]?.kind ?? "");
        if (isFunction && offset >= (knownFrom.get(`${at} ${name}`) ?? Infinity)) return true;
        const around = at === null ? null : (symbols[at]?.parent ?? null);
        if (around === null) return false;
        at = around;
      }
    },
  };
}

const FUNCTIONS: ReadonlySet<string> = new Set(["function", "method"]);
