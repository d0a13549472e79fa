/**
 * A missing, slow, broken or hostile model: the package equals the one without a model plus a warning, and one line
 * gives the reason.
 */
import { describe, expect, test } from "bun:test";
import { z } from "zod";
import type { ContextPackage } from "../../src/retrieval/model/package-schema.ts";
import { ahead } from "../support/ahead.ts";
import { asking, judgedShop, STRICTLY } from "../support/judged-shop.ts";
import { AGREEABLE, DISMISSIVE } from "../support/judging-reply.ts";
import { packageOf } from "../support/package.ts";
import type { CraRun } from "../support/run-cra.ts";
import { runHere } from "../support/run-here.ts";
import { shared } from "../support/shared.ts";
import { SHOP_TASK } from "../support/shop.ts";
import type { Behaviour } from "../support/stand-in-behaviour.ts";
import { closedPort, type Reply, STAND_IN_MODEL, startOllama } from "../support/stand-in-ollama.ts";

/** A run in this process: what `--strict` and settings decide does not depend on the process. */
const here = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CraRun> =>
  runHere(["retrieve", SHOP_TASK, "--no-refresh", "--data-dir", shop.fresh(), ...args], {
    cwd: shop.repo.path,
    env: { CRA_TOKENIZER: "approximate", ...env },
  });
const shop = shared(await judgedShop());
const plain = packageOf(await shop.retrieve(shop.fresh(), ["--json", "--budget", "8000"]));

/** A package without its id, and without the size of its document, which the warnings and the provenance change. */
const withoutId = (pkg: ContextPackage) => ({ ...pkg, task_id: "", document: null });
const LEFT_OUT = "the model is left out of the whole run: ";
/** Notes but the one on how this file's runs count tokens. */
const notes = ({ stderr }: CraRun) =>
  stderr.split("\n").filter((line) => line.startsWith("cra: note: ") && !line.includes("token counts are estimates"));

const ErrorOnStdout = z.object({ error: z.object({ code: z.literal("model-failed"), message: z.string() }) });

/** The compiled binary, for connections that stay open or break, and bytes without end, which its streams and its end depend on. */
const compiled: typeof here = (args, env) => shop.retrieve(shop.fresh(), args, env);

/** The same run with a model at `url`, once as it is (through `run`) and once with `--strict`. */
async function failingAt(
  url: string,
  said: RegExp,
  env: Readonly<Record<string, string>> = {},
  more: readonly string[] = [],
  run = compiled,
): Promise<void> {
  const args = ["--json", ...asking(url), ...more];
  const [lenient, strict] = await Promise.all([
    run([...args, "--budget", "8000"], env),
    here([...args, ...STRICTLY], env),
  ]);
  expect(lenient.exitCode).toBe(0);
  const told = notes(lenient).filter((line) => line.startsWith(`cra: note: ${LEFT_OUT}`));
  expect(told).toHaveLength(1);
  expect(told[0]).toMatch(said);
  const pkg = packageOf(lenient);
  const warnings = [...plain.warnings, (told[0] ?? "").slice("cra: note: ".length)];
  expect([...pkg.warnings].sort()).toEqual(warnings.sort());
  expect(withoutId({ ...pkg, warnings: [] })).toEqual(withoutId({ ...plain, warnings: [] }));
  expect(notes(lenient)).toHaveLength(1 + (more.includes("--allow-remote-llm") ? 1 : 0));
  if (more.includes("--allow-remote-llm"))
    expect(notes(lenient)[0]).toBe(
      `cra: note: the task and parts of the repository are sent to ${new URL(url).hostname}`,
    );
  expect(lenient.stderr).not.toMatch(/[^\P{C}\n]/u);
  expect(strict.exitCode).toBe(13);
  expect(ErrorOnStdout.parse(JSON.parse(strict.stdout)).error.message).toMatch(said);
  expect(strict.stderr.split("\n").filter((line) => said.test(line))).toHaveLength(1);
}

async function failing(
  reply: Reply,
  said: RegExp,
  run = compiled,
  env: Readonly<Record<string, string>> = {},
): Promise<number> {
  await using server = await startOllama({ reply });
  await failingAt(server.url, said, env, [], run);
  return server.generations().length;
}

const always = (behaviour: Behaviour | string) => () => behaviour;

describe("unreachable server", () => {
  test("Markdown and prompt equal those of a run without a model, byte for byte", async () => {
    const url = `http://127.0.0.1:${await closedPort()}`;
    for (const format of ["markdown", "prompt"]) {
      const args = ["--format", format, "--budget", "8000"];
      const [bare, failed] = await Promise.all([here(args), here([...args, ...asking(url)])]);
      expect(failed.stderr).toContain(LEFT_OUT);
      expect(failed.stdoutBytes).toEqual(bare.stdoutBytes);
    }
  });

  test("a closed port is tried only once", async () => {
    const url = `http://127.0.0.1:${await closedPort()}`;
    await failingAt(url, /no model server at .*; run: ollama serve/, {}, [], here);
  });

  test("a host name that does not exist", async () => {
    await failingAt(
      "http://no-such-host.invalid:11434",
      /no model server at http:\/\/no-such-host\.invalid:11434 .*; check --base-url/,
      {},
      ["--allow-remote-llm"],
      here,
    );
  });
});

/** Without repetition. */
const SLOW_TEXT = Array.from({ length: 100 }, (_, at) => `n${at}`).join(" ");

describe("slow server", () => {
  /** Each with the one limit that it cannot keep; the others are as usual. */
  const rows: readonly (readonly [string, Behaviour, RegExp, Readonly<Record<string, string>>])[] = [
    [
      "hangs before it answers",
      { kind: "hang-before-headers" },
      /sent nothing within 0\.5 s; raise llm\.first_token_seconds/,
      { CRA_LLM_FIRST_TOKEN_SECONDS: "0.5" },
    ],
    [
      "hangs before the first token",
      { kind: "hang-before-token" },
      /sent nothing within 0\.5 s/,
      { CRA_LLM_FIRST_TOKEN_SECONDS: "0.5" },
    ],
    [
      "hangs in the middle",
      { kind: "hang-after", text: '{"relevant":[' },
      /stopped sending its reply for 0\.3 s/,
      { CRA_LLM_IDLE_SECONDS: "0.3" },
    ],
    [
      "sends its reply too slowly",
      { kind: "text", text: SLOW_TEXT, pieces: 400, everyMs: 20 },
      /did not finish within 0\.8 s/,
      { CRA_LLM_TOTAL_SECONDS: "0.8" },
    ],
  ];
  // One of them with the compiled binary.
  const asked = ahead(rows, ([name, behaviour, said, env]) =>
    failing(always(behaviour), said, name === "hangs in the middle" ? compiled : here, env),
  );
  for (const [at, [name]] of rows.entries())
    test(name, async () => {
      // Two timeouts in a run are enough to stop asking; the strict run ends with the first.
      expect(await asked(at)).toBe(3);
    });
});

describe("unusable reply", () => {
  const endless: readonly (readonly [string, Reply, RegExp])[] = [
    ["endless white space", always({ kind: "whitespace" }), /did not end|repeated itself/],
    ["a hundred megabytes", always({ kind: "flood", bytes: 100_000_000 }), /did not end|repeated itself/],
  ];
  for (const [name, reply, said] of endless)
    test(name, async () => {
      await failing(reply, said);
    });

  const wrong: readonly (readonly [string, Reply, RegExp])[] = [
    ["HTML", always({ kind: "body", type: "text/html", body: "<html><body>Welcome</body></html>" }), /broke off/],
    [
      "a gateway's error page",
      always({ kind: "body", status: 502, type: "text/html", body: "<h1>Bad gateway</h1>" }),
      /502/,
    ],
    ["not JSON", always("I think the cart is broken."), /does not have the form/],
    [
      "numbers that were not asked about",
      always('{"relevant":["../../etc/passwd"],"primary":[901],"supporting":[],"type_context":[]}'),
      /does not have the form/,
    ],
    ["lists that do not exist", always('{"best":[1]}'), /does not have the form/],
    ["cut off by the server", always({ kind: "text", text: '{"relevant":[1', doneReason: "length" }), /did not end/],
  ];
  for (const [name, reply, said] of wrong)
    test(name, async () => {
      await failing(reply, said, here);
    });

  test("unknown keys in a reply are ignored", async () => {
    const reply: Reply = (request) => {
      const text = AGREEABLE(request);
      return typeof text === "string" ? text.replace(/^\{/, '{"paths":["/etc/passwd"],"budget":1000000,') : text;
    };
    await using server = await startOllama({ reply });
    const run = await here(["--json", "--budget", "8000", ...asking(server.url)]);
    expect([run.exitCode, notes(run)]).toEqual([0, []]);
    expect(packageOf(run)).toMatchObject({ budget: 8000, files: [{}, {}, {}] });
  });
});

describe("broken server", () => {
  const SWITCHED = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n";
  const told: readonly (readonly [string, Behaviour, RegExp])[] = [
    [
      "a server error",
      { kind: "error", status: 500, error: "model runner has crashed" },
      /500: model runner has crashed/,
    ],
    [
      "an error in the middle of a good answer",
      { kind: "error-line", error: "out of memory", after: '{"ver' },
      /out of memory/,
    ],
    ["a stream that ends too early", { kind: "end-early", text: '{"relevant":[]}' }, /broke off/],
    [
      "a server error with terminal escape sequences",
      { kind: "error", status: 500, error: "\u001b[2J\u0007\u202egone" },
      /500/,
    ],
  ];
  for (const [name, behaviour, said] of told)
    test(name, async () => {
      await failing(always(behaviour), said, here);
    });

  const rows: readonly (readonly [string, Behaviour, RegExp])[] = [
    ["a connection that closes in the middle of a line", { kind: "close", text: '{"ver' }, /broke off/],
    ["a switch to another protocol", { kind: "bytes", bytes: SWITCHED, open: true }, /broke off/],
    ["a connection that is reset", { kind: "reset", text: '{"ver' }, /broke off/],
  ];
  for (const [name, behaviour, said] of rows)
    test(name, async () => {
      await failing(always(behaviour), said);
    });

  test("a model that the server does not have is requested only once", async () => {
    await using server = await startOllama({ reply: AGREEABLE, models: ["another:1b"] });
    await failingAt(server.url, /has no model stand-in:1b; run: ollama pull stand-in:1b/, {}, [], here);
    expect(server.generations()).toEqual([]);
  });

  test("a model that fails late keeps its earlier judgements", async () => {
    let asked = 0;
    await using server = await startOllama({
      reply: (request) => {
        asked += 1;
        return asked < 3 ? DISMISSIVE(request) : { kind: "error", status: 500, error: "gone" };
      },
    });
    const run = await here(["--json", ...asking(server.url)]);
    expect(run.exitCode).toBe(0);
    expect(packageOf(run).files[0]?.path).toBe("shop/cart.py");
    expect(notes(run)).toEqual([
      expect.stringMatching(/^cra: note: precision goes on without the model's judgement: .*500: gone/),
    ]);
  });
});

describe("server address", () => {
  test("a redirect is not followed", async () => {
    await using target = await startOllama({ reply: AGREEABLE });
    await using server = await startOllama({ reply: always({ kind: "redirect", to: `${target.url}/api/chat` }) });
    await failingAt(server.url, /redirects to another address/, {}, [], here);
    expect(target.requests).toEqual([]);
  });

  test("a server on another machine is refused by name before any work, unless allowed", async () => {
    const run = await here(["--model", STAND_IN_MODEL, "--base-url", "http://gpu.example:11434"]);
    expect([run.exitCode, run.stdout]).toEqual([2, ""]);
    expect(run.stderr).toBe(
      "cra: gpu.example is not this machine, and would be sent the task and parts of the repository; allow it with --allow-remote-llm, or give another --base-url\n",
    );
  });

  for (const [url, said] of [
    ["ftp://127.0.0.1", "is neither http:// nor https://"],
    ["http://me:secret@127.0.0.1:1", "contains a user name or password"],
    ["127.0.0.1:11434", "does not begin with http://"],
  ] as const)
    test(`an invalid address is refused: ${url}`, async () => {
      const run = await here(["--model", STAND_IN_MODEL, "--base-url", url]);
      expect(run.exitCode).toBe(2);
      expect(run.stderr).toContain(`cra: --base-url ${said}`);
      expect(run.stderr).not.toContain("secret");
    });

  test("a repository cannot name a model, an address or a limit", async () => {
    for (const line of [
      'model = "m"',
      'base_url = "http://evil.example"',
      "allow_remote_llm = true",
      "llm_assist = true",
      "[llm]\ntotal_seconds = 9000",
    ]) {
      shop.repo.write({ ".cra.toml": `${line}\n` });
      const run = await here([]);
      expect([run.exitCode, run.stderr]).toEqual([2, expect.stringContaining("cannot be set by a repository")]);
    }
    shop.repo.remove(".cra.toml");
  });
});
