/** `cra mcp` with the official client: its tools, their results, and concurrent clients. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { ExplainAnswer, PackageAnswer, SearchAnswer, StatusAnswer } from "../../src/present/answers.ts";
import { ContextJson } from "../../src/recall/context/context-json.ts";
import { listing, tempFolder } from "../support/folder.ts";
import { HANG_MS } from "../support/hang.ts";
import { callTool, type McpClient, openMcp } from "../support/mcp-client.ts";
import { PLANTED_KEYS, PLANTED_SECRETS } from "../support/planted-keys.ts";
import type { TempRepo } from "../support/repo.ts";
import { runHere } from "../support/run-here.ts";
import { SHOP_TASK, shopRepo } from "../support/shop.ts";

setDefaultTimeout(HANG_MS);

let repo: TempRepo;
/** One that asks for structured content and all tools, and one as agents start it. */
let mcp: McpClient;
let plain: McpClient;
let taskId = "";
/** Lines of standard output that were no message. */
const noise: Error[] = [];
/** The client takes answers at once and notifications a turn later: one that came just before its answer has no reader. */
const isLate = ({ message }: Error): boolean => message.startsWith("Received a progress notification for an unknown");

beforeAll(async () => {
  repo = shopRepo();
  mkdirSync(join(repo.path, "runs"));
  repo.write({ "runs/phase_1_attempt_1.log": "Traceback\nValueError: the cart is empty\n" });
  const onError = (error: Error) => isLate(error) || noise.push(error);
  mcp = await openMcp({ cwd: repo.path, args: ["--structured", "--tools", "all"], onError });
  plain = await openMcp({ cwd: repo.path, onError });
});
afterAll(async () => {
  await mcp[Symbol.asyncDispose]();
  await plain[Symbol.asyncDispose]();
  repo[Symbol.dispose]();
  expect(noise).toEqual([]);
});

const call = (name: string, args: Readonly<Record<string, unknown>> = {}) => callTool(mcp, name, args);
/** The same as text. */
const said = async (name: string, args: Readonly<Record<string, unknown>> = {}) =>
  (await callTool(plain, name, args)).text;

/** Where cra keeps what it knows. */
const DATA = [".cra", ".git/cra"];

test("lists nine tools with schemas and correct write hints", async () => {
  const { tools } = await mcp.client.listTools();
  expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint, annotations?.idempotentHint])).toEqual([
    ["retrieve", false, false],
    ["refine", false, false],
    ["read", true, true],
    ["search", true, true],
    ["explain", true, true],
    ["recall", true, true],
    ["premortem", true, true],
    ["escalate", true, true],
    ["status", true, true],
  ]);
  for (const { title, description, inputSchema, outputSchema, annotations } of tools) {
    expect(title).toBeTruthy();
    expect(description?.length).toBeWithin(50, 700);
    expect([inputSchema.type, outputSchema?.type]).toEqual(["object", "object"]);
    expect([annotations?.destructiveHint, annotations?.openWorldHint]).toEqual([false, false]);
  }
  expect(mcp.client.getServerVersion()?.name).toBe("cra");
  expect(mcp.client.getInstructions()).toContain("retrieve");
  expect(mcp.client.getInstructions()).toMatch(
    / Also: recall for .*, premortem for .*, escalate for evidence of a failed run\.$/,
  );
});

test("the first retrieve indexes, reports progress, and returns a package within its budget", async () => {
  // A search needs no index, and makes none.
  const searched = await call("search", { query: "cart" });
  const { note, hits } = SearchAnswer.parse(searched.structured);
  expect([searched.isError, note, hits[0]?.path]).toEqual([
    false,
    expect.stringContaining("this is a first answer"),
    "shop/cart.py",
  ]);
  // Nor does reading.
  for (const [what, path] of [
    ["shop/mail.py", "shop/mail.py"],
    ["Cart.sum", "shop/cart.py"],
  ])
    expect((await call("read", { what })).structured).toMatchObject({ path });
  expect((await call("read", { what: "none" })).text).toMatch(/^nothing is called "none" .*; this is a first answer /);
  // What cannot be answered is refused before anybody waits for an index.
  for (const [name, args] of [
    ["retrieve", {}],
    ["retrieve", { task: SHOP_TASK, budget: 90_000 }],
    ["refine", { task_id: "ffffffff" }],
    ["read", { what: "none" }],
  ] as const)
    expect(await call(name, args)).toMatchObject({ isError: true });
  expect(existsSync(join(repo.path, ".cra", "curated.sqlite"))).toBe(false);
  const reported = mcp.progress.length;
  const onprogress = (): void => undefined;
  const { structured, isError } = await callTool(mcp, "retrieve", { task: SHOP_TASK, budget: 900 }, { onprogress });
  expect(isError).toBe(false);
  const found = PackageAnswer.parse(structured);
  expect(found).toMatchObject({ round: 1, budget: 900 });
  expect(found.token_count).toBeWithin(1, 901);
  expect(found.files.map(({ rank }) => rank)).toEqual(found.files.map((_, at) => at + 1));
  expect(found.files.map(({ path }) => path)).toContain("shop/cart.py");
  expect(found.markdown).toContain("return total(self.items)");
  const reports = mcp.progress.slice(reported);
  const steps = reports.map(({ progress }) => progress);
  const messages = reports.map(({ message }) => message);
  expect(steps).toEqual(steps.toSorted((a, b) => a - b));
  expect(new Set(steps).size).toBe(steps.length);
  expect(messages).toContain("scope");
  expect(messages[0]).toMatch(/^walk/);
  taskId = found.task_id;
  const printed = await runHere(["retrieve", SHOP_TASK, "--budget", "900"], { cwd: repo.path });
  expect(printed.stdout).toBe(found.markdown);
});

test("refine makes the next round and says what changed", async () => {
  const { structured } = await call("refine", { task_id: taskId, missing_files: ["shop/mail.py"] });
  const found = PackageAnswer.parse(structured);
  expect(found).toMatchObject({ round: 3, task_id: taskId, budget: 900 });
  expect(found.changes?.added.map(({ path }) => path)).toContain("shop/mail.py");
  expect(found.markdown).toContain("def send");
  const failed = await call("refine", {
    task_id: taskId,
    trace: 'File "shop/price.py", line 2, in total\nKeyError: 3',
  });
  expect(PackageAnswer.parse(failed.structured).round).toBe(4);
});

test("refine takes absolute paths and errors of several lines, and says in its own words what else it takes", async () => {
  const { structured: first } = await call("retrieve", { task: "wrong amounts in letters", budget: 900 });
  const { task_id } = PackageAnswer.parse(first);
  const { text: nothing } = await call("refine", { task_id });
  expect(nothing).toMatch(/: accepted_files, .* standing, diff, /);
  expect(nothing).not.toContain("--");
  const { structured } = await call("refine", {
    task_id,
    reason: "The test failed.\nAgain.",
    missing_files: [join(repo.path, "shop/mail.py")],
    rejected_files: [join(repo.path, "README.md")],
    as_body: [join(repo.path, "shop/price.py:discount")],
    error_signatures: ["Traceback:\n\tin total\u001b[0m\nTypeError: the cart is empty"],
  });
  const { files, markdown } = PackageAnswer.parse(structured);
  expect(files.map(({ path }) => path)).toContain("shop/mail.py");
  expect(files.map(({ path }) => path)).not.toContain("README.md");
  expect(markdown).toContain("return total(items) * percent");
  const outside = await call("refine", { task_id, missing_files: [join(repo.path, "../none.py")] });
  expect(outside).toMatchObject({
    isError: true,
    text: expect.stringContaining("is not a path inside the repository"),
  });
});

test("a task from the command line with a large budget is refined within the server's limit", async () => {
  const run = await runHere(["retrieve", "send a letter", "--budget", "90000", "--json"], { cwd: repo.path });
  const { task_id } = JSON.parse(run.stdout);
  expect((await call("refine", { task_id })).structured).toMatchObject({ budget: 6000 });
});

test("search, explain and status record nothing", async () => {
  const before = listing(repo.path, DATA);
  const { runs } = StatusAnswer.parse((await call("status")).structured);
  const found = await call("search", { query: "discount", limit: 2 });
  expect(SearchAnswer.parse(found.structured).hits[0]).toMatchObject({ path: "shop/price.py" });
  const listed = await said("search", { query: "discount", limit: 1 });
  expect(listed).toMatch(/^shop\/price\.py:\d+ {2}function discount\n/);
  // A path says all that there is to say of a file that it finds.
  expect(await said("search", { query: "price.py" })).toMatch(/^shop\/price\.py:1\n(?! )/);
  expect(listed).toContain("Note: these are the best 1; raise limit");
  expect(await said("search", { query: "zanzibar" })).toBe("Nothing matches.\n");
  const all = await call("explain", { task_id: taskId.slice(0, 6) });
  expect(ExplainAnswer.parse(all.structured)).toMatchObject({ task_id: taskId, round: 4, decisions: [] });
  const explained = await said("explain", { task_id: taskId.slice(0, 6) });
  expect(explained).toContain("shop/cart.py");
  expect(explained).toMatch(/\nNote: \d+ decisions left out; ask about a file or symbol with what\n$/);
  const what = "shop/cart.py";
  expect(await said("explain", { task_id: taskId, what })).toMatch(
    /^shop\/cart\.py\n {2}verdict in, (?:(?!cra |Note: ).)*$/s,
  );
  const one = ExplainAnswer.parse((await call("explain", { task_id: taskId, what })).structured);
  expect(one.decisions.length).toBeGreaterThan(0);
  const status = await call("status");
  expect(StatusAnswer.parse(status.structured)).toMatchObject({ repository: repo.path, indexed: true, runs });
  expect(listing(repo.path, DATA)).toEqual(before);
});

test("a map says once why it is one", async () => {
  const text = await said("retrieve", { task: "qwertz" });
  expect(text.match(/nothing in the index matches the task/g)).toHaveLength(1);
});

test("recall, premortem and escalate answer when nothing is stored", async () => {
  const recalled = await call("recall", { query: "cart", types: ["code", "memories"], limit: 3 });
  expect(ContextJson.parse(recalled.structured).items[0]).toMatchObject({ source: "code" });
  expect(await said("recall", { query: "cart", types: ["code"] })).toContain("Cart");
  expect(await call("premortem", { domain: "testing" })).toMatchObject({ isError: false, structured: { items: [] } });
  const failure = { run_dir: "runs", phase: "phase_1", trace: "ValueError: the cart is empty", force: true };
  const evidence = await call("escalate", failure);
  expect(evidence.structured).toMatchObject({ escalate: true, run_artifacts: [{ path: "phase_1_attempt_1.log" }] });
  expect(await said("escalate", failure)).toContain("the cart is empty");
  const decided = await call("escalate", { run_dir: "runs", phase: "phase_1", handoff: {}, check: true });
  expect(decided.structured).toMatchObject({ phase_id: "phase_1", attempt: 1 });
});

test("a thousand hints without a match give only a few warnings", async () => {
  const hint_paths = Array.from({ length: 1_000 }, (_, at) => `none/${at}.py`);
  const { structured } = await call("retrieve", { task: SHOP_TASK, budget: 900, hint_paths });
  const { warnings } = PackageAnswer.parse(structured);
  expect([warnings.length, warnings.at(-1)]).toEqual([21, "and 980 more notes"]);
});

test("retrieve takes hints with absolute paths", async () => {
  const hint_paths = [join(repo.path, "README.md"), join(repo.path, "shop"), "/none/shop/price.py/x"];
  const text = await said("retrieve", { task: "fix the rounding", hint_paths });
  expect(text).toContain("### README.md (rank #1)");
  expect(text.match(/^Note: the hint .*$/gm)).toEqual([
    'Note: the hint "/none/shop/price.py/x" matches nothing in the index',
  ]);
});

test("failures are results with one line: what, where, what next", async () => {
  const cases: readonly (readonly [string, Readonly<Record<string, unknown>>, RegExp])[] = [
    ["retrieve", {}, /^the task is empty; describe in task what to do$/],
    [
      "retrieve",
      { task: "x", budget: 50_000 },
      /^budget: 50000 tokens are more than this server allows \(12000\).*cra mcp --budget 50000$/,
    ],
    ["retrieve", { task: SHOP_TASK, budget: 1 }, /budget/],
    ["retrieve", { task: 7 }, /^task: .*; see the input schema of retrieve$/],
    ["retrieve", { task: "x", repo: "/etc" }, /^the arguments: .*repo/],
    ["retrieve", { task: "x", only: ["../.."] }, /^only: \.\.\/\.\.: it is outside the repository/],
    ["retrieve", { task: "x", diff: "none" }, /^diff: no commit is called "none"/],
    ["escalate", { run_dir: "runs", phase: "../x", trace: "x" }, /^phase: /],
    ["refine", { task_id: "ffffffff" }, /ffffffff/],
    ["refine", { task_id: taskId, accepted_files: ["a"], rejected_files: ["a"] }, /a/],
    ["explain", { task_id: taskId, what: "none.py" }, /none\.py/],
    ["explain", { task_id: "" }, /^task_id: /],
    ["explain", { task_id: "ffffffff" }, /; call retrieve$/],
    ["search", { query: "x", limit: 1e9 }, /^limit: /],
    ["recall", { query: "x", max_tokens: 90_000 }, /^max_tokens: 90000 is more than this server allows \(6000\)/],
    ["premortem", { domain: "cooking" }, /^domain: /],
    ["escalate", { run_dir: "/etc", phase: "p", trace: "x" }, /^run_dir: \/etc: it is outside the repository/],
    ["escalate", { run_dir: "../none", phase: "p", trace: "x" }, /^run_dir: \.\.\/none: it is outside the repository/],
    ["escalate", { run_dir: "runs", phase: "p" }, /^handoff is missing/],
  ];
  for (const [name, args, says] of cases) {
    const { text, isError } = await call(name, args);
    expect([name, isError, text]).toEqual([name, true, expect.stringMatching(says)]);
    expect(text).not.toContain("\n");
  }
  await expect(call("none")).rejects.toThrow(/there is no tool "none"; there are retrieve, refine/);
});

test("also supports the protocol revision without a handshake", async () => {
  await using modern = await openMcp({
    cwd: repo.path,
    args: ["--structured"],
    options: { versionNegotiation: { mode: { pin: "2026-07-28" } } },
  });
  expect((await modern.client.listTools()).tools).toHaveLength(5);
  const steps: unknown[] = [];
  const onprogress = (step: unknown) => steps.push(step);
  const found = await callTool(modern, "retrieve", { task: SHOP_TASK, budget: 900 }, { onprogress });
  expect(PackageAnswer.parse(found.structured).task_id).toBe(taskId);
  expect(steps.length).toBeGreaterThan(0);
});

test("agents get five tools without output schemas and text once, and --budget sets the limit", async () => {
  await using small = await openMcp({ cwd: repo.path, args: ["--budget", "700"] });
  const { tools } = await small.client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(["retrieve", "refine", "read", "search", "explain"]);
  expect(Buffer.byteLength(JSON.stringify(tools))).toBeLessThan(8_000);
  expect(tools.every(({ outputSchema }) => outputSchema === undefined)).toBe(true);
  const { text, structured } = await callTool(small, "retrieve", { task: SHOP_TASK });
  expect(text).toMatch(/\nTask [0-9a-f]+, round 1: \d+ of 700 tokens\./);
  expect(structured).toEqual({});
  expect(await callTool(small, "retrieve", { task: "x", budget: 701 })).toMatchObject({ isError: true });
  // Tools that are not listed answer to their names.
  expect((await callTool(small, "status")).text).toContain(repo.path);
});

test("several clients that start at once in a repository without an index get the same answer", async () => {
  using fresh = shopRepo();
  const clients = await Promise.all([1, 2].map(() => openMcp({ cwd: fresh.path, args: ["--structured"] })));
  try {
    const answers = await Promise.all(
      clients.flatMap((client) => [1, 2].map(() => callTool(client, "retrieve", { task: SHOP_TASK, budget: 900 }))),
    );
    expect(answers.map(({ isError, text }) => (isError ? text : ""))).toEqual(answers.map(() => ""));
    expect(new Set(answers.map(({ structured }) => structured.markdown)).size).toBe(1);
    fresh.write({ "shop/news.py": "def publish(cart):\n    return cart\n" });
    const more = await Promise.all(clients.map((client) => callTool(client, "retrieve", { task: "publish news" })));
    for (const { structured } of more) expect(PackageAnswer.parse(structured).markdown).toContain("def publish");
  } finally {
    await Promise.all(clients.map((client) => client[Symbol.asyncDispose]()));
  }
});

test("twelve concurrent calls each get their own answer", async () => {
  const limits = Array.from({ length: 12 }, (_, at) => (at % 5) + 1);
  const answers = await Promise.all(limits.map((limit) => call("search", { query: "cart", limit })));
  expect(answers.map(({ structured }) => structured.limit)).toEqual(limits);
});

test("a cancelled call gets no answer, and the next call does", async () => {
  // What is told before the cancellation is heard has no reader any more, which the client takes for noise.
  await using other = await openMcp({ cwd: repo.path, args: ["--structured"] });
  // Something to parse, so that the answer is far behind the first progress on a busy machine, too.
  repo.write({ "shop/late.py": "def late():\n    return 1\n" });
  const stop = new AbortController();
  const cancelled = callTool(
    other,
    "retrieve",
    { task: `${SHOP_TASK}, once more` },
    { signal: stop.signal, onprogress: () => stop.abort("enough") },
  );
  await expect(cancelled).rejects.toThrow();
  expect((await callTool(other, "status")).isError).toBe(false);
  repo.remove("shop/late.py");
  const next = await callTool(other, "retrieve", { task: SHOP_TASK, budget: 900 });
  expect(next.structured).toMatchObject({ task_id: taskId });
});

test("outside a repository, it uses the client's root but never a home folder", async () => {
  using folder = tempFolder();
  await using rooted = await openMcp({ cwd: folder.path, args: ["--structured"], roots: [repo.path] });
  expect((await callTool(rooted, "status")).structured).toMatchObject({ repository: repo.path });
  await using named = await openMcp({
    cwd: folder.path,
    args: ["--structured", "--repo", repo.path],
    roots: [folder.path],
  });
  expect((await callTool(named, "status")).structured).toMatchObject({ repository: repo.path });
  await using bare = await openMcp({ cwd: folder.path, args: ["--structured"] });
  expect((await callTool(bare, "status")).structured).toMatchObject({ repository: folder.path });
  await using lost = await openMcp({ cwd: folder.path, home: folder.path });
  await using home = await openMcp({ cwd: folder.path, home: folder.path, roots: [folder.path] });
  for (const client of [lost, home]) {
    const { isError, text } = await callTool(client, "retrieve", { task: SHOP_TASK });
    expect([isError, text]).toEqual([true, expect.stringMatching(/; start it as cra mcp --repo FOLDER$/)]);
  }
  expect(listing(folder.path)).toEqual([]);
});

test("no answer contains a secret", async () => {
  repo.write({
    "src/orders.py": PLANTED_KEYS.map(({ line }, at) => `def handle_${at}():\n    ${line}\n`).join("\n"),
  });
  repo.commit("Handle orders");
  const found = await call("retrieve", { task: `handle_1 fails with ${PLANTED_KEYS[1]?.line}` });
  const answers = [
    found,
    await call("search", { query: "handle_1 key", limit: 50 }),
    await call("recall", { query: "handle_1" }),
    await call("explain", { task_id: found.structured.task_id, what: "src/orders.py" }),
    await call("read", { what: "src/orders.py" }),
    await callTool(plain, "retrieve", { task: "handle_1 fails" }),
    await callTool(plain, "read", { what: "handle_1" }),
  ];
  expect(JSON.stringify(answers)).toContain("[redacted: ");
  for (const { text, structured, isError } of answers) {
    expect(isError).toBe(false);
    const all = `${text}${JSON.stringify(structured)}`;
    expect(PLANTED_SECRETS.filter((secret) => all.includes(secret))).toEqual([]);
  }
});

test("search and recall name files that changed since they were indexed", async () => {
  expect((await call("retrieve", { task: SHOP_TASK, budget: 900 })).isError).toBe(false);
  expect((await call("search", { query: "discount", limit: 50 })).structured).not.toHaveProperty("note");
  repo.write({ "shop/price.py": "# moved\n".repeat(20) });
  const { structured } = await call("search", { query: "discount", limit: 50 });
  expect(SearchAnswer.parse(structured).note).toBe(
    "changed since they were indexed, so lines may have moved: shop/price.py; retrieve brings the index up to date",
  );
  expect(await said("search", { query: "discount", limit: 50 })).toContain(`Note: ${structured.note}`);
  expect(await said("recall", { query: "discount", types: ["code"] })).toEndWith(`Note: ${structured.note}\n`);
  const recalled = await call("recall", { query: "discount", types: ["code"] });
  expect(ContextJson.parse(recalled.structured).note).toBe(`${structured.note}`);
  expect(await said("recall", { query: "discount", types: ["commits"] })).not.toContain("lines may have moved");
});

test("a search for a regular expression says that it looked for words", async () => {
  for (const query of ["def .*discount", String.raw`\w+count`])
    expect((await call("search", { query })).structured.note ?? "").toContain("a query is words");
  const { note } = (await call("search", { query: "discount|total" })).structured;
  expect(note ?? "").not.toContain("a query is words");
});

test("a search that finds nothing says whether the index is older than the files", async () => {
  expect((await call("retrieve", { task: SHOP_TASK, budget: 900 })).isError).toBe(false);
  expect((await call("search", { query: "zanzibar" })).structured).not.toHaveProperty("note");
  repo.write({ "shop/zanzibar.py": "def zanzibar():\n    return 1\n" });
  const { structured } = await call("search", { query: "zanzibar" });
  expect(SearchAnswer.parse(structured)).toMatchObject({
    hits: [],
    note: expect.stringMatching(/^the index is older than the work tree: 1 .*; retrieve brings it up to date$/),
  });
  repo.remove("shop/zanzibar.py");
});

test("read shows files, lines and definitions as they are now", async () => {
  repo.write({
    "shop/price.py": "def discount(sum):\n    return sum * 0.9\n\n\ndef total(items):\n    return sum(items)\n",
  });
  expect((await call("retrieve", { task: SHOP_TASK, budget: 900 })).isError).toBe(false);
  expect((await call("read", { what: "shop/price.py:total" })).structured).toMatchObject({
    ...{ path: "shop/price.py", symbol: "total", from: 5, to: 6, lines: 6 },
    text: "def total(items):\n    return sum(items)",
  });
  expect(await said("read", { what: "price.py", from: 2, to: 2 })).toBe(
    "shop/price.py, lines 2 to 2 of 6\n```python\n    return sum * 0.9\n```\n",
  );
  for (const what of ["price.py:2-5", "shop/price.py#L2-L5", join(repo.path, "shop/price.py:L2-5")])
    expect([what, (await call("read", { what })).structured]).toMatchObject([what, { symbol: null, from: 2, to: 5 }]);
  expect((await call("read", { what: join(repo.path, "shop/price.py:total") })).structured).toMatchObject({
    ...{ path: "shop/price.py", symbol: "total" },
  });
  for (const what of [
    ...["shop/price.py:total()", "shop/price.py::total", "price.py:total()", "total()"],
    ...["shop/price.py#total", "shop/price.py#total:4", "shop.price.total", "shop\\price.py:total"],
    // One line stands for the definition around it.
    ...["shop/price.py:6", "shop/price.py:5:3", "price.py#L6", join(repo.path, "shop/price.py:6")],
  ])
    expect([what, (await call("read", { what })).structured]).toMatchObject([
      what,
      { symbol: "total", from: 5, to: 6 },
    ]);
  expect((await call("read", { what: "shop/price.py:3" })).structured).toMatchObject({ symbol: null, from: 1, to: 6 });
  repo.write({ "shop/price.py": "import math\n\n\ndef total(items):\n    # All of them.\n    return sum(items)\n" });
  expect((await call("read", { what: "total" })).structured).toMatchObject({
    text: "def total(items):\n    # All of them.\n    return sum(items)",
    note: "the file changed since it was indexed; the definition was followed to its present lines",
  });
  expect((await call("read", { what: "shop/price.py:5" })).structured).toMatchObject({
    symbol: "total",
    from: 4,
    to: 6,
  });
  for (const [args, says] of [
    [{ what: "nothing_such" }, /^nothing is called "nothing_such" in the index; look for it with search$/],
    [{ what: "../../etc/passwd" }, /^"\.\.\/\.\.\/etc\/passwd" is not in this repository; give a path relative to/],
    [{ what: join(repo.path, "../other/a.py") }, /^".*" is not in this repository; give a path relative to/],
    [{ what: "shop/prices.py" }, /; did you mean shop\/price\.py\? Otherwise look for it with search$/],
    [{ what: "./shop/" }, /^shop is a folder; name a file: shop\/cart\.py, shop\/mail\.py, shop\/price\.py$/],
    [{ what: join(repo.path, "shop") }, /^shop is a folder; name a file: /],
    [{ what: "shop/price.py:6-4" }, /; name the file alone, and its lines with from and to$/],
    [{ what: "shop/price.py:4-6", from: 2 }, /; name the file alone, and its lines with from and to$/],
    [{ what: "shop/price.py", from: 90 }, /^shop\/price\.py has 6 lines; ask for lines that it has$/],
    [{ what: "shop/price.py", from: 3, to: 2 }, /^from is after to/],
  ] as const)
    expect(await call("read", args)).toMatchObject({ isError: true, text: expect.stringMatching(says) });
});

test("read lists the places of a name, and how many more there are", async () => {
  const files = Array.from(
    { length: 32 },
    (_, at) => [`post/mail_${at}.py`, "def post(text):\n    print(text)\n"] as const,
  );
  repo.write(Object.fromEntries(files.slice(0, 2)));
  expect((await call("retrieve", { task: "post the mail", budget: 900 })).isError).toBe(false);
  expect(await said("read", { what: "post" })).toBe(
    "post/mail_0.py:post\npost/mail_1.py:post\n\nNote: 2 definitions are called post; ask for one of them\n",
  );
  repo.write(Object.fromEntries(files));
  expect((await call("retrieve", { task: "post the mail", budget: 900 })).isError).toBe(false);
  expect(await said("read", { what: "post" })).toMatch(
    /:post\n\nNote: 32 definitions are called post, of which 30 are listed; ask for one of them\n$/,
  );
  for (const [path] of files) repo.remove(path);
});

test("an answer longer than clients accept links to its rest, which the client reads", async () => {
  await using tiny = await openMcp({ cwd: repo.path, args: ["--budget", "100"] });
  const whole = await said("explain", { task_id: taskId });
  const { content } = await tiny.client.callTool({ name: "explain", arguments: { task_id: taskId } });
  const [shown, link] = content;
  if (shown?.type !== "text" || link?.type !== "resource_link") throw new Error(JSON.stringify(content).slice(0, 300));
  expect(shown.text.length).toBeLessThanOrEqual(700);
  expect((await tiny.client.listResources()).resources.map(({ uri }) => uri)).toEqual([link.uri]);
  const { contents } = await tiny.client.readResource({ uri: link.uri });
  const rest = contents.map((part) => ("text" in part ? part.text : "")).join("");
  expect(`${shown.text.split("\nThe answer goes on")[0]}${rest}`).toBe(whole);
  await expect(tiny.client.readResource({ uri: "cra://answers/99" })).rejects.toThrow("there is no such resource");
});
