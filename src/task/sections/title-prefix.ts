/**
 * Reads which part of the repository a title begins with: `parser: …`, `net/http, io: …`, `fix(parser)!: …`, `[parser] …`.
 *
 * The form in parentheses is that of Conventional Commits 1.0.0, the first one is usual in projects of Go and Rust.
 */
import type { TaskQuery } from "../query.ts";

const NAME = String.raw`@?(?:[\w.-]{1,40}\/){0,5}[\w.-]{2,40}`;
const NAMES = String.raw`${NAME}(?:\s?[,|]\s?${NAME}){0,4}`;
const AFTER_TYPE = new RegExp(String.raw`^[a-z]{2,12}\((${NAMES})\)!?:\s`, "i");
const ALONE = new RegExp(String.raw`^(${NAMES})!?:\s`);
const TAGS = /^(?:\[[^\]]{1,60}\]\s?)+(?:(?<=\s)|:)/;
const IN_BRACKETS = new RegExp(String.raw`\[(${NAMES})\]`, "g");

/** A word with only its first letter capital begins a sentence ("Views: …"), so it is not taken for a name. */
const PLAIN_WORD = /^[A-Z][a-z]+$/;
/** These say what kind of task it is, not which part it is about. */
const KINDS = new Set(
  `bug build chore ci crash doc docs enhancement error feat feature fatal fix hotfix improvement issue note perf proposal question
   refactor regression release request revert rfc security style summary task test tests title todo typo warning wip`.split(
    /\s+/,
  ),
);

/** All files are compared with each name, and the subject of a mail may be long. */
const NAMES_MAX = 8;

/** The first names in lower case, with `/` between folders; without the scope of an npm package. */
export function titlePrefixes({ title, sections }: Pick<TaskQuery, "title" | "sections">): readonly string[] {
  const at = sections.findIndex(({ kind }) => kind === "title");
  const before = sections[at - 1];
  // What was taken off the title comes right before it.
  const label = before?.kind === "noise" ? before.text : "";
  const tags = label + (TAGS.exec(title)?.[0] ?? "");
  const lists = [...tags.matchAll(IN_BRACKETS)].map(([, names]) => names);
  const alone = ALONE.exec(title)?.[1] ?? "";
  lists.push(AFTER_TYPE.exec(title)?.[1] ?? (PLAIN_WORD.test(alone) ? "" : alone));
  const names = lists.flatMap((list = "") => list.toLowerCase().split(/[\s,|]+/));
  const places = names.filter((name) => /[a-z\d]/.test(name) && !KINDS.has(name));
  return [...new Set(places.map((name) => name.replace(/^@[^/]*\//, "")))].slice(0, NAMES_MAX);
}
