/** Keys of every kind in every notation: cra prints, stores, sends and exports none of them. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { HANG_MS } from "../support/hang.ts";
import { AGREEABLE } from "../support/judging-reply.ts";
import { callTool, openMcp } from "../support/mcp-client.ts";
import { PLANTED_KEYS } from "../support/planted-keys.ts";
import { tempRepo } from "../support/repo.ts";
import { type CraRun, runCra } from "../support/run-cra.ts";
import { runHere } from "../support/run-here.ts";
import { shared } from "../support/shared.ts";
import { STAND_IN_MODEL, startOllama } from "../support/stand-in-ollama.ts";
import type { Received } from "../support/stand-in-request.ts";
import { readings, WRAPPINGS } from "../support/wrappings.ts";

setDefaultTimeout(HANG_MS);

/** A page and a program have a key in six each in one wrapping; with the next wrapping they change. All pairs are in `wrappings.test.ts`. */
const SHARE = 6;
const wrapped = (at: number, from: 0 | 3): readonly string[] =>
  PLANTED_KEYS.filter((_, key) => (key + at) % SHARE === from).map(
    ({ line, secret }) => WRAPPINGS[at]?.wrap(line, secret) ?? line,
  );
/** Every key in another wrapping: each wrapping and each key in every turn. */
const mixed = (turn: number): readonly string[] =>
  PLANTED_KEYS.map(({ line, secret }, at) => WRAPPINGS[(at + turn) % WRAPPINGS.length]?.wrap(line, secret) ?? line);

/** So much of a key tells that it leaked: a page of a database may hold only a part. */
const PIECE_CHARS = 16;
const PIECES = PLANTED_KEYS.flatMap(({ secret }) => [secret.slice(0, PIECE_CHARS), secret.slice(-PIECE_CHARS)]);
/** A number of two letters. Letters that are not ASCII may share one: it only says where to look closer. */
const pairAt = (text: string, at: number): number =>
  ((text.charCodeAt(at) & 0x7f) << 7) | (text.charCodeAt(at + 1) & 0x7f);
const piecesBy = Map.groupBy(PIECES, (piece) => pairAt(piece, 0));
const isBeginning = Uint8Array.from({ length: 1 << 14 }, (_, pair) => Number(piecesBy.has(pair)));
/** The keys in a text, as it is and as each notation is read, in one pass each. */
function leaked(text: string): readonly string[] {
  const found = new Set<string>();
  for (const read of readings(text))
    for (let at = 0; at < read.length; at += 1)
      if (isBeginning[pairAt(read, at)] === 1)
        for (const piece of piecesBy.get(pairAt(read, at)) ?? []) if (read.startsWith(piece, at)) found.add(piece);
  return [...found];
}

/** Keys that can be a name in a program, and are known without more. */
const NAMES = PLANTED_KEYS.filter(({ line, secret }) => /^[A-Za-z_]\w+$/.test(secret) && line === `key = "${secret}"`);
const repo = shared(
  tempRepo(
    {
      ...Object.fromEntries(
        WRAPPINGS.flatMap((_, at) => [
          [`docs/notes${at}.md`, `# How handle_${at} gets in\n\n${wrapped(at, 0).join("\n\n")}\n`],
          [
            `src/part${at}.js`,
            `/*\nhandle_${at} knows ${wrapped(at, 3).join("\n")}\n*/\nfunction handle_${at}(order) {\n  return order;\n}\n`,
          ],
        ]),
      ),
      "src/names.js": NAMES.map(({ secret }, at) => `const KEY_${secret} = ${at};\nfunction ${secret}_old() {}\n`).join(
        "",
      ),
      "src/clean.js": "/** Adds two numbers. */\nexport function addNumbers(a, b) {\n  return a + b;\n}\n",
    },
    { git: true },
  ),
);
for (let turn = 0; turn < WRAPPINGS.length; turn += 3) {
  repo.write({ [`src/part${turn}.js`]: `${readFileSync(join(repo.path, `src/part${turn}.js`), "utf8")}// ${turn}\n` });
  repo.commit(`Let handle_${turn} in\n\n${mixed(turn).join("\n")}`);
}
const server = shared(
  await startOllama({
    reply: (request: Received) =>
      /"relevant"|"primary"|"words"/.test(JSON.stringify(request.format)) ? AGREEABLE(request) : "{}",
  }),
);
const TASK = `handle_0 and handle_1 refuse\n${mixed(3).join("\n")}`;

const ofBinary = new Set(["index", "retrieve", "search"]);
/**
 * The first call of each command is one of the compiled binary, unless `secrets.test.ts` has it; the same code answers the others in
 * this process.
 */
async function cra(...args: readonly string[]): Promise<CraRun> {
  const run = await (ofBinary.delete(args[0] ?? "") ? runCra : runHere)(args, { cwd: repo.path });
  expect([args[0], leaked(run.stdout + run.stderr)]).toEqual([args[0], []]);
  return run;
}

/** The task whose package was printed as JSON. */
let task_id = "";

test("packages in every format", async () => {
  await cra("index", "-v");
  // A prompt is written as Markdown is, and a bundle as JSON. Each format writes the same texts.
  for (const [format, budget] of [
    ["markdown", "60000"],
    ["xml", "9000"],
    ["json", "30000"],
  ] as const) {
    const run = await cra("retrieve", TASK, "--format", format, "--budget", budget);
    expect([run.exitCode, run.stdout.includes("[redacted: ")]).toEqual([0, true]);
    if (format === "json") ({ task_id } = z.object({ task_id: z.string() }).parse(JSON.parse(run.stdout)));
  }
  await cra("retrieve", TASK, "--events", "jsonl", "-v", "--budget", "9000");
});

test("rounds, explanations and the log", async () => {
  // Other control characters are refused.
  const shown = mixed(7).filter((lines) => !/[^\P{Cc}\t\r\n]/u.test(lines));
  expect(shown.length).toBeGreaterThan(PLANTED_KEYS.length / 2);
  const refined = await cra("refine", task_id, "--error", shown.join("\n"), "--json", "--budget", "9000");
  expect([refined.exitCode, refined.stdout.includes("[redacted: ")]).toEqual([0, true]);
  await cra("explain", task_id);
  await cra("explain", task_id, "src/names.js");
  const log = await cra("log", task_id, "--json");
  expect(log.stdout).toContain("[redacted: ");
  await cra("sessions", "--json");
});

test("search, for words and for keys", async () => {
  for (const query of ["handle_3", "KEY", "old", "knows", "Let handle in", ...mixed(5).slice(0, 4)]) {
    await cra("search", query, "--limit", "60");
    if (query.length < 10) await cra("search", query, "--limit", "60", "--json");
  }
});

test("tools for agents", async () => {
  await using mcp = await openMcp({ cwd: repo.path });
  for (const [name, args] of [
    ["retrieve", { task: TASK, budget: 20_000 }],
    ["search", { query: "handle_7", limit: 50 }],
    ["search", { query: PLANTED_KEYS[3]?.secret ?? "" }],
    ["status", {}],
  ] as const) {
    const { text, structured } = await callTool(mcp, name, args);
    expect([name, leaked(`${text}\n${JSON.stringify(structured)}`)]).toEqual([name, []]);
  }
});

test("prompts to a model, and the log of its answers", async () => {
  const model = ["--model", STAND_IN_MODEL, "--base-url", server.url];
  await cra("retrieve", `${TASK}\nsoon`, ...model);
  await cra("enrich", ...model, "--limit", "6");
  const sent = server.generations().map(({ prompt }) => prompt);
  expect(sent.length).toBeGreaterThan(2);
  expect(leaked(sent.join("\n"))).toEqual([]);
});

test("memories", async () => {
  await cra("remember", `handle_0 needs ${mixed(11).slice(0, 40).join("; ")}`);
  await cra("recall", "handle_0", "--json");
});

test("an export has the files without a key", async () => {
  const path = join(repo.path, ".cra", "team.cra-export");
  const run = await cra("index", "--export", path, "--json");
  expect(run.exitCode).toBe(0);
  expect(leaked(readFileSync(path, "latin1"))).toEqual([]);
});

test("nothing that was kept holds a key, but for the copies of the repository's own files", () => {
  const folder = join(repo.path, ".cra");
  const kept = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/^(?:curated|parse-cache)\.sqlite/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  for (const name of ["raw.sqlite", "memory.sqlite", "sessions/"]) expect(kept.join("\n")).toContain(`.cra/${name}`);
  for (const path of kept) expect([path, leaked(readFileSync(path, "latin1"))]).toEqual([path, []]);
});
