/**
 * Types of variables of functions, for uses of their members (`cart.add()` after `Cart cart;`).
 *
 * @local is the name of a variable and @local.held its type, or the function whose result it holds. A variable without a
 * type hides one of the same name. With `#set! through "->"` only members after an arrow are those of the type, with
 * `#set! through "."` only those after a dot.
 */
import type { Span } from "../../text/lines.ts";
import type { Match } from "../query/match.ts";
import type { ScopesOfFile } from "./local-names.ts";
import { type SourceText, textOf } from "./source-text.ts";

/** A declaration: the start of its name, and the span of its type. */
type Declared = {
  readonly pattern: number;
  readonly start: number;
  readonly type: Span | undefined;
  readonly through: string | undefined;
};

export type LocalTypes = {
  /** The span of the type of a variable whose member is used at an offset inside a symbol, or undefined. */
  of(name: string, symbol: number | null, offset: number): Declared["type"];
};

const NONE: LocalTypes = { of: () => undefined };

export function localTypes(
  source: SourceText,
  matches: readonly Match[],
  { symbols, symbolAt }: Pick<ScopesOfFile, "symbols" | "symbolAt">,
): LocalTypes {
  const isFunction = (symbol: number | null): boolean => FUNCTIONS.has(symbols[symbol ?? -1]?.kind ?? "");
  const byStart = new Map<number, Declared & { readonly key: string }>();
  let hasTypes = false;
  for (const { pattern, captures, settings } of matches) {
    const local = captures.get("local");
    if (local === undefined || pattern >= (byStart.get(local.start)?.pattern ?? Infinity)) continue;
    const symbol = symbolAt(local.start);
    if (!isFunction(symbol)) continue;
    const type = captures.get("local.held");
    hasTypes ||= type !== undefined;
    const key = `${symbol} ${textOf(source, local)}`;
    byStart.set(local.start, { pattern, start: local.start, type, through: settings.get("through"), key });
  }
  if (!hasTypes) return NONE;
  const declared = Map.groupBy(
    [...byStart.values()].toSorted((a, b) => a.start - b.start),
    ({ key }) => key,
  );
  return {
    of: (name, symbol, offset) => {
      for (let at = symbol; at !== null && isFunction(at); at = symbols[at]?.parent ?? null) {
        const last = declared
          .get(`${at} ${name}`)
          ?.findLast(({ start, type }) => start < offset && !isIn(type, offset));
        if (last === undefined) continue;
        return source.text.startsWith(last.through ?? "", offset + name.length) ? last.type : undefined;
      }
      return undefined;
    },
  };
}

/** `auto cart = cart.copy()` does not use the new variable. */
const isIn = (type: Declared["type"], offset: number): boolean =>
  type !== undefined && type.start <= offset && offset < type.end;

const FUNCTIONS: ReadonlySet<string> = new Set(["function", "method"]);
