/**
 * Measures `cra serve` under load: many clients ask many repositories at the same time, each waiting for an answer before it asks again.
 *
 * `npm run bench -- serve FOLDER [repositories] [clients] [requests]` takes git repositories from a folder (bare ones too, also one level
 * deeper), clones each, and asks with the subjects of its commits as tasks. Three in four requests are for a package, the others search.
 * Rewrites `results/serve.md`. Processor time and memory are the server's, as the system counts them, so it needs Linux.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tokenHash } from "../../src/store/grants.ts";

const WORK = join(import.meta.dir, "..", "..", "dist", "bench", "serve");
const RESULT = join(import.meta.dir, "results", "serve.md");
const TOKEN = "a-token-of-the-benchmark";
const TASKS_EACH = 12;
/** Larger ones take minutes to index. */
const FILES_MAX = 700;

type Repo = { readonly name: string; readonly path: string; readonly files: number; readonly tasks: readonly string[] };
type Answer = { readonly route: string; readonly ms: number; readonly status: number; readonly bytes: number };

export async function serve(
  program: string,
  folder: string | undefined,
  repositories = 20,
  clients = 50,
  requests = 400,
): Promise<number> {
  if (folder === undefined) throw new Error("name a folder with git repositories");
  rmSync(WORK, { recursive: true, force: true });
  mkdirSync(WORK, { recursive: true });
  const repos = clonesOf(folder, repositories);
  const server = await started(program, repos);
  try {
    const since = cpuSeconds(server.pid);
    const begun = performance.now();
    const answers = await load(server.url, repos, clients, requests);
    const seconds = (performance.now() - begun) / 1_000;
    const cpu = cpuSeconds(server.pid) - since;
    const report = reportOf({ repos, clients, answers, seconds, cpu, ...server, peak: peakBytes(server.pid) });
    writeFileSync(RESULT, report);
    process.stdout.write(report);
    return answers.some(({ status }) => status !== 200) ? 1 : 0;
  } finally {
    server.kill();
  }
}

/** The smallest repositories of the folder, cloned. */
function clonesOf(folder: string, count: number): readonly Repo[] {
  const found = readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const places = [join(folder, name), join(folder, name, "repo")];
      const source = places.find((place) => existsSync(join(place, "HEAD")) || existsSync(join(place, ".git")));
      const files =
        source === undefined ? 0 : git(source, "ls-tree", "-r", "--name-only", "HEAD").split("\n").length - 1;
      return source === undefined || files < 2 || files > FILES_MAX ? [] : [{ name, source, files }];
    })
    .sort((a, b) => a.files - b.files);
  const repos: Repo[] = [];
  mkdirSync(join(WORK, "repos"), { recursive: true });
  for (const { name, source, files } of found) {
    if (repos.length === count) break;
    const path = join(WORK, "repos", name);
    try {
      git(WORK, "clone", "--quiet", "--depth", "300", `file://${source}`, path);
    } catch {
      process.stderr.write(`bench: ${name} is left out: its clone lacks contents\n`);
      rmSync(path, { recursive: true, force: true });
      continue;
    }
    const subjects = git(path, "log", "--no-merges", "--format=%s", "-n", "100").split("\n");
    const tasks = [...new Set(subjects.filter((subject) => subject.length > 20))].slice(0, TASKS_EACH);
    repos.push({ name, path, files, tasks: tasks.length > 0 ? tasks : [`what does ${name} do`] });
  }
  return repos;
}

function git(cwd: string, ...args: readonly string[]): string {
  const { success, stdout, stderr } = Bun.spawnSync(["git", "-c", "safe.directory=*", ...args], { cwd });
  if (!success) throw new Error(`git ${args.join(" ")}: ${stderr.toString().trim()}`);
  return stdout.toString();
}

/** Starts a server on a free port, and waits until all repositories are indexed. */
async function started(program: string, repos: readonly Repo[]) {
  const args = ["--listen", "127.0.0.1:0", "--rate", "1000000", "--refresh", "60", "--time-limit", "240"];
  const begun = performance.now();
  const child = Bun.spawn([program, "serve", ...repos.map(({ path }) => path), ...args], {
    cwd: WORK,
    env: { HOME: WORK, PATH: process.env.PATH ?? "", CRA_SERVE_TOKENS: `${tokenHash(TOKEN)} bench *` },
    stdout: "ignore",
    stderr: "pipe",
  });
  let text = "";
  void (async () => {
    for await (const chunk of child.stderr.pipeThrough(new TextDecoderStream())) text += chunk;
  })();
  while (!text.includes('"event":"ready"')) {
    if (child.exitCode !== null) throw new Error(text);
    await Bun.sleep(50);
  }
  const url = /"url":"([^"]+)"/.exec(text)?.[1] ?? "";
  return {
    url,
    pid: child.pid,
    indexSeconds: (performance.now() - begun) / 1_000,
    indexCpu: cpuSeconds(child.pid),
    peakIndexing: peakBytes(child.pid),
    kill: () => child.kill("SIGKILL"),
  };
}

/** Every client asks until all requests are spent, each of another repository than the client before it. */
async function load(
  url: string,
  repos: readonly Repo[],
  clients: number,
  requests: number,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  let next = 0;
  const client = async (): Promise<void> => {
    while (next < requests) {
      const at = next;
      next += 1;
      const repo = repos[at % repos.length];
      const task = repo?.tasks[Math.floor(at / repos.length) % repo.tasks.length] ?? "";
      const route = at % 4 === 3 ? "/v1/search" : "/v1/retrieve";
      const body = { repository: repo?.name, ...(route === "/v1/search" ? { query: task } : { task }) };
      const begun = performance.now();
      const response = await fetch(`${url}${route}`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${TOKEN}` },
        body: JSON.stringify(body),
      });
      const bytes = (await response.bytes()).byteLength;
      answers.push({ route, ms: performance.now() - begun, status: response.status, bytes });
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return answers;
}

/** User and system time of a process, which Linux counts in hundredths of a second. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

const peakBytes = (pid: number): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024;

type Figures = {
  readonly repos: readonly Repo[];
  readonly clients: number;
  readonly answers: readonly Answer[];
  readonly seconds: number;
  readonly cpu: number;
  readonly peak: number;
  readonly indexSeconds: number;
  readonly indexCpu: number;
  readonly peakIndexing: number;
};

function reportOf({ repos, clients, answers, seconds, cpu, peak, ...indexing }: Figures): string {
  const files = repos.reduce((sum, repo) => sum + repo.files, 0);
  const bytes = folderBytes(join(WORK, ".local", "state", "cra", "serve"));
  const failed = answers.filter(({ status }) => status !== 200).length;
  const rows = ["/v1/retrieve", "/v1/search"].map((route) => {
    const times = answers
      .filter((answer) => answer.route === route)
      .map(({ ms }) => ms)
      .sort((a, b) => a - b);
    const at = (share: number): string => ((times[Math.ceil(times.length * share) - 1] ?? 0) / 1_000).toFixed(2);
    return `| \`${route}\` | ${times.length} | ${at(0.5)} s | ${at(0.99)} s | ${at(1)} s |`;
  });
  const each = (cpu / Math.max(1, answers.length)) * 1_000;
  return `# Server under load

What \`npm run bench -- serve\` found: one process of \`cra serve\`, ${repos.length} repositories of ${files} files together, ${clients} clients that each wait for
an answer before they ask again, ${answers.length} requests with subjects of commits as tasks. Packages are JSON within the default budget. The clients run
on the same machine (${navigator.hardwareConcurrency} processors), which others may use too: processor time is what to compare.

| request | number | median | 99 % | slowest |
| --- | ---: | ---: | ---: | ---: |
${rows.join("\n")}

- ${(answers.length / seconds).toFixed(1)} requests a second for ${seconds.toFixed(0)} s. The server got ${((cpu / seconds) * 100).toFixed(0)} % of a processor, ${cpu.toFixed(1)} s: ${each.toFixed(0)} ms for each request.
- Computed from that: a server with a processor of its own answers ${(1_000 / each).toFixed(0)} requests a second, and ${clients} clients wait ${((clients * each) / 1_000).toFixed(1)} s each.
- Requests that failed: ${failed}.
- Peak memory: ${megabytes(peak)}, ${megabytes(indexing.peakIndexing)} after indexing. Data folder: ${megabytes(bytes)}.
- Indexing at the start: ${indexing.indexSeconds.toFixed(0)} s, ${indexing.indexCpu.toFixed(1)} s of processors.
`;
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;

function folderBytes(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}
