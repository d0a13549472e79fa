/** Nothing secret leaves cra, whatever it is asked and whatever is kept, unless the user allows it. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { FORMAT_NAMES } from "../../src/retrieval/render/formats.ts";
import { HANG_MS } from "../support/hang.ts";
import { AGREEABLE } from "../support/judging-reply.ts";
import { PLANTED_KEYS, PLANTED_SECRETS, PRIVATE_KEYS } from "../support/planted-keys.ts";
import { tempRepo } from "../support/repo.ts";
import { type CraRun, runCra } from "../support/run-cra.ts";
import { runHere, runQuickest } from "../support/run-here.ts";
import { shared } from "../support/shared.ts";
import { STAND_IN_MODEL, startOllama } from "../support/stand-in-ollama.ts";
import type { Received } from "../support/stand-in-request.ts";

setDefaultTimeout(HANG_MS);

/** A word that is in a denied file only. */
const DENIED = "zanzibar";
const LINES = PLANTED_KEYS.map(({ line }) => line);
const HANDLERS = LINES.map(
  (line, at) =>
    `def handle_${at}(order):\n    """Says ${line}."""\n    # because ${line}\n    ${line}\n    return order\n`,
).join("\n");
const TASK = `fix handle_0 in src/orders.py, it fails with\n${LINES.join("\n")}\n${PRIVATE_KEYS.plain}\n`;

const runs: CraRun[] = [];

async function cra(...args: readonly string[]): Promise<CraRun> {
  const run = await runQuickest(args, { cwd: repo.path });
  runs.push(run);
  return run;
}

/** The compiled binary: where other threads and processes could print, and once for what is printed most. */
async function compiled(...args: readonly string[]): Promise<CraRun> {
  const run = await runCra(args, { cwd: repo.path });
  runs.push(run);
  return run;
}

/** Not a question about a file. */
const asksToSort = ({ body }: Received): boolean => /"relevant"|"primary"|"words"/.test(JSON.stringify(body));

const held = (text: string): readonly string[] =>
  [...PLANTED_SECRETS, DENIED].filter((secret) => text.includes(secret));

const repo = shared(
  tempRepo(
    {
      "src/orders.py": `${HANDLERS}\nPEM = """${PRIVATE_KEYS.plain}\n"""\n`,
      "tests/test_orders.py": `from src.orders import handle_0\n\n\ndef test_handle_0():\n    assert handle_0(1) == '${LINES[3]}'\n`,
      "docs/keys.md": `# Keys of handle_0\n\n${LINES.map((line) => `- ${line}`).join("\n")}\n`,
      "settings.json": `${JSON.stringify({ handle: LINES, pem: PRIVATE_KEYS.plain }, null, 2)}\n`,
      ".env": `HANDLE_0=${DENIED}\n`,
      "deploy/prod.pem": `${PRIVATE_KEYS.plain}\n${DENIED}\n`,
      ".env.example": "HANDLE_0=your-own\n",
    },
    { git: true },
  ),
);
repo.commit(`Rotate handle_0\n\n${LINES.join("\n")}`);
const server = shared(await startOllama({ reply: (request) => (asksToSort(request) ? AGREEABLE(request) : "{}") }));
await compiled("index", "-v");
const first = await compiled("retrieve", TASK, "--json");
const taskId = z.object({ task_id: z.string() }).parse(JSON.parse(first.stdout)).task_id;

test.each(FORMAT_NAMES)("a package as %s contains no secret", async (format) => {
  const run = await cra("retrieve", TASK, "--format", format, "--budget", "20000");
  expect([run.exitCode, held(run.stdout + run.stderr)]).toEqual([0, []]);
  expect(run.stdout).toContain("[redacted: GitHub token]");
  expect(run.stderr).toMatch(/\d+ secrets are redacted: .*GitHub token.* in the task/);
  expect(run.stderr).toContain("in src/orders.py");
});

test("warnings name each hidden secret and its place, and the budget holds", async () => {
  for (const budget of ["900", "3000"]) {
    const run = await cra("retrieve", TASK, "--json", "--budget", budget);
    const pkg = z
      .object({ token_count: z.number(), budget: z.number(), warnings: z.array(z.string()) })
      .parse(JSON.parse(run.stdout));
    expect(pkg.token_count).toBeLessThanOrEqual(pkg.budget);
    expect(pkg.warnings.join("\n")).toContain("redacted: ");
  }
});

test.each([
  ["events", ["retrieve", TASK, "--events", "jsonl", "-v"]],
  ["a search for a word", ["search", "key"]],
  ["a search for a key", ["search", LINES[3] ?? ""]],
  ["a search for a line of a private key", ["search", PRIVATE_KEYS.lines[3] ?? ""]],
  ["a search for what is in denied files", ["search", "HANDLE_0", "--json"]],
  ["status", ["status", "-v"]],
  ["sessions", ["sessions", "--json"]],
  ["a mistake in the arguments", ["retrieve", "x", "--budget", LINES[3] ?? ""]],
  ["an unknown command", [LINES[3] ?? ""]],
  ["doctor", ["doctor", "--json"]],
])("%s prints no secret", async (_, args) => {
  const run = await cra(...args);
  expect(held(run.stdout + run.stderr)).toEqual([]);
});

test("refine, explain and log print no secret", async () => {
  const told = [
    await cra("refine", taskId, "--error", LINES[4] ?? "", "--missing-file", "docs/keys.md", "--json"),
    await cra("explain", taskId),
    await cra("explain", taskId, "src/orders.py", "--json"),
    await compiled("log", taskId, "--json"),
    await cra("log", taskId),
  ];
  for (const run of told) expect([run.exitCode, held(run.stdout + run.stderr)]).toEqual([0, []]);
  expect(told[3]?.stdout).toContain("[redacted: GitHub token]");
});

test("no secret is sent to a model or stored in the log of its calls", async () => {
  const model = ["--model", STAND_IN_MODEL, "--base-url", server.url];
  const judged = await compiled("retrieve", `${TASK} soon`, ...model);
  const enriched = await compiled("enrich", ...model, "--limit", "3");
  for (const run of [judged, enriched]) expect(held(run.stdout + run.stderr)).toEqual([]);
  const sent = server.generations().map(({ prompt }) => prompt);
  expect(sent.length).toBeGreaterThan(2);
  expect(held(sent.join("\n"))).toEqual([]);
  expect(sent.join("\n")).toContain("[redacted: ");
});

test("no secret is stored as a memory, imported from a file, or recalled", async () => {
  const said = `handle_0 needs ${LINES.slice(0, 20).join("; ")}`;
  const written = join(repo.path, ".cra", "memories.jsonl");
  const told = [
    await cra("remember", said),
    await compiled("recall", "handle_0", "--json"),
    await cra("premortem", "debugging"),
    await cra("retrieve", "what handle_0 needs", "--with-memory"),
    await cra("recall", "--list", "--json"),
  ];
  expect(told.map(({ exitCode, stdout, stderr }) => [exitCode, held(stdout + stderr)])).toEqual(
    told.map(() => [0, []]),
  );
  expect(told[0]?.stderr).toContain("to keep them: --allow-secrets");
  expect(told[1]?.stdout).toContain("[redacted: ");
  writeFileSync(written, told[4]?.stdout.replace("needs", `needs ${LINES[4]?.replaceAll('"', "'")} and`) ?? "");
  expect(await cra("remember", "--import", written)).toMatchObject({ exitCode: 0 });
  rmSync(written);
});

test("evaluation prints no secrets", async () => {
  repo.write({
    "cases.json": JSON.stringify([{ id: "a", task: TASK, expected_files: ["src/orders.py"] }]),
  });
  const run = await compiled("evaluate", "--cases", "cases.json", "--json");
  expect([run.exitCode, held(run.stdout + run.stderr)]).toEqual([0, []]);
  repo.remove("cases.json");
});

test("no log, session or memory store holds a secret, and no index holds a denied file", () => {
  const folder = join(repo.path, ".cra");
  const sessions = readdirSync(join(folder, "sessions")).map((name) => join("sessions", name));
  const bytes = (name: string): string => readFileSync(join(folder, name)).toString("latin1");
  const records = [...sessions, ...readdirSync(folder).filter((name) => /^(?:raw|memory)\.sqlite/.test(name))];
  expect(records).toContain("memory.sqlite");
  expect(records.length).toBeGreaterThan(2);
  for (const name of records) expect([name, held(bytes(name))]).toEqual([name, []]);
  for (const name of readdirSync(folder).filter((name) => /^(curated|parse-cache)/.test(name)))
    expect([name, bytes(name).includes(DENIED)]).toEqual([name, false]);
});

test("denied files are listed by path with the reason", async () => {
  const run = await cra("index", "-v");
  expect(run.stderr).toContain("skipped .env: may hold secrets\n");
  expect(run.stderr).toContain("skipped deploy/prod.pem: may hold secrets\n");
  expect(run.stderr).not.toContain("skipped .env.example");
  expect((await cra("status")).stdout).toMatch(/\nskipped +may hold secrets 2\n/);
});

test("no output contained a secret", () => {
  expect(runs.length).toBeGreaterThan(20);
  for (const run of runs) expect(held(run.stdout + run.stderr)).toEqual([]);
});

test("--allow-secrets shows everything; a repository cannot set it", async () => {
  const flag = await runHere(["retrieve", TASK, "--budget", "30000", "--allow-secrets"], { cwd: repo.path });
  expect(held(flag.stdout).length).toBeGreaterThan(20);
  expect(flag.stderr).not.toContain("redacted");
  const variable = await runHere(["search", "handle_3"], { cwd: repo.path, env: { CRA_ALLOW_SECRETS: "true" } });
  expect(variable.stdout + variable.stderr).not.toContain("redacted");
  repo.write({ ".cra.toml": "allow_secrets = true\n" });
  const refused = await runHere(["retrieve", TASK], { cwd: repo.path });
  expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining("cannot be set by a repository")]);
  repo.remove(".cra.toml");
});
