/**
 * The text of each notice: one sentence for people.
 *
 * Packages hold the sentences of the notices of their run, so changing one of those changes packages.
 */
import type { Notice, NoticeOf, SentForVectors } from "./notice.ts";
import { enumerated, listed } from "./text/listed.ts";

/** What an embedding model is sent. */
const SENT_WORDS: Readonly<Record<SentForVectors, string>> = {
  memory: "memories, experiences and queries",
  index: "definitions, commits and queries",
  all: "memories, experiences, definitions, commits and queries",
};

const REFINEMENT_WORDS = {
  unknown: "is not in the index",
  untested: "was not found: no test uses, imports or is named after what this names",
  rejected: "is only in rejected files",
  ambiguous: "matches too many things; say which, as path:name or a longer path",
  "left out": "is named as missing and as left out; it is not shown",
} as const;

const WHY_VAGUE: Readonly<Record<NoticeOf<"task-vague">["vague"], string>> = {
  unknown: "nothing in the index matches the task",
  general: "the task names nothing and has no word that is specific here",
  whole: "the task asks about the whole repository",
  unused:
    "references cannot prove that code is unused, since it is also reached from outside, by name and by frameworks (a compiler or linter of the language knows more)",
};

const meant = (near: string | undefined): string => (near ? `; did you mean ${near}?` : "");

/** Paths named on one line. */
const NAMED_MAX = 3;

const pathsText = (paths: readonly string[]): string => listed(paths, NAMED_MAX);

function redacted(places: NoticeOf<"secrets-redacted">["places"]): string {
  const count = places.reduce((sum, place) => sum + place.count, 0);
  const named = places.map(({ where, kinds }) => `${kinds.join(" and ")} in ${where}`);
  return `${count} ${count === 1 ? "secret is" : "secrets are"} redacted: ${named.join(", ")}`;
}

const withoutModel = ({ stages, whole }: NoticeOf<"judgement-failed">): string =>
  whole
    ? "the model is left out of the whole run"
    : `${stages.join(" and ")} ${stages.length === 1 ? "goes" : "go"} on without the model's judgement`;

/** One line for people, by code. */
const SENTENCES: { readonly [Code in Notice["code"]]: (notice: NoticeOf<Code>) => string } = {
  "history-missing": ({ why }) => `no git history: ${why}; recency and co-change are left out`,
  "history-outdated": ({ why, commit }) =>
    `git history could not be read: ${why}; the history of ${commit.slice(0, 12)} is used instead`,
  provisional: ({ counted, parsed, index, state, hasHistory, repositories = [] }) => {
    const why = index === "none" ? "without an index" : "given before the index is up to date";
    const read = `the words of ${counted} ${counted === 1 ? "file" : "files"} are counted and ${parsed} of them parsed`;
    const definitions = parsed < counted ? [`the definitions of the other ${counted - parsed}`, "all references"] : [];
    const added = enumerated([...definitions, ...(hasHistory ? ["the git history"] : [])]);
    const of = repositories.length === 0 ? "" : ` of ${listed(repositories, NAMED_MAX)}`;
    return `this is a first answer ${why} (state ${state}): ${read}; an index${of} ${added === "" ? "keeps what was found" : `adds ${added}`}`;
  },
  "enrichment-missing": () => "enrichment not found; the metadata tier is skipped",
  "no-candidates": ({ indexed }) =>
    indexed === 0
      ? "there are no files that cra reads, so the package is empty"
      : `include, exclude, hint_language and --only leave none of the ${indexed} files, so the package is empty`,
  "task-vague": ({ vague, ask }) =>
    `${WHY_VAGUE[vague]}, so this is a map of the repository; ask about a part of it${ask.length === 0 ? "" : `, such as ${ask.join(", ")}`}`,
  "seeds-capped": ({ kept, left }) =>
    `the task names more files than ${kept}; taken as candidates only: ${left.join(", ")}`,
  "name-ambiguous": ({ name, files }) =>
    `"${name}" is in ${files} files, so it names none of them; use --hint-path or --hint-symbol`,
  "hint-unknown": ({ hint, near }) => `the hint "${hint}" matches nothing in the index${meant(near)}`,
  "path-unknown": ({ path, near }) => `the task names "${path}", which is not in the index${meant(near)}`,
  "path-skipped": ({ path, skipped, reason }) => `"${path}" is not in the index: cra skips ${skipped} (${reason})`,
  "path-deleted": ({ path, commit }) => `commit ${commit.slice(0, 7)} deleted ${path}`,
  "path-renamed": ({ path, now, commit }) => `${now} was called ${path} until commit ${commit.slice(0, 7)}`,
  "refinement-unknown": ({ what, name, why, near }) => `the ${what} "${name}" ${REFINEMENT_WORDS[why]}${meant(near)}`,
  "changed-gone": ({ paths }) =>
    `changed, and not in the index (deleted, renamed, or of a kind that is not read): ${paths.join(", ")}`,
  "content-lacking": ({ paths }) =>
    `this clone lacks the earlier content of ${pathsText(paths)}, so their lines are not compared; git diff fetches it`,
  "changed-left": ({ kept, paths }) =>
    kept === null
      ? `changed, but not in the index: ${pathsText(paths)}`
      : `more than ${kept} files have changed; these are only candidates: ${pathsText(paths)}`,
  "changed-unnamed": ({ paths }) =>
    `changed, but only in the diff, since no option can name such paths: ${pathsText(paths)}`,
  "changes-untested": ({ files }) =>
    `no test uses, imports or is named after ${files === 1 ? "the changed source" : "any of the changed sources"}, as far as the index knows`,
  "nothing-changed": ({ others, against }) =>
    others === 0
      ? `nothing has changed ${against}`
      : `no file that can be selected has changed ${against}, but ${others} other ${others === 1 ? "file has" : "files have"}`,
  "review-unread": ({ why }) => `the changes that the task asks to review cannot be read: ${why}`,
  "review-committed": ({ since }) => `nothing is uncommitted, so this reviews what was committed since ${since}`,
  "diff-lost": ({ why }) => `the diff of the round before is left out: ${why}`,
  "trace-unplaced": ({ paths }) => `the trace names files that are not in the index: ${pathsText(paths)}`,
  "body-cut": ({ name, detail }) =>
    `there is no room for all of "${name}"; ${detail === "excerpt" ? "an excerpt" : "its signature"} is shown`,
  "index-changed": ({ round, provisional }) =>
    provisional
      ? `files have changed since round ${round} of this task, or others of them are parsed`
      : `the index has changed since round ${round} of this task`,
  "constraints-not-applied": ({ asked }) =>
    `earlier rounds of this task asked for what this one does not apply (${asked}); --keep-constraints applies it, --drop-constraints forgets it`,
  "memory-changed": ({ round }) =>
    `memories have changed since round ${round} of this task and are shown as they are now`,
  "index-stale": ({ why }) => `the index is older than the work tree: ${why}`,
  "not-recorded": ({ why }) => `this answer is not recorded, so refine and explain do not know it (${why})`,
  "template-missing": ({ where, path }) =>
    `${where}: there is no file ${path}; this format does not print the template, the prompt format needs it`,
  "template-unprinted": ({ format }) =>
    `--format ${format} does not print the template of --template; --format prompt does`,
  "data-dir-ignored": ({ path, why }) => `${path} is not used: ${why}`,
  "tokens-approximate": ({ margin }) => `token counts are estimates (characters / 4, margin ${margin})`,
  "secrets-redacted": ({ places }) => `${redacted(places)}; to show them: --allow-secrets`,
  "task-cut": ({ tokens }) => `the task's text was cut to ${tokens} tokens in the package (all of it was analysed)`,
  "inputs-skipped": ({ count }) =>
    `${count} ${count === 1 ? "input" : "inputs"} could not be read and ${count === 1 ? "was" : "were"} skipped`,
  "index-rebuilt": ({ why, movedTo }) => `the index was damaged (${why}); it was moved to ${movedTo} and rebuilt`,
  "log-restarted": ({ why, movedTo }) =>
    `the log of earlier runs was damaged (${why}); it was moved to ${movedTo} and a new one was started`,
  "session-set-aside": ({ why, movedTo }) => `the session of a task was damaged (${why}); it was moved to ${movedTo}`,
  "not-watched": ({ why }) => `the system cannot watch more folders (${why}); checking every few seconds instead`,
  "settings-kept": ({ why }) => `the settings from before stay in force, as these cannot be read: ${why}`,
  "judgement-failed": (notice) => `${withoutModel(notice)}: ${notice.why}; ${notice.next}`,
  "judgement-partial": ({ stage, judged, of, why, next }) =>
    `${stage}: the model judged ${judged} of ${of}, and the rest keeps its place: ${why}; ${next}`,
  "sources-left-out": ({ sources, why }) => `${enumerated(sources)} left out: ${why}`,
  "recall-over-limit": ({ tokens, limit }) => `the result takes ${tokens} tokens, more than the requested ${limit}`,
  "embedding-failed": ({ why, next }) => `comparing words only, not meanings: ${why}; ${next}`,
  "embedding-partial": ({ left, of }) =>
    `${left} ${of === "memory" ? "memory texts" : "definitions and commits"} have no vector yet and are found by words only; run: cra recall --embed-all`,
  "values-unworded": ({ values, why, next }) =>
    `${values} ${values === 1 ? "value quotes" : "values quote"} an experience, as the model did not word ${values === 1 ? "it" : "them"}: ${why}; ${next}`,
  "import-open": ({ host }) =>
    `the import came from ${host} over http://, so it may have been changed on the way; use https://`,
  "store-open": ({ host }) =>
    `${host} is reached without encryption, so others may read and change what is sent; leave out sslmode=disable`,
  "store-left-out": ({ why }) => `indexed here instead: ${why}`,
  "words-searched": () => "a query is words, not a regular expression; a|b finds either of two",
  "repository-left-out": ({ name, why }) => `${name} is left out: ${why}`,
  "model-remote": ({ what, host }) =>
    `${what === undefined ? "the task and parts of the repository" : SENT_WORDS[what]} are sent to ${host}`,
};

/** One line for people. */
export const noticeSentence = (notice: Notice): string => sentenceOf(notice.code, notice);

/** The code is a parameter of its own so that the compiler sees that row and notice belong together. */
const sentenceOf = <Code extends Notice["code"]>(code: Code, notice: NoticeOf<Code>): string => SENTENCES[code](notice);
