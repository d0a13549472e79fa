/** Which changes the words of a task ask to review, and that prose asks for none. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { askedInWords, DEFAULT_BRANCHES, type WordedChanges } from "../../../src/retrieval/requests/review-words.ts";
import type { WordedDay } from "../../../src/retrieval/requests/worded-day.ts";

const WORK_TREE: WordedChanges = { diff: "HEAD", since: [], until: [] };
const since = (...names: readonly string[]): WordedChanges => ({ diff: null, since: names, until: [] });
const last = (count: number): WordedChanges => since(`HEAD~${count}`);
const branchSince = (name: string): WordedChanges => since(name, `origin/${name}`);
const commit = (name: string): WordedChanges => ({ diff: null, since: [`${name}~1`], until: [name] });
const range = (from: string, to: string): WordedChanges => ({ diff: null, since: [from], until: [to] });
const BRANCH = since(...DEFAULT_BRANCHES);
const MY_CHANGES: WordedChanges = { ...WORK_TREE, orCommitted: true };
const pull = (number: string, since = DEFAULT_BRANCHES): WordedChanges => ({
  ...{ diff: null, since, request: { kind: "pull", number } },
  until: [`refs/pull/${number}/head`, `refs/remotes/origin/pr/${number}`, `pr-${number}`, `pr/${number}`],
});
const merge = (number: string): WordedChanges => ({
  ...{ diff: null, since: DEFAULT_BRANCHES, request: { kind: "merge", number } },
  until: [`refs/merge-requests/${number}/head`, `refs/remotes/origin/mr/${number}`, `mr-${number}`, `mr/${number}`],
});
const sinceDay = (day: WordedDay): WordedChanges => ({ ...since(), day });

const ASKED: readonly (readonly [string, WordedChanges])[] = [
  ["Review the last commit", last(1)],
  ["review last commit", last(1)],
  ["is this commit safe to merge?", last(1)],
  ["review the last three commits", last(3)],
  ["review the last two commits on this branch", last(2)],
  ["what changed in the last commit?", last(1)],
  ["please review my uncommitted changes", WORK_TREE],
  ["review my changes", MY_CHANGES],
  ["review uncommitted changes", WORK_TREE],
  ["find bugs in the diff", WORK_TREE],
  ["review the working tree", WORK_TREE],
  ["what did I change?", MY_CHANGES],
  ["show me what changed", MY_CHANGES],
  ["review the changes since the last commit", WORK_TREE],
  ["review this branch", BRANCH],
  ["review the changes on this branch", BRANCH],
  ["is this PR ready to merge?", BRANCH],
  ["code review for the current branch", BRANCH],
  ["review my branch against main", branchSince("main")],
  ["review PR against develop", branchSince("develop")],
  ["review this pull request against the release/2.x branch", branchSince("release/2.x")],
  ["what changed since main?", branchSince("main")],
  ["review the changes since v0.13.2", branchSince("v0.13.2")],
  ["review changes since the v1.2 release", branchSince("v1.2")],
  ["review all commits since `v1.2`", branchSince("v1.2")],
  ["review my changes since origin/main.", branchSince("origin/main")],
  ["review everything since 3f2a1bc", branchSince("3f2a1bc")],
  ["review the diff against main", { ...branchSince("main"), diff: "HEAD" }],
  ["review branch feature/login", { ...BRANCH, until: ["feature/login", "origin/feature/login"] }],
  [
    "review the branch feature/login against main",
    { ...branchSince("main"), until: ["feature/login", "origin/feature/login"] },
  ],
  ["review PR 123", pull("123")],
  ["Please review pull request #123.", pull("123")],
  ["summarize the PR #7", pull("7")],
  ["review PR 123 against develop", pull("123", ["develop", "origin/develop"])],
  ["review MR !45", merge("45")],
  ["review merge request 45", merge("45")],
  ["review !45", merge("45")],
  ["review commit abc1234", commit("abc1234")],
  ["explain commit HEAD~2", commit("HEAD~2")],
  ["review 3f2a1bc", commit("3f2a1bc")],
  ["what changed since last week?", sinceDay({ daysAgo: 7 })],
  ["review changes since Monday", sinceDay({ weekday: 1 })],
  ["review all commits since last Friday", sinceDay({ weekday: 5 })],
  ["check the changes since yesterday", sinceDay({ daysAgo: 1 })],
  ["review my work since three days ago", sinceDay({ daysAgo: 3 })],
  ["review changes since 2026-11-01", { ...branchSince("2026-11-01"), day: { date: "2026-11-01" } }],
  ["review HEAD~3..HEAD", range("HEAD~3", "HEAD")],
  ["review main..feature", range("main", "feature")],
  ["review the changes between v1.1 and v1.2", range("v1.1", "v1.2")],
];

/** What to look for may be any words. */
const ABOUT: typeof ASKED = [
  ["check my last 3 commits for mistakes", last(3)],
  ["review the last commit for races", last(1)],
  ["review PR 123 for wrong rounding of taxes", { ...pull("123"), about: "wrong rounding of taxes" }],
  ["check my changes for security issues and memory leaks", MY_CHANGES],
  ["review this branch for missing error handling", { ...BRANCH, about: "missing error handling" }],
  ["review the last commit for races in the cache", { ...last(1), about: "races in the cache" }],
  ["please check the diff for wrong rounding of taxes", { ...WORK_TREE, about: "wrong rounding of taxes" }],
  ["review everything since yesterday for typos", sinceDay({ daysAgo: 1 })],
];

test.each([...ASKED, ...ABOUT].map(([text, asked]) => ({ text, asked })))("$text", ({ text, asked }) => {
  expect(askedInWords(text)).toEqual(asked);
});

test.each([
  "code review",
  "review tests/*.py",
  "fix the changes since the login was moved",
  "show the diff of two trees",
  "undo the last commit",
  "review this branch of the if",
  "explain this branch of the switch",
  "why is this branch not taken",
  "why is this branch wrong",
  "review branch coverage",
  "review commit messages",
  "explain changes since then",
  "what changed since it worked",
  "explain the last commit for the release notes",
  "fix the last commit for Windows",
  "look for the last commit of a file",
  "search this branch for conflicts",
  "add a check to the diff for binary files",
  "review of the cache for races",
  "code review for the login page",
  "it does not work since yesterday",
  "the tests fail since Monday",
  "what is wrong since last week",
  "undo the changes since Monday",
  "list files changed since 2026-11-01",
  "review changes since last release",
  "review changes since the weekend",
  "review this branch against the spec",
  "what is in 1..10",
  "explain foo..bar",
  "review the choice between this and that",
  "review src/../lib",
  "explain facade",
  "PR 123",
  "revert PR 123",
  "review PR 123 of the cache",
  "review the pull request template 2",
  "review 45",
  "review a!45",
  "review 1234567",
  "check the code since --upload-pack=x",
  "review changes since -x",
  "review changes since main:secret",
  "review commit ..HEAD",
])("%p asks for no changes of the repository", (text) => {
  expect(askedInWords(text)).toBeNull();
});

const PROSE = "cache login handler parser raises null retry timeout crash users token header slowly redirect".split(
  " ",
);

test("a request with words of its own, before or after it, is a task like any other", () => {
  const words = fc.array(fc.constantFrom(...PROSE), { minLength: 1, maxLength: 4 }).map((all) => all.join(" "));
  fc.assert(
    fc.property(fc.constantFrom(...ASKED.map(([text]) => text)), words, (text, prose) => {
      expect(askedInWords(`${prose} ${text}`)).toBeNull();
      expect(askedInWords(`${text.replace(/[.?]$/, "")} ${prose}`)).toBeNull();
    }),
  );
});

const FORMS = [
  "review changes since NAME",
  "review commit NAME",
  "review NAME..v1",
  "review main..NAME",
  "review branch NAME",
];
const ODD = ["-x", "..", "...", "\0", "\u001b[2J", "\u202e", "a:b", "~", "HEAD", "v1.2", "/", "`", "main", "@{u}", "*"];

test("no name is an option, a path, a range or has control characters, whatever the text", () => {
  const names = fc.array(fc.constantFrom(...ODD), { minLength: 1, maxLength: 4 }).map((all) => all.join(""));
  fc.assert(
    fc.property(fc.constantFrom(...FORMS), names, (form, name) => {
      const asked = askedInWords(form.replace("NAME", () => name));
      for (const one of [...(asked?.since ?? []), ...(asked?.until ?? [])])
        expect(one).toMatch(/^(?!.*\.\.)[\p{L}\p{N}_@][\p{L}\p{N}_./@^~{}+#=-]*$/u);
    }),
  );
});
