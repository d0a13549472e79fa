/**
 * Finds conditional compilation that a grammar cannot read: branches that open or close braces (`#if A` / `if (x) {` /
 * `#else` / `if (y) {` / `#endif`), and groups inside parentheses.
 *
 * Such a group keeps one branch and loses its directives. All other groups stay unchanged, so that the definitions in
 * all of their branches are found. Linear in the text at any depth.
 */
import type { CLine } from "./lines.ts";

type Branch = { readonly start: number; net: number; dip: number; last: string; readonly condition: string };
type Group = {
  readonly branches: Branch[];
  readonly depth: number;
  readonly opened: number;
  parens: number;
  uneven: boolean;
};

/** The start of a line that continues the code before it. */
const CONTINUES = /^\s*(?:[,?=|]|:(?!:)|&&)/;
/** The last character of complete code; an enumerator and an argument end with a comma. */
const COMPLETE = ";{}:,";
const CPLUSPLUS = /^#\s*if(?:def|\s+defined)\b[\s(]*__cplusplus\b/;
const NEVER = /^#\s*(?:el)?if\s+0\b/;

const startsHere = (lines: readonly CLine[], index: number): boolean =>
  /^(?:if|else|elif)/.test(lines[index - 1]?.word ?? "");

/** Returns a test whether the line at an index has to be removed. */
export function uneven(lines: readonly CLine[]): (index: number) => boolean {
  const changes = new Int32Array(lines.length + 1);
  const drop = (start: number, end: number): void => {
    if (start >= end) return;
    changes[start] = (changes[start] ?? 0) + 1;
    changes[end] = (changes[end] ?? 0) - 1;
  };
  const open: Group[] = [];
  // The depths at which an unindented line opened a brace. Its closing brace restores that depth, which undoes any
  // miscount in between.
  const outer: number[] = [];
  let depth = 0;
  let parens = 0;

  lines.forEach(({ word, text, directive, braces, dip, parens: opened, first, last }, index) => {
    const group = open.at(-1);
    if (word === "if" || word === "ifdef" || word === "ifndef") {
      open.push({ branches: [branchAt(index, text)], depth, opened: outer.length, parens, uneven: parens > 0 });
      return;
    }
    if (group !== undefined && (word === "else" || word === "elif")) {
      close(group, depth, parens);
      group.branches.push(branchAt(index, text));
      ({ depth, parens } = group);
      outer.length = Math.min(outer.length, group.opened);
      return;
    }
    if (group !== undefined && word === "endif") {
      close(group, depth, parens);
      open.pop();
      // Removing the directives of a single branch loses nothing, and these groups can occur in lists of any kind.
      group.uneven ||= group.branches.length === 1;
      const chosen = group.uneven ? choose(group.branches) : group.branches[0];
      depth = group.depth + (chosen?.net ?? 0);
      if (group.uneven) dropOtherModels(lines, group.branches, chosen, index, drop);
      const around = open.at(-1);
      const branch = around?.branches.at(-1);
      if (around !== undefined && branch !== undefined && chosen !== undefined) {
        branch.dip = Math.min(branch.dip, group.depth - around.depth + chosen.dip);
        if (chosen.last !== "") branch.last = chosen.last;
      }
      return;
    }
    // Other directives inside parentheses (an `#include` in a table) are unreadable too.
    if (word !== null && parens > 0) drop(index, afterDirective(lines, index));
    const branch = group?.branches.at(-1);
    if (group !== undefined && first !== "" && CONTINUES.test(text)) group.uneven ||= startsHere(lines, index);
    if (branch !== undefined && group !== undefined) branch.dip = Math.min(branch.dip, depth - group.depth + dip);
    if (!directive && last !== "" && branch !== undefined) branch.last = last;
    const flush = first !== "" && text.startsWith(first);
    const back = flush && first === "}" && braces < 0 ? outer.pop() : undefined;
    if (flush && braces > 0) outer.push(depth);
    depth = back ?? depth + braces;
    parens = flush && first === "}" ? 0 : Math.max(0, parens + opened);
  });

  let dropped = 0;
  const gone = Uint8Array.from(lines, (_, index) => {
    dropped += changes[index] ?? 0;
    return dropped > 0 ? 1 : 0;
  });
  return (index) => gone[index] === 1;
}

const branchAt = (start: number, text: string): Branch => ({ start, net: 0, dip: 0, last: "", condition: text.trim() });

/** Ends the open branch. */
function close(group: Group, depth: number, parens: number): void {
  const branch = group.branches.at(-1);
  if (branch === undefined) return;
  branch.net = depth - group.depth;
  const isFragment = branch.last !== "" && !COMPLETE.includes(branch.last);
  group.uneven ||= branch.net !== 0 || branch.dip < 0 || parens !== group.parens || isFragment;
}

/** The first branch that can be compiled; none if the only branch opens or closes `extern "C"`. */
function choose(branches: readonly Branch[]): Branch | undefined {
  const [first] = branches;
  if (first !== undefined && first.net !== 0 && CPLUSPLUS.test(first.condition) && branches.length === 1)
    return undefined;
  return branches.find(({ condition }) => !NEVER.test(condition));
}

function dropOtherModels(
  lines: readonly CLine[],
  branches: readonly Branch[],
  chosen: Branch | undefined,
  endif: number,
  drop: (start: number, end: number) => void,
): void {
  branches.forEach((branch, at) => {
    const end = branches[at + 1]?.start ?? endif;
    drop(branch.start, branch === chosen ? afterDirective(lines, branch.start) : end);
  });
  drop(endif, afterDirective(lines, endif));
}

/** The line after a directive and its continuation lines. */
function afterDirective(lines: readonly CLine[], start: number): number {
  let at = start + 1;
  while (lines[at]?.directive === true && lines[at]?.word === null) at += 1;
  return at;
}
