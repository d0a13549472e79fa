/** Reads a regular expression into a tree, as far as matching needs it, to count steps and to make hostile texts. */

export type Tree =
  /** One character. */
  | { readonly kind: "set"; has(character: string): boolean }
  | { readonly kind: "sequence"; readonly parts: readonly Tree[] }
  | { readonly kind: "choice"; readonly options: readonly Tree[] }
  | { readonly kind: "repeat"; readonly body: Tree; readonly min: number; readonly max: number; readonly lazy: boolean }
  | { readonly kind: "group"; readonly body: Tree; readonly number: number }
  | { readonly kind: "back"; readonly number: number }
  | { readonly kind: "look"; readonly body: Tree; readonly ahead: boolean; readonly wanted: boolean }
  /** `^`, `$`, `\b` or `\B`: holds between two characters, "" at the ends. */
  | { readonly kind: "edge"; holds(before: string, after: string): boolean };

/** Throws for syntax that the source does not use. */
export function regexTree(source: string, flags: string): Tree {
  let at = 0;
  let groups = 0;
  const single = flags.replace(/[gyd]/g, "");
  const takes = (text: string): boolean => {
    const is = source.startsWith(text, at);
    if (is) at += text.length;
    return is;
  };
  const taken = (pattern: RegExp): RegExpExecArray | null => {
    const match = pattern.exec(source.slice(at));
    at += match?.[0].length ?? 0;
    return match;
  };

  function choice(): Tree {
    const options = [sequence()];
    while (takes("|")) options.push(sequence());
    return options.length === 1 && options[0] !== undefined ? options[0] : { kind: "choice", options };
  }

  function sequence(): Tree {
    const parts: Tree[] = [];
    while (at < source.length && source[at] !== "|" && source[at] !== ")") parts.push(repeated(atom()));
    return { kind: "sequence", parts };
  }

  function repeated(body: Tree): Tree {
    const braces = taken(/^\{(\d+)(,?)(\d*)\}/);
    let [min, max] = [-1, -1];
    if (braces !== null) {
      const [, from = "0", comma = "", to = ""] = braces;
      min = Number(from);
      max = comma === "" ? min : to === "" ? Number.POSITIVE_INFINITY : Number(to);
    } else if (takes("*")) [min, max] = [0, Number.POSITIVE_INFINITY];
    else if (takes("+")) [min, max] = [1, Number.POSITIVE_INFINITY];
    else if (takes("?")) [min, max] = [0, 1];
    if (min < 0) return body;
    return { kind: "repeat", body, min, max, lazy: takes("?") };
  }

  function atom(): Tree {
    if (takes("(")) return group();
    if (takes("^")) return edge((before) => before === "" || (flags.includes("m") && isLineEnd(before)));
    if (takes("$")) return edge((_, after) => after === "" || (flags.includes("m") && isLineEnd(after)));
    if (source[at] === "[") return set(brackets());
    const escaped = taken(/^\\(?:[pP]\{[^}]*\}|u\{[\da-fA-F]+\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|k<\w+>|[\s\S])/)?.[0];
    if (escaped === "\\b") return edge((before, after) => isWord(before) !== isWord(after));
    if (escaped === "\\B") return edge((before, after) => isWord(before) === isWord(after));
    if (escaped !== undefined && /^\\(?:[1-9]|k<)/.test(escaped))
      return { kind: "back", number: Number(escaped[1]) || groups };
    if (escaped !== undefined) return set(escaped);
    const [character = ""] = source.slice(at);
    at += character.length;
    return set(character === "/" ? "\\/" : character);
  }

  function group(): Tree {
    const head = taken(/^\?(?:<?[=!]|[a-z-]*:|<\w+>)/)?.[0] ?? "";
    const isLook = /^\?<?[=!]$/.test(head);
    const isCapture = head === "" || /^\?<\w/.test(head);
    if (isCapture) groups += 1;
    const number = groups;
    const body = choice();
    at += 1;
    if (isLook) return { kind: "look", body, ahead: !head.includes("<"), wanted: head.endsWith("=") };
    return isCapture ? { kind: "group", body, number } : body;
  }

  function brackets(): string {
    const start = at;
    let depth = 0;
    do {
      if (source[at] === "\\") at += 1;
      else if (source[at] === "[" && (depth === 0 || flags.includes("v"))) depth += 1;
      else if (source[at] === "]") depth -= 1;
      at += 1;
    } while (depth > 0 && at < source.length);
    return source.slice(start, at);
  }

  function set(written: string): Tree {
    const pattern = new RegExp(`^(?:${written})$`, single);
    const known = new Map<string, boolean>();
    return {
      kind: "set",
      has(character) {
        const before = known.get(character);
        if (before !== undefined) return before;
        const has = pattern.exec(character)?.[0] === character;
        known.set(character, has);
        return has;
      },
    };
  }

  const tree = choice();
  if (at < source.length) throw new Error(`cannot read /${source}/ at ${at}`);
  return tree;
}

const edge = (holds: (before: string, after: string) => boolean): Tree => ({ kind: "edge", holds });
const isLineEnd = (character: string): boolean => /^[\n\r\u2028\u2029]$/.test(character);
const isWord = (character: string): boolean => /^\w$/.test(character);
