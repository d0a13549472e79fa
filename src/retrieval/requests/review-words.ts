/**
 * Reads which changes the words of a task ask to review: "review this branch", "what changed since v1.2?".
 *
 * The phrase that names the changes is taken out of the text. The text asks for a review only if nothing but words of a review is left,
 * so neither "this branch of the if" nor a sentence about a cache does. Only what the review shall look for ("for races") may be any words.
 */
import { STOP_WORDS, wordSet } from "../../text/terms/stop-words.ts";
import { DAY_WORDS, NUMBERS, numberOf, type WordedDay, wordedDay } from "./worded-day.ts";

/**
 * What to compare. `since` and `until` list names of a commit: the first that exists is meant; without `until` it is HEAD. With `diff` the
 * work tree is compared, with HEAD or with where the branch left `since`; without it commits are. `day`: if no commit is called so, what
 * HEAD was when that day began. `orCommitted`: what the branch committed, if nothing is uncommitted. `request`: what the names in `until` are of.
 * `about` are the words of what to look for.
 */
export type WordedChanges = {
  readonly diff: "HEAD" | null;
  readonly since: readonly string[];
  readonly until: readonly string[];
  readonly day?: WordedDay;
  readonly orCommitted?: true;
  readonly request?: NumberedRequest;
  readonly about?: string;
};

/** A pull request as GitHub numbers it, or a merge request of GitLab. */
export type NumberedRequest = { readonly kind: "pull" | "merge"; readonly number: string };

/** What a branch is compared with if the task does not say it. */
export const DEFAULT_BRANCHES: readonly string[] = ["origin/HEAD", "main", "master", "origin/main", "origin/master"];

/** Longer texts have something of their own to say. */
const REVIEW_CHARS_MAX = 200;
/** "this change", "my last commit": what is reviewed. */
const REVIEWED =
  /\b(?:(?:this|these|my|our|the|last|latest|current|whole|uncommitted|staged)\s+){1,4}(?:changes?|changesets?|diffs?|patch(?:es)?|commits?|branch|prs?|pull requests?|merge requests?|edits?|code)\b/gi;
/** "to merge", "be committed": what for. */
const AIM = /\b(?:to|be)\s+(?:merged?|ship(?:ped)?|released?|commit(?:ted)?|push(?:ed)?)\b/gi;
const REVIEW_WORDS = wordSet(`
  review reviews reviewed reviewing change changes changed diff code check look looks find spot explain summarize summarise describe compare
  good right ok okay fine safe sane sound ready bugs errors problems issues regression regressions mistake mistakes flaw flaws careful
  carefully thorough thoroughly quick quickly lgtm
`);
/** What a review looks for, of whatever code: nothing to search for. */
const FLAWS = wordSet(`
  race races condition conditions deadlock deadlocks concurrency thread safety leak leaks memory security vulnerability vulnerabilities
  performance typo typos style correctness edge case cases crash crashes
`);
/** Who looks for something in changes says so: "add a check to the diff for x" does not. */
const LOOKS =
  /^(?:(?:please|can you|could you) )?(?:review|check|inspect|examine|audit|scan|look (?:at|over|through)|go (?:over|through)) /i;
const TELL_ME = /^(?:show|tell|give) me\b/i;

/** Whether a text only asks for a review of whatever has changed: "is this change right?", "check my commits for mistakes". */
export function asksForReview(text: string): boolean {
  if (text.length > REVIEW_CHARS_MAX) return false;
  const rest = text.replace(REVIEWED, " ");
  return areReviewWords(rest) && (rest !== text || hasReviewWord(rest));
}

/** Whether nothing but words of a review is in a text. */
const areReviewWords = (text: string): boolean =>
  !/[`_/\\]/.test(text) &&
  wordsIn(text.replace(AIM, " ")).every((word) => REVIEW_WORDS.has(word) || STOP_WORDS.has(word));

/** Whether a text says that it is about a review. */
const hasReviewWord = (text: string): boolean =>
  text.search(AIM) >= 0 || wordsIn(text).some((word) => REVIEW_WORDS.has(word));

const wordsIn = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** The changes that a text asks to review and nothing else, such as those of the last commit; null when it does not say which. */
export function askedInWords(text: string): WordedChanges | null {
  if (text.length > REVIEW_CHARS_MAX) return null;
  const words = text
    .trim()
    .replace(/[.?!]$/, "")
    .replace(/\s{1,100}/g, " ")
    .replace(TELL_ME, "");
  const asked = namedIn(words);
  if (asked !== null || !LOOKS.test(words)) return asked;
  const [changes = "", ...rest] = words.split(" for ");
  const about = rest.join(" for ");
  const named = about === "" ? null : namedIn(changes.replace(LOOKS, "review "));
  return named === null || areFlaws(about) ? named : { ...named, about };
}

const areFlaws = (text: string): boolean =>
  wordsIn(text).every((word) => FLAWS.has(word) || REVIEW_WORDS.has(word) || STOP_WORDS.has(word));

function namedIn(words: string): WordedChanges | null {
  for (const { phrase, read, isCommonWord } of PHRASES) {
    const match = phrase.exec(words);
    if (match === null) continue;
    const rest = `${words.slice(0, match.index)} ${words.slice(match.index + match[0].length)}`;
    if (!areReviewWords(rest) || (isCommonWord === true && !hasReviewWord(rest))) continue;
    const asked = read(match.slice(1).map((part) => (part === undefined ? "" : unquoted(part))));
    if (asked !== null) return asked;
  }
  return null;
}

/** `read` gets the groups of `phrase`, "" for one that is not there. `isCommonWord`: code has such words, so the text must speak of a review. */
type Phrase = {
  readonly phrase: RegExp;
  readonly read: (parts: readonly string[]) => WordedChanges | null;
  readonly isCommonWord?: true;
};

const WHOSE = `(?:(?:this|these|the|my|our|your|all|current|whole|latest) )`;
const OPEN = "(?:uncommitted|unstaged|staged|local|pending)";
const BRANCH = "(?:branch|prs?|mr|pull requests?|merge requests?)";
const CHANGES = "(?:changes?|changesets?|diffs?|patch(?:es)?|edits?)";
const CHANGED = "what (?:has |have )?changed|what (?:did|have) (?:i|we) changed?";
/** "since main", "against the branch main", "since the v1.2 release", at the end. */
const KIND = "(?:commit|tag|branch|release|version)";
const NAMED = String.raw`(?:(?:the )?${KIND} |the (?=\S+ ${KIND}$))?(\S+)(?: ${KIND})?$`;
const SINCE = `since ${NAMED}`;
const AGAINST = String.raw`(?:against|vs\.?|versus|relative to|compared (?:to|with)) ${NAMED}`;
/** What follows a phrase that means something else: "this branch of the if". */
const NOT_PART = "(?! (?:of|in|inside|within|on|since|against|between|before|after|from|that|which|where|when)\\b)";

const phrase = (...parts: readonly string[]): RegExp => new RegExp(`\\b${parts.join("")}`, "iu");

const PHRASES: readonly Phrase[] = [
  // "my changes since the last commit"
  { phrase: phrase(`since ${WHOSE}?(?:last |latest |previous )?commit$`), read: () => WORK_TREE },
  // "main..feature"
  {
    phrase: /(?:^| )(\S+)$/u,
    read: ([word = ""]) => {
      const [from = "", to = "", ...more] = word.split(/\.{2,3}/);
      return more.length === 0 ? range(from, to) : null;
    },
  },
  // "between v1.1 and v1.2"
  {
    phrase: phrase(String.raw`between (?:the )?(?:tags |commits |branches |releases |versions )?(\S+) and (\S+)$`),
    read: ([from = "", to = ""]) => range(from, to),
  },
  // "commit abc1234"
  {
    phrase: phrase(String.raw`(?:${WHOSE}?commit )(\S+)$`),
    read: ([name = ""]) => (isHash(name) || isNumbered(name) ? oneCommit(name) : null),
  },
  // "abc1234", "HEAD~2"
  {
    phrase: /(?:^| )(\S+)$/u,
    read: ([name = ""]) => (/^(?:HEAD|@)[~^]/.test(name) || isPlainHash(name) ? oneCommit(name) : null),
  },
  // "the last three commits on this branch"
  {
    phrase: phrase(
      String.raw`(?:this|the|my|our|last|latest|previous|current|most recent) (?:(\d{1,2}|${NUMBERS.join("|")}) commits|commit)`,
      `(?: (?:in|on|of) ${WHOSE}?(?:${BRANCH}|repo|repository)$)?`,
      "(?! (?:before|after|that|which|where|when)\\b)",
    ),
    read: ([count = ""]) => lastCommits(count === "" ? 1 : numberOf(count)),
  },
  // "PR 123", "merge request !45 against develop"
  {
    phrase: new RegExp(
      String.raw`(?:\b(pr|pull request)|\b(?:mr|merge request)|(?:^|(?<= ))(?=!)) ?(?:[#!]|no\.? |number )?(\d{1,9})(?: ${AGAINST}|$)`,
      "iu",
    ),
    read: ([pull = "", number = "", base = ""]) => ofRequest(base, { kind: pull === "" ? "merge" : "pull", number }),
    isCommonWord: true,
  },
  // "branch feature/login against main"
  {
    phrase: phrase(String.raw`${WHOSE}?branch (\S+?)(?: ${AGAINST}|$)`),
    read: ([name = "", base = ""]) => (looksNamed(name) ? ofBranch(base, [name, `origin/${name}`]) : null),
  },
  // "my branch against main", "PR against develop"
  { phrase: phrase(`${WHOSE}*${BRANCH} ${AGAINST}`), read: ([base = ""]) => ofBranch(base) },
  // "this pull request"
  {
    phrase: phrase(`${WHOSE}{1,3}${BRANCH}\\b${NOT_PART}`),
    read: () => ({ diff: null, since: DEFAULT_BRANCHES, until: [] }),
    isCommonWord: true,
  },
  // "what changed since last week", "my work since Monday"
  {
    phrase: phrase(
      `(?:${WHOSE}*(?:${OPEN} )?(?:${CHANGES}|commits)|${WHOSE}+(?:code|work)|everything|all|${CHANGED}) since (${DAY_WORDS})$`,
    ),
    read: ([words = ""]) => {
      const day = wordedDay(words);
      return day && { diff: null, since: "date" in day ? namesOf(day.date) : [], until: [], day };
    },
  },
  // "all commits since v1.2", "what changed since main"
  {
    phrase: phrase(`(?:${WHOSE}*(?:${OPEN} )?(?:${CHANGES}|commits|code|work)|everything|all|${CHANGED}) ${SINCE}`),
    read: ([base = ""]) => ofBranch(base),
  },
  // "my changes against main"
  {
    phrase: phrase(`(?:${WHOSE}*(?:${OPEN} )?(?:${CHANGES}|code|work)|everything|all|${CHANGED}) ${AGAINST}`),
    read: ([base = ""]) => {
      const asked = ofBranch(base);
      return asked && { ...asked, diff: "HEAD" };
    },
  },
  // "uncommitted work", "the diff"
  {
    phrase: phrase(
      `(?:${WHOSE}*${OPEN} (?:${CHANGES}|work|code)|${WHOSE}{1,2}(?:diffs?|work(?:ing)? (?:tree|copy)))\\b${NOT_PART}`,
    ),
    read: () => WORK_TREE,
  },
  // "my changes", "what did I change": they may be committed
  {
    phrase: phrase(`(?:${WHOSE}{1,2}${CHANGES}|${CHANGED})\\b${NOT_PART}`),
    read: () => ({ ...WORK_TREE, orCommitted: true }),
  },
];

const WORK_TREE: WordedChanges = { diff: "HEAD", since: [], until: [] };

const lastCommits = (count: number): WordedChanges => ({ diff: null, since: [`HEAD~${count}`], until: [] });

const oneCommit = (name: string): WordedChanges | null =>
  isRevision(name) ? { diff: null, since: [`${name}~1`], until: [name] } : null;

/** In code and prose, two words are a range of other things. */
const range = (from: string, to: string): WordedChanges | null =>
  isRevision(from) && isRevision(to) && (looksNamed(from) || looksNamed(to))
    ? { diff: null, since: [from], until: [to] }
    : null;

const ofBranch = (base: string, until: readonly string[] = []): WordedChanges | null =>
  base === "" || (isRevision(base) && !isProse(base))
    ? { diff: null, since: base === "" ? DEFAULT_BRANCHES : namesOf(base), until }
    : null;

/** Where clones have the commits of a request: as the host names them, as a remote's, or as a branch of their own. */
function ofRequest(base: string, request: NumberedRequest): WordedChanges | null {
  const { kind, number } = request;
  const [host, short] = kind === "pull" ? ["pull", "pr"] : ["merge-requests", "mr"];
  const names = [`refs/${host}/${number}/head`, `refs/remotes/origin/${short}/${number}`];
  const asked = ofBranch(base, [...names, `${short}-${number}`, `${short}/${number}`]);
  return asked && { ...asked, request };
}

/** A clone may have a branch only as the remote's. */
const namesOf = (base: string): readonly string[] => [base, `origin/${base}`];

/** Whether a word can be the name of a commit. */
const isRevision = (word: string): boolean =>
  /^[\p{L}\p{N}_@][\p{L}\p{N}_./@^~{}+#=-]*$/u.test(word) && !word.includes("..") && !/[./]$/.test(word);

/** "since then" names no commit. */
const isProse = (word: string): boolean => STOP_WORDS.has(word.toLowerCase()) || NO_NAMES.has(word.toLowerCase());

const NO_NAMES = wordSet(`
  last latest previous first current yesterday today week weekend month year beginning start
  sunday monday tuesday wednesday thursday friday saturday
`);

/** Whether a word can hardly be anything but the name of a commit, branch or tag. */
const looksNamed = (word: string): boolean =>
  isRevision(word) && (/^(?:main|master|develop)$|[/_-]/.test(word) || isNumbered(word) || isPlainHash(word));

/** "HEAD~2", "v1.2" */
const isNumbered = (word: string): boolean => /^(?:HEAD|@)(?:[~^]|$)|^v?\d{1,9}\.\d|^v\d/.test(word);

const isHash = (word: string): boolean => /^[0-9a-f]{7,40}$/i.test(word);
/** Of words and numbers it is not sure. */
const isPlainHash = (word: string): boolean => isHash(word) && /\d/.test(word) && /[a-f]/i.test(word);

const unquoted = (word: string): string => word.replace(/^["'`]/, "").replace(/["'`,;:]{1,2}$/, "");
