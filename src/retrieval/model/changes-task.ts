/** The task of a review: a list of what has changed, or words that ask for nothing but a review. */
import { analyzeTask, type TaskBackground } from "../../task/analyze.ts";
import type { TaskQuery } from "../../task/query.ts";
import { display } from "../../text/display.ts";
import { STOP_WORDS } from "../../text/terms/stop-words.ts";
import { symbolParts } from "./request-names.ts";

/** The text of a task that consists of changes alone. `isPath` tells the files that are changed. */
export function changesTask(names: readonly string[], isPath: (path: string) => boolean): string {
  const parts = names.map((text) => {
    const { path, name } = symbolParts(text, isPath);
    return isPath(text) || path === "" ? { path: text, name: "" } : { path, name };
  });
  const byFile = Map.groupBy(parts, ({ path }) => path);
  const lines = [...byFile].map(([path, own]) => {
    const symbols = own.flatMap(({ name }) => (name === "" ? [] : [`\`${name}\``]));
    return `- \`${display(path)}\`${symbols.length === 0 ? "" : `: ${symbols.join(", ")}`}`;
  });
  return `${REVIEW}\n\n${lines.join("\n")}`;
}

const REVIEW = "Please review these changes:";

/** Whether a text is such a task. Nobody wrote its words: the changes themselves say what it is about. */
export const isChangesTask = (text: string): boolean =>
  text.startsWith(`${REVIEW}\n\n`) &&
  text
    .slice(REVIEW.length + 2)
    .split("\n")
    .every((line) => line.startsWith("- `"));

/** Longer texts have something of their own to say. */
const REVIEW_CHARS_MAX = 200;
/** "this change", "my last commit": what is reviewed. */
const REVIEWED =
  /\b(?:(?:this|these|my|our|the|last|latest|current|whole|uncommitted|staged)\s+){1,4}(?:changes?|changesets?|diffs?|patch(?:es)?|commits?|branch|prs?|pull requests?|merge requests?|edits?|code)\b/gi;
/** "to merge", "be committed": what for. */
const AIM = /\b(?:to|be)\s+(?:merged?|ship(?:ped)?|released?|commit(?:ted)?|push(?:ed)?)\b/gi;
const REVIEW_WORDS: ReadonlySet<string> = new Set(
  "review reviews reviewed reviewing change changes diff code check look looks find spot explain summarize summarise describe good right ok okay fine safe sane sound ready bugs errors problems issues regression regressions mistake mistakes flaw flaws careful carefully thorough thoroughly quick quickly lgtm".split(
    " ",
  ),
);

/** Whether a text only asks for a review of whatever has changed: "is this change right?", "check my commits for mistakes". */
function asksForReview(text: string): boolean {
  if (text.length > REVIEW_CHARS_MAX || /[`_/\\]/.test(text)) return false;
  const rest = text.replace(REVIEWED, " ").replace(AIM, " ");
  const words = rest.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const isReview = rest !== text || words.some((word) => REVIEW_WORDS.has(word));
  return isReview && words.every((word) => REVIEW_WORDS.has(word) || STOP_WORDS.has(word));
}

/** What to compare, as `--diff` and `--since` say it. */
type Compared = { readonly diff: string | null; readonly since: string | null };

/** "since main", at the end. */
const SINCE = /\bsince\s(?:the\s)?(?:(?:commit|tag|branch|release|version)\s)?([^\s"'`?!,;:]{1,100})$/i;
/** "the last commit", "my last 3 commits". */
const COMMITS = /\b(?:this|the|my|our|last|latest|previous|current)\s(?:(\d{1,2})\scommits|commit)\b/i;
/** "my changes", "the diff": they are not committed. */
const UNCOMMITTED =
  /\b(?:this|these|my|our|the|current|uncommitted|staged)\s(?:changes?|changesets?|diffs?|patch(?:es)?|edits?)\b/i;

/** The changes that a text asks to review and nothing else, such as those of the last commit; null when it does not say which. */
export function askedInWords(text: string): Compared | null {
  if (text.length > REVIEW_CHARS_MAX) return null;
  const words = text
    .trim()
    .replace(/[.?!]$/, "")
    .replace(/\s{1,100}/g, " ");
  const since = SINCE.exec(words);
  const said = since === null ? words : words.slice(0, since.index);
  const [commits, count = "1"] = COMMITS.exec(said) ?? [];
  const plain = commits === undefined ? said : said.replace(commits, "the last commit");
  if (!asksForReview(plain)) return null;
  if (since !== null) return { diff: null, since: since[1] ?? null };
  if (commits !== undefined) return { diff: null, since: `HEAD~${Number(count)}` };
  return UNCOMMITTED.test(plain) ? { diff: "HEAD", since: null } : null;
}

/** The analysis of a task. If it asks for a review alone, it has no words to search for: `changed` says what it is about. */
export function analyzeAsked(text: string, background: TaskBackground, changed: readonly string[]): TaskQuery {
  const whole = analyzeTask(text, background);
  if (!isChangesTask(text) && !(changed.length > 0 && (asksForReview(text) || askedInWords(text) !== null)))
    return whole;
  const { raw, title, taskType } = whole;
  return { ...analyzeTask("", background), raw, title, taskType };
}
