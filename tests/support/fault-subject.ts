/**
 * A repository for index runs with injected faults, and the check that no fault loses data.
 *
 * The repository is in its second state; a trial starts without an index or with the index of the first state. After a
 * fault the index must be missing, the first or the second state, and the next run must produce the second without
 * intervention.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CURATED_SCHEMA } from "../../src/db/curated/schema.ts";
import { dataPaths } from "../../src/db/data-folder/paths.ts";
import { RAW_SCHEMA } from "../../src/db/raw-log/schema.ts";
import type { Db, Schema } from "../../src/db/sqlite/db.ts";
import { openDatabase } from "../../src/db/sqlite/open.ts";
import { Failed } from "../../src/failure.ts";
import { dumpCurated, dumpCuratedFile } from "./dump.ts";
import { listing } from "./folder.ts";
import { type Files, type TempRepo, tempRepo } from "./repo.ts";
import { type CraRun, runCra } from "./run-cra.ts";

/** The initial state of a trial: no index, or one of this state of the repository. */
export type Beginning = "nothing" | "first state" | "second state";
export type Seen = "none" | "first" | "second";

/** The state after a fault. `breaches` is empty if nothing was lost. */
export type Aftermath = { readonly seen: Seen; readonly breaches: readonly string[] };

export type FaultSubject = Disposable & {
  readonly repo: TempRepo;
  /** Creates a data folder in an initial state. */
  begin(beginning: Beginning): string;
  /** Checks the data that a run left, runs again without a fault, and removes the folder. */
  after(dataDir: string): Promise<Aftermath>;
};

/** Indexes a repository into a data folder. Returns the messages of the run, "" if there were none. */
export type IndexRun = (repo: TempRepo, dataDir: string) => Promise<string>;

/** Indexes into a data folder on one thread, because starting threads is slow. */
export const indexInto = (dataDir: string): readonly string[] => ["index", "-q", "--data-dir", dataDir];
export const ON_ONE_THREAD = { CRA_INDEX_WORKERS: "1" } as const;

const module = (n: number, extra = ""): string =>
  `"""Part ${n}."""\nfrom shop.part${(n * 7) % 5} import run${(n * 7) % 5}\n\n\nclass Part${n}:\n    """Holds ${n}."""\n\n` +
  `    def run(self):\n        # because ${n} is slow\n        return run${n}()\n\n\ndef run${n}():\n    return ${n}\n${extra}`;

const filesOf = (count: number): Files =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`shop/part${n}.py`, module(n)]));

/** Indexes with the compiled binary. */
export const indexCompiled: IndexRun = async (repo, dataDir) => {
  const run = await runCra(indexInto(dataDir), { cwd: repo.path, env: ON_ONE_THREAD });
  return run.exitCode === 0 && run.stderr === "" ? "" : wordsOf(run);
};

/**
 * Creates the repository with `files` files, and `more`. `next` indexes both states, and is the run that must recover from a
 * fault.
 */
export async function faultSubject(
  files: number,
  next: IndexRun = indexCompiled,
  more: Files = {},
): Promise<FaultSubject> {
  const repo = tempRepo(
    { ...filesOf(files), ...more, "README.md": "# Parts\n", "logo.png": new Uint8Array([0x89, 0, 1]) },
    { git: true },
  );
  const home = realpathSync(mkdtempSync(join(tmpdir(), "cra-fault-")));
  let folders = 0;
  const at = (name: string): string => join(home, name);
  await succeed(next, repo, at("first"));
  repo.git("mv", "shop/part0.py", "shop/first.py");
  repo.remove("shop/part1.py");
  for (const n of [2, 3])
    repo.write({ [`shop/part${n}.py`]: module(n, `\n\ndef more${n}():\n    return run${n}()\n`) });
  repo.write({ "web/app.py": "from shop.first import run0\n" });
  repo.commit("Second");
  await succeed(next, repo, at("second"));
  const [first, second] = ["first", "second"].map((name) => dumpCuratedFile(dataPaths(at(name)).curated));
  const tree = listing(repo.path, [".git"]);
  return {
    repo,
    begin(beginning) {
      const dataDir = at(`trial-${++folders}`);
      if (beginning === "nothing") mkdirSync(dataDir);
      else cpSync(at(beginning === "first state" ? "first" : "second"), dataDir, { recursive: true });
      return dataDir;
    },
    async after(dataDir) {
      const breaches: string[] = [];
      const left = leftIn(dataDir, breaches);
      const seen: Seen = left === null ? "none" : left === first ? "first" : "second";
      if (left !== null && left !== first && left !== second)
        breaches.push("the index is neither the old nor the new one");
      const output = await next(repo, dataDir);
      if (output !== "") breaches.push(`the next run: ${output}`);
      else if (dumpCuratedFile(dataPaths(dataDir).curated) !== second)
        breaches.push("the next index differs from a fresh one");
      const aside = readdirSync(dataDir).filter((name) => name.includes(".bad-"));
      if (aside.length > 0) breaches.push(`moved aside: ${aside.join(", ")}`);
      if (repo.git("status", "--porcelain", "--untracked-files=all") !== "") breaches.push("git sees a change");
      if (listing(repo.path, [".git"]).join("\n") !== tree.join("\n")) breaches.push("the work tree has changed");
      rmSync(dataDir, { recursive: true, force: true });
      return { seen, breaches };
    },
    [Symbol.dispose]() {
      repo[Symbol.dispose]();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

export const wordsOf = ({ exitCode, signal, stderr }: CraRun): string => `${exitCode ?? signal} ${stderr.trim()}`;

async function succeed(index: IndexRun, repo: TempRepo, dataDir: string): Promise<void> {
  const output = await index(repo, dataDir);
  if (output !== "") throw new Error(`cra index: ${output}`);
}

/** The dump of the stored index, null if there is none. Every database must be intact. */
function leftIn(dataDir: string, breaches: string[]): string | null {
  const { curated, raw } = dataPaths(dataDir);
  const sound = <T>(path: string, schema: Schema, use: (db: Db) => T): T | null => {
    if (!existsSync(path)) return null;
    try {
      const db = openDatabase(path, "read", schema);
      try {
        const verdict = db.get<{ integrity_check: string }>("pragma integrity_check")?.integrity_check;
        if (verdict !== "ok") breaches.push(`${path}: ${verdict}`);
        return use(db);
      } finally {
        db.close();
      }
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      if (!/it is empty/.test(error.message)) breaches.push(error.message);
      return null;
    }
  };
  sound(raw, RAW_SCHEMA, () => null);
  return sound(curated, CURATED_SCHEMA, (db) => (db.get("select 1 from meta") === null ? null : dumpCurated(db)));
}
