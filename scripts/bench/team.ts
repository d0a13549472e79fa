/**
 * Measures a team's store on a PostgreSQL of its own: `npm run bench -- team FOLDER [tasks]`, by default 40 tasks a repository.
 *
 * FOLDER holds clones of real repositories as `<owner>+<name>/repo`. For each it compares packages of tasks from its history between a
 * checkout that indexed by itself and one that began from the store, and the processor time of both. Writes `results/team.md` and exits
 * with 1 if packages differ.
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { postgresProblem, sharedPostgres } from "../../tests/support/postgres.ts";
import { cleanEnvironment } from "../../tests/support/run-cra.ts";
import { freshBinary } from "../binary.ts";
import { git, newStore, packageOf, tasksOf, writeSection } from "./team-tools.ts";

const REPOSITORIES = ["pallets+flask", "iamkun+dayjs", "gin-gonic+gin", "psf+requests", "typeorm+typeorm"];
const TASKS_DEFAULT = 40;

type Row = {
  readonly name: string;
  readonly files: number;
  readonly tasks: number;
  readonly unlike: number;
  readonly first: number;
  readonly push: number;
  readonly from: number;
  readonly sent: number;
  readonly received: number;
  readonly next: number;
  readonly nextSent: number;
};

/** Returns the exit code. */
export async function team(folder: string, tasks = TASKS_DEFAULT): Promise<number> {
  const found = REPOSITORIES.filter((name) => existsSync(join(folder, name, "repo")));
  if (postgresProblem !== null || found.length === 0) {
    process.stderr.write(`bench: ${postgresProblem ?? `no clones in ${folder}`}\n`);
    return 2;
  }
  const program = await freshBinary();
  const postgres = await sharedPostgres();
  const place = mkdtempSync(join(postgres.folder, "clones-"));
  const address = await newStore(postgres);
  const rows: Row[] = [];
  for (const name of found) {
    rows.push(await rowOf(program, join(folder, name, "repo"), join(place, name), name, address, tasks));
    process.stdout.write(`${JSON.stringify(rows.at(-1))}\n`);
  }
  writeSection(null, report(rows));
  return rows.some(({ unlike }) => unlike > 0) ? 1 : 0;
}

async function rowOf(
  program: string,
  source: string,
  place: string,
  name: string,
  address: string,
  tasksMax: number,
): Promise<Row> {
  const [pushed, plain, taken] = ["pushed", "plain", "taken"].map((each) => join(place, each));
  if (pushed === undefined || plain === undefined || taken === undefined) throw new Error("no folders");
  for (const path of [pushed, plain, taken]) git(".", "clone", "--quiet", source, path);
  const named = ["--name", name, "--json"];
  // The store gets an older commit first, and the newest one after it.
  git(pushed, "checkout", "--quiet", "HEAD~10");
  run(program, pushed, ["push", "--to", address, ...named]);
  git(pushed, "checkout", "--quiet", "-");
  const next = run(program, pushed, ["push", "--to", address, ...named]);
  const alone = run(program, plain, ["index", "--json"]);
  const from = run(program, taken, ["index", "--from", address, ...named]);
  const empty = join(place, "other");
  git(".", "clone", "--quiet", source, empty);
  run(program, empty, ["index"]);
  const push = run(program, empty, ["push", "--to", address, "--name", `${name}-again`, "--json"]);
  const tasks = tasksOf(plain, tasksMax);
  let unlike = 0;
  for (const task of tasks) {
    const [one, other] = [await packageOf(plain, task), await packageOf(taken, task)];
    if (one !== other || one === "") unlike += 1;
  }
  const counts = alone.said.counts;
  return {
    name: name.replace("+", "/"),
    files: Number(counts?.files ?? 0),
    tasks: tasks.length,
    unlike,
    first: alone.seconds,
    push: push.seconds,
    from: from.seconds,
    sent: Number(push.said.bytes),
    received: Number(from.said.from_store?.bytes),
    next: next.seconds,
    nextSent: Number(next.said.bytes),
  };
}

type Said = {
  readonly bytes?: number;
  readonly counts?: { readonly files: number };
  readonly from_store?: { readonly bytes: number };
};

/** Runs cra; the processor seconds that it and its programs took, and what it said. */
function run(
  program: string,
  cwd: string,
  words: readonly string[],
): { readonly seconds: number; readonly said: Said } {
  const home = mkdtempSync(join(tmpdir(), "cra-home-"));
  try {
    const ran = Bun.spawnSync([program, ...words], {
      cwd,
      env: cleanEnvironment(home),
      stdout: "pipe",
      stderr: "pipe",
    });
    if (!ran.success) throw new Error(`${words.join(" ")}: ${ran.stderr.toString()}`);
    const text = ran.stdout.toString();
    const seconds = Number(ran.resourceUsage?.cpuTime.total ?? 0) / 1e6;
    return { seconds, said: words.includes("--json") ? JSON.parse(text) : {} };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

const mib = (bytes: number): string => (bytes / 1024 / 1024).toFixed(1);

function report(rows: readonly Row[]): string {
  const lines = rows.map(
    (row) =>
      `| ${row.name} | ${row.files} | ${row.tasks} | ${row.unlike} | ${row.first.toFixed(1)} | ${row.from.toFixed(1)} | ${Math.round((100 * row.from) / row.first)} % | ${mib(row.received)} | ${row.push.toFixed(1)} | ${row.next.toFixed(1)} | ${mib(row.nextSent)} |`,
  );
  return `# A team's store

What \`npm run bench -- team\` found. Tasks are subjects of commits. A package is unlike if that of a checkout which began from the store differs in a
byte from that of one which indexed by itself. Times are processor seconds of cra and the programs it starts, on a machine with other work; sizes
are packed MiB.

| repository | files | tasks | unlike | first index | from the store | share | received | push | next push, 10 commits on, with its index | sent by it |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
${lines.join("\n")}
`;
}
