/**
 * Reads history through the git executable.
 *
 * It asks plumbing four kinds of questions: all commit ids with times, the raw objects of the commits that count, the tree diffs of those
 * with one parent, and the index. `history.ts` defines the resulting rows.
 */

import type { Variables } from "../../config/variables.ts";
import { chooseRemoteUrl } from "../git/config.ts";
import { resolveGitFolders } from "../git/folders.ts";
import type { Head } from "../git/git-state.ts";
import { NO_COMMITS, readShallowCommits, shallowKey } from "../git/git-state.ts";
import { batchObjects, isUtf8Path, parseCommit, SUBMODULE_MODE, timeOf } from "../git/objects.ts";
import { type GitOutput, runGit } from "../git/process.ts";
import {
  type CommitRecord,
  type History,
  type HistoryOptions,
  type HistoryReader,
  headOf,
  knownRecord,
  type LineCounts,
  newestCommits,
  newestFirst,
  noHistory,
} from "./history.ts";

/** Commits per call of git: enough to amortize its start, few enough to show progress. */
const COMMITS_PER_CALL = 1_000;

type Run = (...argumentsOfGit: readonly string[]) => Promise<GitOutput>;
type RunWithInput = (input: string, ...argumentsOfGit: readonly string[]) => Promise<GitOutput>;

/** `executable` is git's absolute path; `environment` the caller's. */
export function gitHistory(executable: string, environment: Variables): HistoryReader {
  const runIn =
    (root: string, signal: AbortSignal | undefined): Run =>
    (...args) =>
      runGit({ executable, environment, root, arguments: args, signal });
  const feedIn =
    (root: string, signal: AbortSignal | undefined): RunWithInput =>
    (input, ...args) =>
      runGit({ executable, environment, root, arguments: args, input, signal });
  return {
    name: "git",
    readHead: async (root, signal) => {
      const git = resolveGitFolders(root);
      if (git.kind === "problem") return headOf(noHistory(git.why));
      return readHead(runIn(root, signal), readShallowCommits(git.commonFolder));
    },
    readHistory: async (root, options) => {
      const git = resolveGitFolders(root);
      if (git.kind === "problem") return noHistory(git.why);
      const shallow = readShallowCommits(git.commonFolder);
      return readHistory(runIn(root, options.signal), feedIn(root, options.signal), shallow, options);
    },
    countLines: async (root, hashes, signal) => {
      const git = resolveGitFolders(root);
      if (git.kind === "problem") return new Map();
      const shallow = readShallowCommits(git.commonFolder);
      const counted = hashes.filter((hash) => !shallow.has(hash));
      return counted.length === 0 ? new Map() : countLines(feedIn(root, signal), counted);
    },
  };
}

async function readHead(run: Run, shallow: ReadonlySet<string>): Promise<Head> {
  const [head, branch, remotes] = await Promise.all([
    run("rev-parse", "--verify", "--quiet", "HEAD"),
    run("symbolic-ref", "--quiet", "HEAD"),
    run("config", "--local", "--null", "--get-regexp", String.raw`^remote\..*\.url$`),
  ]);
  const failed = [head, branch, remotes].find((output) => output.kind === "problem" && output.exitCode !== 1);
  if (failed?.kind === "problem") return headOf(noHistory(failed.why));
  const branchName = textOf(branch)
    .trim()
    .replace(/^refs\/heads\//, "");
  return {
    head: textOf(head).trim() || null,
    branch: branchName || null,
    remoteUrl: chooseRemoteUrl(parseRemotes(textOf(remotes))),
    shallow: shallowKey(shallow),
    problem: head.kind === "problem" ? NO_COMMITS : null,
  };
}

async function readState(
  run: Run,
  shallow: ReadonlySet<string>,
): Promise<{ readonly head: Head; readonly tracked: readonly string[] | null }> {
  const [head, index] = await Promise.all([readHead(run, shallow), run("ls-files", "-z", "--cached")]);
  return { head, tracked: index.kind === "problem" ? null : sortedPaths([...fieldsOf(index)]) };
}

async function readHistory(
  run: Run,
  feed: RunWithInput,
  shallow: ReadonlySet<string>,
  options: HistoryOptions,
): Promise<History> {
  const { head, tracked } =
    options.head === undefined ? await readState(run, shallow) : { head: options.head, tracked: null };
  if (head.head === null || options.commitsMax === 0) return { ...head, tracked, commits: [] };
  const ids = await run("rev-list", "--timestamp", head.head, "--");
  if (ids.kind === "problem") return { ...head, tracked, commits: [], problem: ids.why };
  const window = newestCommits(parseIds(textOf(ids)), options.commitsMax);
  const commits: CommitRecord[] = [];
  const known = (hash: string): CommitRecord | undefined =>
    shallow.has(hash) ? undefined : knownRecord(options.known, hash);
  for (let from = 0; from < window.length; from += COMMITS_PER_CALL) {
    const part = window.slice(from, from + COMMITS_PER_CALL);
    const missing = part.map(({ hash }) => hash).filter((hash) => known(hash) === undefined);
    const read = await readCommits(feed, missing, shallow, options.withoutFiles !== true);
    if (read.kind === "problem") return { ...head, tracked, commits: [], problem: read.why };
    for (const { hash } of part) {
      const record = known(hash) ?? read.records.get(hash);
      if (record !== undefined) commits.push(record);
    }
    options.onProgress?.(Math.min(from + part.length, window.length), window.length);
  }
  // Sort by the commits' own times: git's list cannot show negative times and truncates to 34 bits.
  return { ...head, tracked, commits: commits.toSorted(newestFirst) };
}

type CommitsRead =
  | { readonly kind: "records"; readonly records: ReadonlyMap<string, CommitRecord> }
  | { readonly kind: "problem"; readonly why: string };

async function readCommits(
  feed: RunWithInput,
  hashes: readonly string[],
  shallow: ReadonlySet<string>,
  withFiles: boolean,
): Promise<CommitsRead> {
  if (hashes.length === 0) return { kind: "records", records: new Map() };
  const objects = await feed(`${hashes.join("\n")}\n`, "cat-file", "--batch");
  if (objects.kind === "problem") return objects;
  const commits = [...batchObjects(objects.bytes)].flatMap(({ hash, type, content }) =>
    type === "commit" ? (parseCommit(hash, content) ?? []) : [],
  );
  if (commits.length !== hashes.length) return { kind: "problem", why: "git could not read all commits" };
  const compared = withFiles ? commits.filter(({ hash, parents }) => parents.length < 2 && !shallow.has(hash)) : [];
  const changes = new Map<string, readonly string[]>();
  if (compared.length > 0) {
    const input = `${compared.map(({ hash }) => hash).join("\n")}\n`;
    const differences = await feed(input, "diff-tree", "--raw", "--full-index", ...DIFF_OPTIONS);
    if (differences.kind === "problem") return differences;
    for (const [hash, files] of parseDifferences(differences)) changes.set(hash, files);
  }
  const records = commits.map(({ hash, author, message, timestamp }) => ({
    hash,
    author,
    message,
    timestamp,
    files: changes.get(hash) ?? [],
  }));
  return { kind: "records", records: new Map(records.map((record) => [record.hash, record])) };
}

const DIFF_OPTIONS = [
  "--stdin",
  "-r",
  "-z",
  "--root",
  "--no-renames",
  "--no-ext-diff",
  "--no-textconv",
  "--no-relative",
];

async function countLines(feed: RunWithInput, hashes: readonly string[]): Promise<ReadonlyMap<string, LineCounts>> {
  const counts = new Map<string, LineCounts>();
  const output = await feed(`${hashes.join("\n")}\n`, "diff-tree", "--numstat", "--ignore-submodules", ...DIFF_OPTIONS);
  let hash = "";
  for (const field of fieldsOf(output)) {
    // Binary files have "-" for numbers.
    const [, added, removed] = /^(\d+|-)\t(\d+|-)\t/.exec(field) ?? [];
    const { insertions, deletions } = counts.get(hash) ?? { insertions: 0, deletions: 0 };
    if (added === undefined || removed === undefined) hash = field.trim();
    else counts.set(hash, { insertions: insertions + linesIn(added), deletions: deletions + linesIn(removed) });
  }
  return counts;
}

const linesIn = (number: string): number => (number === "-" ? 0 : Number(number));

/** Parses lines of `<time> <hash>`. */
function parseIds(text: string): readonly { readonly hash: string; readonly timestamp: number }[] {
  return text.split("\n").flatMap((line) => {
    const [time, hash] = line.split(" ");
    return time !== undefined && hash !== undefined ? [{ hash, timestamp: timeOf(time) }] : [];
  });
}

/** Parses NUL-separated output: a commit's hash, then for each change `:<modes and hashes> <status>` and a path. */
function* parseDifferences(output: GitOutput): Generator<readonly [string, readonly string[]]> {
  const fields = fieldsOf(output);
  let hash: string | null = null;
  let paths: string[] = [];
  for (const field of fields) {
    if (field.startsWith(":")) {
      const path = fields.next().value ?? "";
      const [before = "", after = ""] = field.slice(1).split(" ");
      if (isFileMode(before) || isFileMode(after)) paths.push(path);
    } else if (field !== "") {
      if (hash !== null) yield [hash, sortedPaths(paths)];
      hash = field;
      paths = [];
    }
  }
  if (hash !== null) yield [hash, sortedPaths(paths)];
}

const isFileMode = (mode: string): boolean => mode !== "000000" && mode !== SUBMODULE_MODE;

/** Parses NUL-separated `remote.<name>.url\n<url>`. Git fetches from the first URL of a remote. */
function parseRemotes(text: string): readonly { readonly name: string; readonly url: string }[] {
  return text.split("\0").flatMap((entry) => {
    const match = /^remote\.(.+)\.url\n(.*)$/s.exec(entry);
    return match === null ? [] : [{ name: match[1] ?? "", url: match[2] ?? "" }];
  });
}

const sortedPaths = (paths: readonly string[]): readonly string[] =>
  [...new Set(paths)].filter((path) => path !== "" && isUtf8Path(path)).toSorted();

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

const textOf = (output: GitOutput): string => (output.kind === "output" ? decoder.decode(output.bytes) : "");

/** The fields of NUL-separated output. Each is decoded alone, because a part of a long text keeps all of it in memory. */
function* fieldsOf(output: GitOutput): Generator<string, undefined> {
  if (output.kind === "problem") return;
  const { bytes } = output;
  for (let start = 0; start <= bytes.length; ) {
    const next = bytes.indexOf(0, start);
    const end = next === -1 ? bytes.length : next;
    yield decoder.decode(bytes.subarray(start, end));
    start = end + 1;
  }
}
