/**
 * Conditional compilation that a grammar cannot read: branches that open or close braces of their own
 * (`#if A` / `if (x) {` / `#else` / `if (y) {` / `#endif`), and those inside of parentheses.
 *
 * Of such a group one branch stays, and its directives go. All other groups stay as they are, so that what is defined
 * in any of their branches is found. Linear in the text, whatever the depth.
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

/** How a line begins that goes on with what stands before it. */
const CONTINUES = /^\s*(?:[,?=|]|:(?!:)|&&)/;
/** How code ends that can be read by itself; an enumerator and an argument end with a comma. */
const COMPLETE = ";{}:,";
const CPLUSPLUS = /^#\s*if(?:def|\s+defined)\b[\s(]*__cplusplus\b/;
const NEVER = /^#\s*(?:el)?if\s+0\b/;

/** Whether a line is the first of its branch. */
const startsHere = (lines: readonly CLine[], index: number): boolean =>
  /^(?:if|else|elif)/.test(lines[index - 1]?.word ?? "");

/** Which lines have to go, by their index. */
export function uneven(lines: readonly CLine[]): (index: number) => boolean {
  const changes = new Int32Array(lines.length + 1);
  const drop = (start: number, end: number): void => {
    if (start >= end) return;
    changes[start] = (changes[start] ?? 0) + 1;
    changes[end] = (changes[end] ?? 0) - 1;
  };
  const open: Group[] = [];
  // How deep it was where a line without indentation opened a brace: what closes it there goes back, whatever
  // was miscounted between.
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
      // Without its directives nothing is lost, and it can stand in lists of all sorts.
      group.uneven ||= group.branches.length === 1;
      const chosen = group.uneven ? choose(group.branches) : group.branches[0];
      depth = group.depth + (chosen?.net ?? 0);
      if (group.uneven) dropOthers(lines, group.branches, chosen, index, drop);
      const around = open.at(-1);
      const branch = around?.branches.at(-1);
      if (around !== undefined && branch !== undefined && chosen !== undefined) {
        branch.dip = Math.min(branch.dip, group.depth - around.depth + chosen.dip);
        if (chosen.last !== "") branch.last = chosen.last;
      }
      return;
    }
    // Other directives inside of parentheses (an `#include` in a table) cannot be read either.
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

/** Ends the branch that is open. */
function close(group: Group, depth: number, parens: number): void {
  const branch = group.branches.at(-1);
  if (branch === undefined) return;
  branch.net = depth - group.depth;
  const isFragment = branch.last !== "" && !COMPLETE.includes(branch.last);
  group.uneven ||= branch.net !== 0 || branch.dip < 0 || parens !== group.parens || isFragment;
}

/** The first branch that can be compiled; none of those that only open or close `extern "C"`. */
function choose(branches: readonly Branch[]): Branch | undefined {
  const [first] = branches;
  if (first !== undefined && first.net !== 0 && CPLUSPLUS.test(first.condition) && branches.length === 1)
    return undefined;
  return branches.find(({ condition }) => !NEVER.test(condition));
}

function dropOthers(
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

/** The line after a directive and what continues it. */
function afterDirective(lines: readonly CLine[], start: number): number {
  let at = start + 1;
  while (lines[at]?.directive === true && lines[at]?.word === null) at += 1;
  return at;
}
