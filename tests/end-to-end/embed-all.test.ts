/**
 * Vectors of definitions and commits with the compiled binary: computed in advance or on demand, stored, and discarded.
 */
import { Database } from "bun:sqlite";
import { beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ContextJson } from "../../src/recall/context/context-json.ts";
import { binary } from "../support/binary.ts";
import { indexIn } from "../support/index-in.ts";
import { type TempRepo, tempRepo } from "../support/repo.ts";
import { startCra } from "../support/run-cra.ts";
import { runHere } from "../support/run-here.ts";
import { shared } from "../support/shared.ts";
import { textsAsked, vectorOf } from "../support/stand-in-embed.ts";
import { closedPort, STAND_IN_MODEL, startOllama } from "../support/stand-in-ollama.ts";

const many = Array.from({ length: 300 }, (_, at) => `def step_${at}(state):\n    return state\n`).join("\n");

const server = shared(await startOllama({ reply: () => "{}" }));
await binary();
beforeEach(() => server.embedWith((_, texts) => texts.map((text) => vectorOf(text))));

const at = (url = server.url): readonly string[] => ["--embedding-model", STAND_IN_MODEL, "--base-url", url];

async function project(): Promise<TempRepo> {
  const repo = tempRepo(
    {
      "src/gate.py": 'def admit(user):\n    """Credentials: authentication of a signin."""\n    return user\n',
      "src/steps.py": many,
    },
    { git: true },
  );
  await indexIn(repo);
  return repo;
}

const vectorsIn = (repo: TempRepo): string => join(repo.path, ".cra/vectors.sqlite");

async function namesOf(repo: TempRepo, query: string, ...words: readonly string[]) {
  const { stdout, stderr } = await runHere(["recall", query, "--types", "code", "--json", ...words], {
    cwd: repo.path,
  });
  const names = ContextJson.parse(JSON.parse(stdout)).items.flatMap((item) =>
    item.source === "code" ? [item.metadata.qualified_name] : [],
  );
  return { names, stderr };
}

describe("cra recall --embed-all", () => {
  test("creates every vector once; then a definition is found without a word of the query", async () => {
    using repo = await project();
    const curated = readFileSync(join(repo.path, ".cra/curated.sqlite"));
    expect(await namesOf(repo, "login")).toEqual({ names: [], stderr: "" });
    const made = await runHere(["recall", "--embed-all", ...at()], { cwd: repo.path });
    expect([made.stdout, made.stderr, made.exitCode]).toEqual([
      `made vectors with ${STAND_IN_MODEL}: 0 memory texts, 301 definitions, 1 commit\n`,
      "",
      0,
    ]);
    const again = await runHere(["recall", "--embed-all", "--json", ...at()], { cwd: repo.path });
    expect(JSON.parse(again.stdout)).toEqual({
      schema_version: 1,
      model: STAND_IN_MODEL,
      memory: 0,
      definitions: 0,
      commits: 0,
    });
    const found = await namesOf(repo, "login", ...at());
    expect([found.names[0], found.stderr]).toEqual(["admit", ""]);
    expect(readFileSync(join(repo.path, ".cra/curated.sqlite")).equals(curated)).toBe(true);
    const cleaned = await runHere(["clean", "--vectors"], { cwd: repo.path });
    expect([cleaned.exitCode, existsSync(vectorsIn(repo))]).toEqual([0, false]);
  });

  test("without an index, says that there are no definitions; without a model, what to do", async () => {
    using repo = tempRepo({ "a.py": "x = 1\n" });
    const made = await runHere(["recall", "--embed-all", ...at()], { cwd: repo.path });
    expect([made.stdout, made.exitCode]).toEqual([
      `made vectors with ${STAND_IN_MODEL}: 0 memory texts\nnone for definitions and commits: not indexed; run: cra index\n`,
      0,
    ]);
    const unnamed = await runHere(["recall", "--embed-all"], { cwd: repo.path });
    expect([unnamed.exitCode, unnamed.stderr]).toEqual([
      2,
      "cra: --embed-all needs an embedding model; name one with --embedding-model, or set embedding_model in your own config.toml\n",
    ]);
    const both = await runHere(["recall", "login", "--embed-all", ...at()], { cwd: repo.path });
    expect([both.exitCode, both.stderr]).toEqual([
      2,
      "cra: --embed-all takes no query; leave out the query, and ask it afterwards\n",
    ]);
  });

  test("keeps finished vectors when it is stopped or fails, and resumes there", async () => {
    using repo = await project();
    const reached = Promise.withResolvers<void>();
    let calls = 0;
    server.embedWith((_, texts) => {
      calls += 1;
      if (calls < 10) return texts.map((text) => vectorOf(text));
      reached.resolve();
      return { kind: "hang-before-headers" };
    });
    await using run = await startCra(["recall", "--embed-all", ...at()], { cwd: repo.path });
    await reached.promise;
    run.kill("SIGINT");
    expect(await run.ended).toMatchObject({ exitCode: 130 });
    const failing = await runHere(["recall", "--embed-all", ...at(`http://127.0.0.1:${await closedPort()}`)], {
      cwd: repo.path,
    });
    expect(failing.exitCode).toBe(13);
    expect(failing.stderr).toContain("run: ollama serve");
    server.embedWith((_, texts) => texts.map((text) => vectorOf(text)));
    const rest = await runHere(["recall", "--embed-all", "--json", ...at()], { cwd: repo.path });
    expect(JSON.parse(rest.stdout)).toMatchObject({ definitions: 301 - 256, commits: 1 });
  });
});

test("another model that was pulled under the same name gets vectors of its own, and those of the first go", async () => {
  using repo = await project();
  await runHere(["remember", "Signin tokens expire after an hour."], { cwd: repo.path });
  await using first = await startOllama({
    reply: () => "{}",
    embed: (_, texts) => texts.map((text) => vectorOf(text).toReversed()),
    says: { digest: "1".repeat(64) },
  });
  const embed = async (url: string) =>
    JSON.parse((await runHere(["recall", "--embed-all", "--json", ...at(url)], { cwd: repo.path })).stdout);
  const all = { memory: 1, definitions: 301, commits: 1 };
  expect(await embed(first.url)).toMatchObject(all);
  expect(await embed(first.url)).toMatchObject({ memory: 0, definitions: 0, commits: 0 });
  expect(await embed(server.url)).toMatchObject(all);
  expect((await namesOf(repo, "login", ...at())).names[0]).toBe("admit");
  for (const [file, table] of [
    [vectorsIn(repo), "blocks"],
    [join(repo.path, ".cra/memory.sqlite"), "vectors"],
  ] as const) {
    using db = new Database(file, { readonly: true });
    expect(db.query(`select distinct model from ${table}`).values()).toEqual([[`${STAND_IN_MODEL}@baf6a787fdffd633`]]);
  }
});

test("a recall embeds word matches first, up to a limit, and says how many texts are left", async () => {
  using repo = await project();
  const before = server.embeddings().length;
  const { stderr } = await namesOf(repo, "admit", ...at());
  const sent = server.embeddings().slice(before).flatMap(textsAsked);
  expect(sent[1]).toStartWith("src/gate.py\nfunction admit\n");
  expect(sent).toHaveLength(64 + 2);
  expect(stderr).toBe(
    "cra: note: 237 definitions and commits have no vector yet and are found by words only; run: cra recall --embed-all\n",
  );
});
