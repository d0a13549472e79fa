/**
 * The repositories of a store that a question is asked of, besides or instead of those of this machine.
 *
 * Their indexes are fetched into the user's state folder, where servers of this machine keep theirs.
 */
import type { LeftOut } from "../../db/curated/meta.ts";
import { Failed } from "../../failure.ts";
import type { Notice } from "../../notice.ts";
import { isGranted } from "../../store/grants.ts";
import { isStoredEntry, readStoredEntry, type StoredEntry } from "../../store/stored-entries.ts";
import type { Environment } from "../workspace/environment.ts";
import { type OpenStored, type StoredMember, withOwnIndex } from "../workspace/workspace.ts";
import { openStoredRepositories } from "./stored-repositories.ts";

type Opened = Awaited<ReturnType<OpenStored>>;

/** More are too many to be open at once. */
const MEMBERS_MAX = 50;
/** Names of repositories in one sentence. */
const NAMES_MAX = 20;

/** Opens all that the entries of a list name. The caller closes them. Throws what opening the store does. */
export async function openStoredMembers(
  repos: readonly string[],
  environment: Environment,
  signal: AbortSignal,
): Promise<Opened> {
  const entries = repos.filter(isStoredEntry).map(readStoredEntry);
  const members: StoredMember[] = [];
  const notices: Notice[] = [];
  const leftOut: LeftOut[] = [];
  try {
    for (const ofStore of Map.groupBy(entries, ({ address, bucket }) => `${address}#${bucket}`).values()) {
      const found = await openFrom(ofStore, environment, signal);
      members.push(...found.members);
      notices.push(...found.notices);
      leftOut.push(...found.leftOut);
    }
    return { members, leftOut, notices };
  } catch (error) {
    for (const { kb } of members) kb.close();
    throw error;
  }
}

/** `entries` are of one store. What only a glob names and cannot be opened is left out, unless nothing is left. */
async function openFrom(
  entries: readonly StoredEntry[],
  environment: Environment,
  signal: AbortSignal,
): Promise<Opened> {
  const [first] = entries;
  if (first === undefined) return { members: [], leftOut: [], notices: [] };
  const { address, bucket } = first;
  const { repositories } = await openStoredRepositories({
    environment,
    store: { address, bucket, flag: "--from" },
    dataDir: null,
    branches: ["main", "master"],
    freshMs: Number.POSITIVE_INFINITY,
    // Nothing to print: a repository that cannot be opened is thrown or left out, and the store's notices are returned.
    report: () => {},
  });
  const members: StoredMember[] = [];
  const leftOut: LeftOut[] = [];
  try {
    const names = await repositories.names();
    const wanted = new Set(entries.flatMap(({ pattern }) => matching(pattern, names)));
    if (wanted.size > MEMBERS_MAX)
      throw new Failed({
        code: "usage",
        message: `${wanted.size} repositories of the store are named, more than ${MEMBERS_MAX}`,
        next: "name fewer with --repos",
      });
    const failures: Failed[] = [];
    for (const name of wanted) {
      try {
        const opened = await repositories.open(name, signal);
        if (opened === null) continue;
        const workspace = withOwnIndex(opened);
        members.push({ name, workspace, kb: workspace.index.open() });
      } catch (error) {
        if (!isOfOne(error) || entries.some(({ pattern }) => pattern === name)) throw error;
        failures.push(error);
        leftOut.push({ name, why: error.message });
      }
    }
    const [failed] = failures;
    if (failed !== undefined && members.length === 0) throw failed;
    return { members, leftOut, notices: first.notices };
  } catch (error) {
    for (const { kb } of members) kb.close();
    throw error;
  } finally {
    await repositories.close();
  }
}

/** Whether it says that one repository cannot be asked, rather than the store or this machine. */
const isOfOne = (error: unknown): error is Failed =>
  error instanceof Failed && ["not-indexed", "store-refused", "index-damaged", "config"].includes(error.failure.code);

function matching(pattern: string, names: readonly string[]): readonly string[] {
  const found = names.filter((name) => isGranted({ repositories: [pattern] }, name));
  if (found.length > 0) return found;
  const some = names.slice(0, NAMES_MAX).join(", ");
  throw new Failed({
    code: "usage",
    message: `the store has no repository ${pattern}`,
    next: names.length === 0 ? "push one first: cra push --with-text" : `name one of ${some}`,
  });
}
