/**
 * The commands of what was learned before: rows of the table in `table.ts`.
 */
import {
  AXES,
  CONFIDENCES,
  DOMAINS,
  MEMORY_CATEGORIES,
  OUTCOMES,
  ROOT_CAUSE_CATEGORIES,
  STRATEGIES,
} from "../../memory/vocabulary.ts";
import { CONTEXT_TYPES } from "../../recall/context/context-item.ts";
import { EMBEDDING_OPTIONS, MODEL_OPTIONS } from "../options/model-options.ts";
import type { Command, Option } from "../syntax/command.ts";

/** What is not a new entry that is typed: one of these at a time. */
const SOURCES = ["--import", "--update", "--from-task"] as const;
const otherSources = (own: string) => SOURCES.filter((flag) => flag !== own);

const STRATEGY: Option = {
  flag: "--strategy",
  value: "name",
  choices: STRATEGIES,
  summary: `how it was gone about: ${STRATEGIES.join(", ")}`,
};
const DOMAIN: Option = {
  flag: "--domain",
  value: "name",
  choices: DOMAINS,
  summary: `the kind of work: ${DOMAINS.join(", ")}`,
};

const REMEMBER_OPTIONS: readonly Option[] = [
  {
    flag: "--category",
    value: "name",
    choices: MEMORY_CATEGORIES,
    summary: `of a memory: ${MEMORY_CATEGORIES.join(", ")} (default fact)`,
  },
  { flag: "--importance", value: "number", summary: "of a memory, 0 to 1 (default 0.5)" },
  { flag: "--goal", value: "text", summary: "of an experience: what was to be reached" },
  { flag: "--hypothesis", value: "text", summary: "what was believed" },
  { flag: "--action", value: "text", summary: "what was done about it" },
  { flag: "--prediction", value: "text", summary: "what was expected to come of that" },
  DOMAIN,
  STRATEGY,
  {
    flag: "--outcome",
    value: "name",
    choices: OUTCOMES,
    summary: `what became of the hypothesis: ${OUTCOMES.join(", ")}; none while it goes on`,
  },
  { flag: "--result", value: "text", summary: "what came of it" },
  { flag: "--surprise", value: "text", summary: "what was not expected" },
  {
    flag: "--root-cause",
    value: "name",
    choices: ROOT_CAUSE_CATEGORIES,
    summary: `why it failed: ${ROOT_CAUSE_CATEGORIES.join(", ")}`,
  },
  { flag: "--root-cause-text", value: "text", summary: "the same in words" },
  { flag: "--lesson", value: "text", summary: "what worked" },
  { flag: "--takeaway", value: "text", summary: "what to do the next time" },
  {
    flag: "--confidence",
    value: "name",
    choices: CONFIDENCES,
    summary: `how far it can be relied on: ${CONFIDENCES.join(", ")}; by default from the outcome`,
  },
  { flag: "--edit", summary: "write or complete it in $VISUAL or $EDITOR", conflicts: ["--import"] },
  {
    flag: "--entry",
    value: "file",
    summary: 'what there is to say as JSON (cra schema entry), or as TOML as the editor has it; "-" is standard input',
    conflicts: ["--import"],
    completes: "file",
  },
  {
    flag: "--import",
    value: "file",
    summary: 'what cra recall --list --json printed, or JSON Lines, all or nothing; "-" is standard input',
    conflicts: otherSources("--import"),
    completes: "file",
  },
  {
    flag: "--update",
    value: "id",
    summary: "go on with a stored one; hypothesis, action and prediction together are a new iteration",
    conflicts: otherSources("--update"),
  },
  {
    flag: "--from-task",
    value: "task-id",
    summary: "make an experience of a task; again, and the same one is brought up to date",
    conflicts: otherSources("--from-task"),
  },
];

/** Of the commands that make packages. */
export const WITH_MEMORY: Option = {
  flag: "--with-memory",
  key: "with_memory",
  summary: "add what was learned before, in a section of its own (see cra remember)",
};

const LISTED = { needs: ["--list"] } as const;

/** What `cra recall --list` can be narrowed to. */
const LIST_OPTIONS: readonly Option[] = [
  {
    flag: "--list",
    summary: "what is stored, the newest first; a query keeps what has all its words",
    conflicts: ["--types", "--max-tokens"],
  },
  {
    flag: "--type",
    value: "name",
    choices: ["memory", "experience"],
    summary: "list memories or experiences",
    ...LISTED,
  },
  { flag: "--category", value: "name", choices: MEMORY_CATEGORIES, summary: "list such memories", ...LISTED },
  { flag: "--domain", value: "name", choices: DOMAINS, summary: "list experiences of such work", ...LISTED },
  { flag: "--strategy", value: "name", choices: STRATEGIES, summary: "list experiences gone about so", ...LISTED },
  {
    flag: "--outcome",
    value: "name",
    choices: [...OUTCOMES, "open"],
    summary: `list experiences that ended so: ${OUTCOMES.join(", ")}; open for those that did not`,
    ...LISTED,
  },
  {
    flag: "--confidence",
    value: "name",
    choices: CONFIDENCES,
    summary: `list experiences of this confidence: ${CONFIDENCES.join(", ")}`,
    ...LISTED,
  },
];

const limit = (summary: string): Option => ({
  flag: "--limit",
  value: "items",
  whole: { least: 1, most: 100_000 },
  summary,
});

const maxTokens = (fallback: number): Option => ({
  flag: "--max-tokens",
  value: "tokens",
  whole: { least: 1, most: 10_000_000 },
  summary: `tokens to aim at; where more is needed, that is said (default ${fallback})`,
});

export const MEMORY_COMMANDS: readonly Command[] = [
  {
    name: "remember",
    summary: "keep a memory or an experience, for recall and premortem",
    arguments: [{ name: "text", summary: 'a memory in words, or "-" to read it from standard input', required: false }],
    quoting: "put the text in quotes",
    options: REMEMBER_OPTIONS,
    examples: [
      { line: 'cra remember "CI runs on Node 20 only" --category fact', does: "a memory" },
      { line: 'cra remember --edit --domain debugging --goal "find the leak"', does: "an experience, in an editor" },
      {
        line: 'cra remember --update exp-1f3a --outcome confirmed --result "it was the cache" --lesson "log"',
        does: "how one ended",
      },
      { line: "cra remember --from-task 1f3a --edit", does: "what a task was and became" },
    ],
    run: () => import("./remember.ts"),
  },
  {
    name: "forget",
    summary: "remove memories and experiences for good",
    arguments: [{ name: "id", summary: "ids, or beginnings of them", required: true, variadic: true }],
    options: [{ flag: "--yes", summary: "do not ask" }],
    examples: [{ line: "cra forget mem-1f3a exp-9c0b", does: "remove these two, once you said yes" }],
    run: () => import("./forget.ts"),
  },
  {
    name: "recall",
    summary: "what is known about something: memories, code, experiences, values, commits",
    arguments: [{ name: "query", summary: "what it is about, in words", required: false }],
    quoting: "put the query in quotes",
    options: [
      {
        flag: "--types",
        value: "names",
        summary: `where to look, such as memories,code: ${CONTEXT_TYPES.join(", ")}; all by default`,
      },
      limit("items from each source (default 20); with --list, entries (all by default)"),
      maxTokens(2_000),
      ...EMBEDDING_OPTIONS,
      {
        flag: "--embed-all",
        summary: "have that model make all vectors that are missing: of what is remembered, definitions and commits",
        conflicts: ["--list", "--types", "--limit", "--max-tokens"],
      },
      ...LIST_OPTIONS,
    ],
    examples: [
      { line: 'cra recall "session cookies expire early"', does: "what was learned, written and changed about it" },
      { line: 'cra recall "retry logic" --types experiences,commits --max-tokens 800', does: "from two sources" },
      {
        line: "cra recall --embed-all --embedding-model nomic-embed-text",
        does: "so that meaning finds everything, not only what was looked at; may be stopped and goes on",
      },
      { line: "cra recall --list --outcome open", does: "experiences that go on" },
      { line: "cra recall --list --json > kept.json", does: "everything, for cra remember --import" },
    ],
    run: () => import("./recall.ts"),
  },
  {
    name: "premortem",
    summary: "what went wrong before in such work: failures, surprises, root causes, principles",
    arguments: [{ name: "domain", summary: DOMAINS.join(", "), required: true, choices: DOMAINS }],
    options: [
      { ...STRATEGY, summary: `and how going about it so went: ${STRATEGIES.join(", ")}` },
      limit("items in each section (default 10)"),
      maxTokens(1_500),
      ...EMBEDDING_OPTIONS,
    ],
    examples: [
      { line: "cra premortem debugging", does: "before looking for a bug" },
      { line: "cra premortem performance --strategy trial-and-error", does: "before trying things out" },
    ],
    run: () => import("./premortem.ts"),
  },
  {
    name: "values",
    summary: "what experiences have in common, made anew from all of them",
    arguments: [],
    options: [
      { flag: "--axis", value: "name", choices: AXES, summary: `print only this one: ${AXES.join(", ")}` },
      ...MODEL_OPTIONS.filter(({ flag }) => flag === "--model"),
      ...EMBEDDING_OPTIONS,
    ],
    examples: [
      { line: "cra values", does: "group the experiences, keep and print what each group says" },
      { line: "cra values --axis root_cause --json", does: "why things failed, for a program" },
    ],
    run: () => import("./values.ts"),
  },
];
