/** Values, vector search and similar failures with a model server. */
import { beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { openMemory } from "../../src/db/memory/open-store.ts";
import { RetrievalBundle } from "../../src/escalation/escalation-schema.ts";
import { ValuesJson } from "../../src/recall/values/values-json.ts";
import { binary } from "../support/binary.ts";
import { experience, idOf, memory } from "../support/entries.ts";
import { listing, type TempFolder, tempFolder } from "../support/folder.ts";
import { runCra } from "../support/run-cra.ts";
import { runHere } from "../support/run-here.ts";
import { shared } from "../support/shared.ts";
import { textsAsked, vectorOf } from "../support/stand-in-embed.ts";
import { closedPort, STAND_IN_MODEL, startOllama } from "../support/stand-in-ollama.ts";

const surprises = ["profile", "invoice", "report"].map((what) => `stale cache key without tenant: ${what}`);
const ENTRIES = [
  memory(1, { content: "credentials are kept in vault" }),
  memory(2, { content: "the login page is cached" }),
  ...surprises.map((surprise, at) =>
    experience(at + 1, {
      surprise,
      root_cause: { category: "oversight", description: `the timeout of pool ${at} was never set \u001b[2J` },
      lesson: { what_worked: "put the tenant into the cache key", takeaway: "raise the timeout" },
    }),
  ),
  experience(4, { surprise: null, root_cause: null, outcome: null, lesson: null }),
];

const server = shared(await startOllama({ reply: () => '{"value": "Name the tenant in every cache key."}' }));
await binary();
beforeEach(() => server.embedWith((_, texts) => texts.map((text) => vectorOf(text))));

/** A folder that remembers the entries. */
async function remembering(): Promise<TempFolder> {
  const folder = tempFolder();
  const stdin = ENTRIES.map((entry) => JSON.stringify(entry)).join("\n");
  const { exitCode, stderr } = await runHere(["remember", "--import", "-"], { cwd: folder.path, stdin });
  expect([exitCode, stderr]).toEqual([0, ""]);
  return folder;
}

const at = (url: string): readonly string[] => ["--embedding-model", STAND_IN_MODEL, "--base-url", url];

/** Through the compiled binary where a model is asked, which is all that depends on it. */
async function valuesIn(cwd: string, ...words: readonly string[]) {
  const run = words.length === 0 ? runHere : runCra;
  const ran = await run(["values", "--json", ...words], { cwd });
  expect(ran.exitCode).toBe(0);
  return { ...ValuesJson.parse(JSON.parse(ran.stdout)), stderr: ran.stderr };
}

describe("cra values", () => {
  test("writes nothing if no experience is stored", async () => {
    using folder = tempFolder();
    const { stdout, stderr, exitCode } = await runHere(["values"], { cwd: folder.path });
    expect([exitCode, stdout, stderr]).toEqual([
      0,
      "no values: no experience has ended yet; store one with cra remember\n",
      "",
    ]);
    expect(listing(folder.path)).toEqual([]);
  });

  test("prints the same values every time, and stores them for recall", async () => {
    using folder = await remembering();
    const made = await valuesIn(folder.path);
    expect(made).toMatchObject({ experiences: 3, vectors_by: null, worded: 0, stderr: "" });
    expect([...new Set(made.values.map(({ axis }) => axis))]).toEqual(["full", "root_cause", "strategy", "surprise"]);
    expect(await valuesIn(folder.path)).toEqual(made);
    const one = await runHere(["values", "--axis", "surprise"], { cwd: folder.path });
    expect(one.stdout).toMatch(
      /^4 values of 3 experiences, grouped by their words\n\nsurprise\n {2}val-[0-9a-f]{12} {2}3 experiences, similarity 0\.\d\d {2}\(debugging, read-the-error\)\n {4}put the tenant into the cache key\. raise the timeout\n$/,
    );
    const recalled = await runHere(["recall", "tenant cache", "--types", "values"], { cwd: folder.path });
    expect(recalled.stdout).toContain("put the tenant into the cache key");
    await runHere(["forget", idOf("exp", 1), "--yes"], { cwd: folder.path });
    expect(await valuesIn(folder.path)).toMatchObject({ experiences: 2, values: [] });
    const said = async () => (await runHere(["values"], { cwd: folder.path })).stdout;
    expect(await said()).toBe("no values: the 2 finished experiences have too little in common\n");
    await runHere(["forget", idOf("exp", 2), "--yes"], { cwd: folder.path });
    expect(await said()).toBe("no values: only one experience has ended, and values are what several have in common\n");
  });

  test("uses models to group and word values, and reports only what it sent", async () => {
    using folder = await remembering();
    const made = await valuesIn(folder.path, "--model", STAND_IN_MODEL, ...at(server.url));
    expect(made).toMatchObject({ vectors_by: STAND_IN_MODEL, worded: made.values.length, stderr: "" });
    expect(new Set(made.values.map(({ text }) => text))).toEqual(new Set(["Name the tenant in every cache key."]));
    const prompts = server.generations().map(({ prompt }) => prompt);
    expect(prompts.length).toBe(made.values.length);
    expect(prompts.join("")).not.toContain("\u001b");
    const store = openMemory(join(folder.path, ".cra/memory.sqlite"), "read");
    expect(store.unembedded(`${STAND_IN_MODEL}@baf6a787fdffd633`, 100)).toEqual([]);
    store.close();
  });

  test("falls back to labels from word counts when a model fails", async () => {
    using folder = await remembering();
    const plain = await valuesIn(folder.path);
    const url = `http://127.0.0.1:${await closedPort()}`;
    const made = await valuesIn(folder.path, "--model", STAND_IN_MODEL, ...at(url));
    expect(made).toEqual({ ...plain, stderr: made.stderr });
    expect(made.stderr.trim().split("\n")).toEqual([
      `cra: note: comparing words only, not meanings: no model server at ${url} (connection refused); run: ollama serve`,
      `cra: note: ${plain.values.length} values quote an experience, as the model did not word them: no model server at ${url} (connection refused); run: ollama serve`,
    ]);
  });

  test("refuses an unknown axis, and a server that is not allowed", async () => {
    using folder = await remembering();
    const axis = await runHere(["values", "--axis", "depth"], { cwd: folder.path });
    expect([axis.exitCode, axis.stderr]).toEqual([
      2,
      'cra: --axis: "depth" is not one of full, strategy, surprise, root_cause\n',
    ]);
    const remote = await runHere(["values", ...at("http://192.0.2.1:1")], { cwd: folder.path });
    expect(remote.exitCode).toBe(2);
    expect(remote.stderr).toContain("--allow-remote-llm");
    writeFileSync(join(folder.path, ".cra.toml"), 'embedding_model = "nomic-embed-text"\n');
    const before = server.requests.length;
    const chosen = await runHere(["values"], { cwd: folder.path });
    expect(chosen.exitCode).toBe(2);
    expect(chosen.stderr).toContain("embedding_model");
    expect(server.requests.length).toBe(before);
  });
});

describe("recall with an embedding model", () => {
  const recall = async (cwd: string, url: string) => {
    const words = ["recall", "signin", "--types", "memories", "--json", ...at(url)];
    const { stdout, stderr, exitCode } = await runCra(words, { cwd });
    const Items = z.object({ items: z.array(z.object({ metadata: z.object({ id: z.string() }) })) });
    const ids = Items.parse(JSON.parse(stdout)).items.map(({ metadata }) => metadata.id);
    return { ids: ids.sort(), stderr, exitCode };
  };

  test("finds entries by meaning, and embeds each text once", async () => {
    using folder = await remembering();
    expect(await recall(folder.path, server.url)).toEqual({
      ids: [idOf("mem", 1), idOf("mem", 2)],
      stderr: "",
      exitCode: 0,
    });
    const before = server.embeddings().length;
    await recall(folder.path, server.url);
    const sent = server.embeddings().slice(before).flatMap(textsAsked);
    expect(sent).toHaveLength(2);
    expect(sent[1]).toBe("signin");
  });

  test("falls back to words when the server fails, with one notice", async () => {
    using folder = await remembering();
    server.embedWith(() => ({ kind: "error", status: 500, error: "out of \u001b[2J memory" }));
    const { ids, stderr, exitCode } = await recall(folder.path, server.url);
    expect([ids, exitCode]).toEqual([[], 0]);
    expect(stderr.trim().split("\n")).toEqual([
      `cra: note: comparing words only, not meanings: the server at ${server.url} refused to run ${STAND_IN_MODEL} (500: out of \\x1b[2J memory); look at the server's log, or try another --embedding-model`,
    ]);
  });
});

describe("escalation", () => {
  const HANDOFF = JSON.stringify({
    error_message: "TimeoutError: the pool gave no connection",
    root_cause: "the timeout of the pool was never set",
  });
  async function bundle(cwd: string, ...words: readonly string[]): Promise<RetrievalBundle> {
    mkdirSync(join(cwd, "run"), { recursive: true });
    const run = ["escalate", "--handoff", "-", "--run-dir", "run", "--phase", "p1", "--force", "--json", ...words];
    const { stdout, exitCode } = await (words.length === 0 ? runCra : runHere)(run, { cwd, stdin: HANDOFF });
    expect(exitCode).toBe(0);
    return RetrievalBundle.parse(JSON.parse(stdout));
  }

  test("includes similar failures with their solutions, and writes nothing", async () => {
    using folder = await remembering();
    const file = join(folder.path, ".cra/memory.sqlite");
    const before = readFileSync(file);
    const found = (await bundle(folder.path)).memory_entries;
    expect(found.map(({ phase_id }) => phase_id).sort()).toEqual([1, 2, 3].map((number) => idOf("exp", number)));
    for (const { error_pattern, resolution, similarity_score } of found) {
      expect(error_pattern).toMatch(/^oversight: the timeout of pool \d was never set/);
      expect(resolution).toBe("put the tenant into the cache key. raise the timeout");
      expect(similarity_score).toBeWithin(0.2, 1.000001);
    }
    expect((await bundle(folder.path, ...at(server.url))).memory_entries).toHaveLength(3);
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(existsSync(`${file}-journal`)).toBe(false);
  });

  test("ranks documents by meaning if a model is set, and by words if it fails", async () => {
    using folder = await remembering();
    for (const [name, text] of Object.entries({ "a.md": "timeout timeout pool", "b.md": "timeout: latency" }))
      writeFileSync(join(folder.path, name), `${text}\n`);
    const order = async (...words: readonly string[]) =>
      (await bundle(folder.path, "--docs", ".", ...words)).sot_files.map(({ path }) => path);
    const byWords = await order();
    server.embedWith((_, texts) => texts.map((text) => (/latency|TimeoutError/.test(text) ? [1, 0] : [0, 1])));
    expect((await order(...at(server.url)))[0]).toBe("b.md");
    expect(byWords[0]).toBe("a.md");
    const url = `http://127.0.0.1:${await closedPort()}`;
    const failing = await bundle(folder.path, "--docs", ".", ...at(url));
    expect(failing.sot_files.map(({ path }) => path)).toEqual(byWords);
    expect(failing.memory_entries).toHaveLength(3);
    expect(failing.warnings).toEqual([
      `ranking by meaning was left out: embedding: no model server at ${url} (connection refused); run: ollama serve`,
    ]);
  });
});
