/**
 * Tells whether a task is vague: whether nothing that it says is specific in this repository.
 *
 * A task is not vague when it names something, or a concept of the index, or is a review, which is about its changes. A question about the
 * whole repository ("explain the architecture", "where do I start?") is vague, although code may have a function `explain`, and so is
 * one about all unused code. Otherwise one of its words must be a word of the code: one that code has, no less than half as often as
 * comments do, since words such as "faster" and "improve" speak about code. Words that say the kind of work ("clean", "tests") do not
 * count, nor those of every second file.
 * Where hardly any file is program text, as in a manual, the text of all files counts as code.
 * None of 319 development cases is vague (each has at least one such word or a name).
 */
import type { FileQueries, FileRow } from "../../db/curated/knowledge-base.ts";
import type { TaskQuery } from "../../task/query.ts";
import { saysKindOfWork } from "../../task/task-type.ts";
import { wordSet } from "../../text/terms/stop-words.ts";
import { type DocumentFrequency, documentFrequencies, type WordFrequency } from "../lexical/document-frequency.ts";
import type { Anchor } from "../model/anchor.ts";
import type { Vagueness } from "../model/vagueness.ts";
import { searchedSections } from "../ranking/rank-repository.ts";
import { isOnlyReview } from "../requests/changes-task.ts";

/** A longer task says something; looking its words up would cost time. */
const KEYWORDS_MAX = 24;
/** A word in more than this share of the files says nothing, except in a small repository. */
const COMMON_SHARE = 0.5;
const COMMON_SOURCES_MIN = 20;
/** A word counts if code has it in this share of the files of whose comments it is part. */
const CODE_TO_COMMENT_MIN = 0.5;
/** Another form of a word must be in the code of at least this many files: "faster" does not mean the one function `fast`. */
const STEMMED_FILES_MIN = 3;
/** In a task with at least this many words, a word that at most this many source files have leads somewhere, even if only comments have it. */
const SENTENCE_WORDS_MIN = 3;
const RARE_FILES_MAX = 3;

/** How a question about the whole repository begins. */
const ASKS = new RegExp(
  [
    String.raw`^\s*(?:(?:please|(?:can|could|would) you|help (?:me|us)(?: to)?)\s+)*`,
    String.raw`(?:how|what|where|explain|describe|summari[sz]e|understand|give\b.*\boverview|overview|walk (?:me|us) through`,
    String.raw`|high[- ]level (?:design|architecture|overview)|get started|onboard(?:ing)? (?:to|onto))\b`,
  ].join(""),
  "i",
);
/** The words that it may have beside stop words, and those that it may have if it says something. */
const OF_THE_WHOLE = wordSet(`
  architecture codebase describe explain give organized overview project repo repository structure structured summarise
  summarize understand
`);
const OF_A_PHRASE: readonly (readonly [phrase: RegExp, words: ReadonlySet<string>])[] = [
  [/^\s*where\b/i, wordSet("begin reading start")],
  [/\bget started\b/i, wordSet("started")],
  [/\bhelp (?:me|us)\b/i, wordSet("help")],
  [/\bwalk (?:me|us) through\b/i, wordSet("walk")],
  [/\bhigh[- ]level\b/i, wordSet("high level design")],
  [/\bonboard(?:ing)? (?:to|onto)\b/i, wordSet("onboard onboarding")],
];
/** What says that code has no use, and the words that a question about all such code may have. */
const UNUSED =
  /\b(?:dead code|unused|unreachable|unreferenced|(?:never|not|nobody|nothing) (?:\w+ )?(?:calls?|called|imports?|imported|references?|referenced|uses?|used))\b/i;
const OF_THE_UNUSED = wordSet(`
  call called calls class classes code codebase constant constants dead definition definitions detect export exports file files find function
  functions identify import imported imports list method methods module modules never nobody nothing project reference referenced references remove
  repo repository show symbol symbols type types unreachable unreferenced unused use used uses variable variables
`);

const NAMED_UNUSED = /unused|unreachable|unreferenced|dead[-_]?code/i;
const NAMED_UNUSED_MIN = 2;

/** Null for a task that is not vague. `anchors` are what it names. */
export function vaguenessOf(
  task: TaskQuery,
  anchors: readonly Anchor[],
  kb: Pick<FileQueries, "termStats">,
  files: readonly FileRow[],
): Vagueness | null {
  const isKnown = anchors.some(isName) || task.concepts.length > 0;
  if (isOnlyReview(task) || isKnown || task.keywords.length > KEYWORDS_MAX) return null;
  if (isAboutTheWhole(task)) return "whole";
  if (isAboutUnused(task) && !findsUnused(files)) return "unused";
  const found = documentFrequencies(kb, files, subjectWords(task), searchedSections(task));
  const isCommon = ({ stemmed: { code, path } }: WordFrequency): boolean =>
    found.sources >= COMMON_SOURCES_MIN && (code > COMMON_SHARE * found.sources || path > COMMON_SHARE * files.length);
  if (found.words.filter(isAboutCode).some((word) => !isCommon(word))) return null;
  return found.words.some(({ stemmed: { path, code, comment } }) => path + code + comment > 0) ? "general" : "unknown";
}

/** Whether any word of a task is one of the code, even a common one. */
export const hasWordOfCode = (
  task: TaskQuery,
  kb: Pick<FileQueries, "termStats">,
  files: readonly FileRow[],
): boolean => documentFrequencies(kb, files, subjectWords(task), searchedSections(task)).words.some(isAboutCode);

function isAboutTheWhole({ raw, keywords, urls }: TaskQuery): boolean {
  if (!ASKS.test(raw) || urls.length > 0) return false;
  const allowed = [OF_THE_WHOLE, ...OF_A_PHRASE.flatMap(([phrase, words]) => (phrase.test(raw) ? [words] : []))];
  return keywords.every((word) => allowed.some((words) => words.has(word)));
}

const isAboutUnused = ({ raw, keywords }: TaskQuery): boolean =>
  UNUSED.test(raw) && keywords.every((word) => OF_THE_UNUSED.has(word));

/** Whether a repository is a linter or compiler, where such a task is about code that has these words in its files' names. */
const findsUnused = (files: readonly FileRow[]): boolean =>
  files.filter(({ path }) => NAMED_UNUSED.test(path)).length >= NAMED_UNUSED_MIN;

const subjectWords = ({ keywords }: TaskQuery): readonly string[] => keywords.filter((word) => !saysKindOfWork(word));

const isAboutCode = (word: WordFrequency, _: number, { length }: readonly WordFrequency[]): boolean =>
  isOfTheCode(word) || (length >= SENTENCE_WORDS_MIN && isRare(word));

/** Plain words that are also names of definitions, such as "make" and "this", are words and no names. */
const isName = ({ kind, codeLike, files }: Anchor): boolean => files.length > 0 && (codeLike || kind !== "definition");

function isOfTheCode({ written, stemmed }: WordFrequency): boolean {
  if (written.path > 0) return true;
  if (written.code > 0 && isMoreThanComment(written)) return true;
  return isMoreThanComment(stemmed) && (stemmed.code >= STEMMED_FILES_MIN || stemmed.path > 0);
}

const isRare = ({ stemmed: { code, comment } }: WordFrequency): boolean =>
  code + comment > 0 && Math.max(code, comment) <= RARE_FILES_MAX;

const isMoreThanComment = ({ code, comment }: DocumentFrequency): boolean => code >= CODE_TO_COMMENT_MIN * comment;
