/**
 * Contents that wait for a machine to parse them, and commits that wait for one to index them. A worker leases a job for a while; if it dies,
 * the lease ends and another takes it.
 *
 * A job that failed waits before it is tried again, since what it lacked may come back; one that failed too often is set aside and
 * reported. Workers skip rows that others hold, so none waits for another.
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import { parseJson } from "../text/parse-json.ts";
import { type Connection, textList } from "./connection.ts";
import type { FactsKey } from "./facts.ts";
import { NOW } from "./schema.ts";
import { isRepositoryName } from "./snapshots.ts";

/** A content to parse: its key, and how many bytes its text has. */
export type JobContent = FactsKey & { readonly bytes: number };

/** A commit to index and push, under the name that the repository has in the store. */
const JobCommit = z.strictObject({
  repository: z.string().refine(isRepositoryName),
  commit: z.string().regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/),
  branch: z.string().max(1_000).nullable(),
  withTexts: z.boolean(),
});
export type JobCommit = Readonly<z.infer<typeof JobCommit>>;

/** What a job is: contents to parse, or a commit to index. */
type JobWork =
  | { readonly kind: "contents"; readonly contents: readonly JobContent[] }
  | { readonly kind: "commit"; readonly commit: JobCommit };

/** A leased job. `tries` counts this one. */
export type Job = { readonly id: string; readonly work: JobWork; readonly tries: number };

/** What a worker can do: indexing a commit takes a clone. */
type JobKinds = "contents" | "all";

type JobCounts = {
  readonly waiting: number;
  readonly running: number;
  readonly done: number;
  readonly setAside: number;
};

export type JobStore = {
  /** Adds a job for these contents, unless the same one is there. Returns its id. */
  add(contents: readonly JobContent[]): Promise<string>;
  /** Adds a job to index a commit, which is due at once unless a worker has the same one. Returns its id. */
  addCommit(commit: JobCommit): Promise<string>;
  /** Leases a job of these kinds, by default of all; null when none is due. */
  take(worker: string, leaseMs: number, kinds?: JobKinds): Promise<Job | null>;
  /** Prolongs a lease. False when it is lost: another worker may have the job. */
  extend(id: string, worker: string, leaseMs: number): Promise<boolean>;
  finish(id: string, worker: string): Promise<void>;
  /** Gives a job back that was not tried to its end, as if nobody had taken it. */
  giveBack(id: string, worker: string): Promise<void>;
  /** Gives a job back after a failure, to be due again after a pause that grows; it is set aside after too many. */
  fail(id: string, worker: string, problem: string): Promise<void>;
  counts(): Promise<JobCounts>;
  /** How many of some jobs or of all, of these kinds, have not ended. Those `paused` failed and are not due again yet. */
  unfinished(ids?: readonly string[], kinds?: JobKinds): Promise<{ readonly active: number; readonly paused: number }>;
  /** Some of the jobs that were set aside, with what happened. */
  setAside(): Promise<readonly { readonly id: string; readonly problem: string | null }[]>;
};

/** A job is set aside after this many tries. */
const TRIES_MAX = 3;
/** After the first try; after each other one it is so many times as long. */
const PAUSE = { firstMs: 10_000, growth: 6 } as const;
const PROBLEM_CHARS_MAX = 500;
const CONTENTS_MAX = 10_000;
const ASIDE_MAX = 20;

const Contents = z
  .array(z.tuple([z.string().regex(/^[0-9a-f]{64}$/), z.string().max(64), z.int().nonnegative()]))
  .max(CONTENTS_MAX);
/** What a job is, as JSON: a list, or an object for a commit. */
const Work = z.union([
  Contents.transform(
    (list): JobWork => ({
      kind: "contents",
      contents: list.map(([hash, language, bytes]) => ({ hash, language, bytes })),
    }),
  ),
  JobCommit.transform((commit): JobWork => ({ kind: "commit", commit })),
]);
const Row = z.object({ id: z.string(), contents: z.string(), tries: z.int() });
const Count = z.object({ state: z.string(), number: z.coerce.number() });
const Aside = z.object({ id: z.string(), problem: z.string().nullable() });

const of = (rows: readonly z.infer<typeof Count>[], state: string): number =>
  rows.find((row) => row.state === state)?.number ?? 0;

const HELD = "id = $1::text and worker = $2::text and state = 'running'";

export const jobStore = (connection: Connection, extractor: string): JobStore => ({
  add: (contents) =>
    add(connection, extractor, JSON.stringify(contents.map(({ hash, language, bytes }) => [hash, language, bytes])), [
      "done",
      "aside",
    ]),
  addCommit: ({ repository, commit, branch, withTexts }) =>
    add(connection, extractor, JSON.stringify({ repository, commit, branch, withTexts }), ["done", "aside", "waiting"]),
  take: (worker, leaseMs, kinds = "all") =>
    connection.transaction((inside) => take(inside, extractor, worker, leaseMs, kinds)),
  extend: async (id, worker, leaseMs) =>
    (await connection.run(`update cra.jobs set leased_until = ${NOW} + $3::bigint where ${HELD}`, [
      id,
      worker,
      leaseMs,
    ])) > 0,
  finish: async (id, worker) =>
    void (await connection.run(`update cra.jobs set state = 'done', problem = null where ${HELD}`, [id, worker])),
  giveBack: async (id, worker) =>
    void (await connection.run(
      `update cra.jobs set state = 'waiting', tries = tries - 1, worker = null, leased_until = 0 where ${HELD}`,
      [id, worker],
    )),
  fail: async (id, worker, problem) =>
    void (await connection.run(
      `update cra.jobs set state = case when tries >= ${TRIES_MAX} then 'aside' else 'waiting' end, problem = $3::text,
         worker = null, leased_until = ${NOW} + ${PAUSE.firstMs} * power(${PAUSE.growth}, tries - 1)::bigint where ${HELD}`,
      [id, worker, problem.slice(0, PROBLEM_CHARS_MAX)],
    )),
  async counts() {
    const rows = await connection.rows(
      Count,
      "select state, count(*) as number from cra.jobs where extractor = $1::text group by state",
      [extractor],
    );
    return {
      waiting: of(rows, "waiting"),
      running: of(rows, "running"),
      done: of(rows, "done"),
      setAside: of(rows, "aside"),
    };
  },
  async unfinished(ids, kinds = "all") {
    const own = `${OF_KINDS[kinds]} ${ids === undefined ? "" : "and id = any($2::text[])"}`;
    const paused = `case when state = 'waiting' and leased_until >= ${NOW} then 'paused' else 'active' end`;
    const rows = await connection.rows(
      Count,
      `select ${paused} as state, count(*) as number from cra.jobs
       where extractor = $1::text and state in ('waiting', 'running') ${own} group by 1`,
      [extractor, ...(ids === undefined ? [] : [textList(ids)])],
    );
    return { active: of(rows, "active"), paused: of(rows, "paused") };
  },
  setAside: () =>
    connection.rows(
      Aside,
      `select id, left(problem, ${PROBLEM_CHARS_MAX}) as problem from cra.jobs where extractor = $1::text and state = 'aside'
       order by created_at, id limit ${ASIDE_MAX}`,
      [extractor],
    ),
});

const OF_KINDS: Readonly<Record<JobKinds, string>> = { contents: "and contents like '[%'", all: "" };

/** A job that is in one of the states begins anew. */
async function add(
  connection: Connection,
  extractor: string,
  work: string,
  states: readonly ("done" | "aside" | "waiting")[],
): Promise<string> {
  const id = createHash("sha256").update(`${extractor}\n${work}`).digest("hex").slice(0, 32);
  await connection.run(
    `insert into cra.jobs(id, extractor, contents, state, tries, leased_until, created_at)
     values ($1::text, $2::text, $3::text, 'waiting', 0, 0, ${NOW})
     on conflict (id) do update set state = 'waiting', tries = 0, problem = null, worker = null, leased_until = 0
       where cra.jobs.state = any($4::text[])`,
    [id, extractor, work, textList(states)],
  );
  return id;
}

async function take(
  inside: Connection,
  extractor: string,
  worker: string,
  leaseMs: number,
  kinds: JobKinds,
): Promise<Job | null> {
  // A worker that died at its last try leaves a job that nobody takes again.
  await inside.run(
    `update cra.jobs set state = 'aside', problem = coalesce(problem, 'its worker ended'), worker = null where id in (
       select id from cra.jobs where extractor = $1::text and state = 'running' and leased_until < ${NOW}
       and tries >= ${TRIES_MAX} for update skip locked)`,
    [extractor],
  );
  const [row] = await inside.rows(
    Row,
    `select id, contents, tries from cra.jobs where extractor = $1::text
     and state in ('waiting', 'running') and leased_until < ${NOW} ${OF_KINDS[kinds]}
     order by created_at, id limit 1 for update skip locked`,
    [extractor],
  );
  if (row === undefined) return null;
  const work = Work.safeParse(parseJson(row.contents));
  if (!work.success) {
    const problem = "what it is to do is damaged";
    await inside.run("update cra.jobs set state = 'aside', problem = $2::text where id = $1::text", [row.id, problem]);
    return await take(inside, extractor, worker, leaseMs, kinds);
  }
  await inside.run(
    `update cra.jobs set state = 'running', tries = tries + 1, worker = $2::text, leased_until = ${NOW} + $3::bigint
     where id = $1::text`,
    [row.id, worker, leaseMs],
  );
  return { id: row.id, work: work.data, tries: row.tries + 1 };
}
