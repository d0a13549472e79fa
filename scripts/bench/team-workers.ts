/**
 * Measures how workers share the parsing of a repository: `npm run bench -- team-workers REPOSITORY [contents] [parsed]`, by default all.
 *
 * The texts of all files lie in a store, in jobs of 100. One, two and four workers take them with a simulated parser that takes a while
 * and no processor, and so many of them one, two and four `cra work` with one thread each. Writes the section "Workers" of `results/team.md`.
 */
import { readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { EXTRACTOR } from "../../src/app/indexing/indexing-deps.ts";
import { workOn } from "../../src/app/team/run-jobs.ts";
import { languageOf } from "../../src/languages/languages.ts";
import { CHUNK_BYTES } from "../../src/store/blobs.ts";
import type { JobContent } from "../../src/store/jobs.ts";
import { openStore } from "../../src/store/open-store.ts";
import { textFacts } from "../../src/syntax/facts/text-facts.ts";
import type { ParsePool } from "../../src/syntax/parse/parse-pool.ts";
import { decode } from "../../src/text/decode.ts";
import { encodeTermStats } from "../../src/text/terms/encode-term-stats.ts";
import { postgresProblem, type SharedPostgres, sharedPostgres } from "../../tests/support/postgres.ts";
import { cleanEnvironment } from "../../tests/support/run-cra.ts";
import { freshBinary } from "../binary.ts";
import { git, newStore, writeSection } from "./team-tools.ts";

const WORKERS = [1, 2, 4];
const CONTENTS_PER_JOB = 100;
/** What the simulated parser takes for a content. */
const SLOW_MS = 5;
const NEVER = new AbortController().signal;

type Shared = { readonly seconds: number; readonly processor: number };
type Content = JobContent & { readonly text: Uint8Array };

/** Returns the exit code. */
export async function teamWorkers(source: string, contentsMax: number, parsedMax: number): Promise<number> {
  if (postgresProblem !== null) {
    process.stderr.write(`bench: ${postgresProblem}\n`);
    return 2;
  }
  const program = await freshBinary();
  const postgres = await sharedPostgres();
  const clone = join(postgres.folder, "clone");
  git(".", "clone", "--quiet", source, clone);
  const all = contentsOf(clone).slice(0, contentsMax);
  const parsed = all.slice(0, parsedMax);
  const [real, slow]: [Shared[], Shared[]] = [[], []];
  for (const workers of WORKERS) {
    real.push(await withRealParser(program, postgres, parsed, workers));
    slow.push(await withSlowParser(postgres, all, workers));
    process.stdout.write(`${workers}: ${JSON.stringify([real.at(-1), slow.at(-1)])}\n`);
  }
  writeSection("Workers", report([all.length, parsed.length], real, slow));
  return 0;
}

/** The distinct small texts of a repository that cra has a language for. */
function contentsOf(source: string): readonly Content[] {
  const found = new Map<string, Content>();
  for (const path of git(source, "ls-files", "-z").split("\0")) {
    const language = path === "" ? "" : languageOf(path);
    const text = language === "" || language === "text" ? null : readFileSync(join(source, path));
    if (text === null || text.length > CHUNK_BYTES || decode(text).kind !== "text") continue;
    const hash = new Bun.CryptoHasher("sha256").update(text).digest("hex");
    found.set(`${hash}:${language}`, { hash, language, bytes: text.length, text });
  }
  return [...found.values()];
}

const open = (address: string) => openStore({ address, flag: "--at", variables: {} }, EXTRACTOR, NEVER);

/** The address of a store with the texts and the jobs. */
async function storeWith(postgres: SharedPostgres, contents: readonly Content[]): Promise<string> {
  const address = await newStore(postgres);
  const store = await open(address);
  for (let at = 0; at < contents.length; at += CONTENTS_PER_JOB) {
    const some = contents.slice(at, at + CONTENTS_PER_JOB);
    await store.blobs.putSmall(
      some.map(({ hash, text }) => ({ hash, bytes: text })),
      { chunks: 0, bytes: 0 },
    );
    await store.jobs.add(some);
  }
  await store.close();
  return address;
}

async function withRealParser(
  program: string,
  postgres: SharedPostgres,
  contents: readonly Content[],
  workers: number,
): Promise<Shared> {
  const address = await storeWith(postgres, contents);
  const started = performance.now();
  const children = Array.from({ length: workers }, () =>
    Bun.spawn([program, "work", "--from", address, "--until-done", "--workers", "1"], {
      env: cleanEnvironment("/nowhere"),
      stdio: ["ignore", "ignore", "inherit"],
    }),
  );
  const codes = await Promise.all(children.map(({ exited }) => exited));
  if (codes.some((code) => code !== 0)) throw new Error(`workers ended with ${codes.join(", ")}`);
  const seconds = (performance.now() - started) / 1_000;
  const processor = children.reduce((sum, child) => sum + Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1e6, 0);
  return { seconds, processor };
}

async function withSlowParser(
  postgres: SharedPostgres,
  contents: readonly Content[],
  workers: number,
): Promise<Shared> {
  const address = await storeWith(postgres, contents);
  const used = process.cpuUsage();
  const started = performance.now();
  await Promise.all(
    Array.from({ length: workers }, async (_, at) => {
      const store = await open(address);
      const asked = {
        worker: `w${at}`,
        untilDone: true,
        jobs: undefined,
        commits: null,
        onJob: () => undefined,
        onProblem: () => undefined,
      };
      await workOn(store, slowParser(), asked, NEVER);
      await store.close();
    }),
  );
  const seconds = (performance.now() - started) / 1_000;
  const { user, system } = process.cpuUsage(used);
  return { seconds, processor: (user + system) / 1e6 };
}

/** Takes one text after the other. */
function slowParser(): Pick<ParsePool, "parse"> {
  let last: Promise<unknown> = Promise.resolve();
  return {
    async parse({ text }) {
      const mine = last.then(() => Bun.sleep(SLOW_MS));
      last = mine;
      await mine;
      const stats = encodeTermStats({ text, symbols: [], commentLines: [], docstrings: false });
      return { facts: { ...textFacts(text, null), symbols: [], tokenCount: 0 }, stats };
    },
  };
}

function report([all, parsed]: readonly [number, number], real: readonly Shared[], slow: readonly Shared[]): string {
  const share = (all: readonly Shared[], at: number): string =>
    ((all[at]?.seconds ?? 0) / (all[0]?.seconds ?? 1)).toFixed(2);
  const rows = WORKERS.map(
    (workers, at) =>
      `| ${workers} | ${real[at]?.seconds.toFixed(1)} | ${share(real, at)} | ${real[at]?.processor.toFixed(1)} | ${slow[at]?.seconds.toFixed(1)} | ${share(slow, at)} |`,
  );
  const load = loadavg().map((number) => number.toFixed(0));
  return `What \`npm run bench -- team-workers\` found: ${all} contents in jobs of ${CONTENTS_PER_JOB}, which workers take from a store. A simulated parser
takes ${SLOW_MS} ms for a content and hardly any processor, which shows what the jobs themselves allow. Of ${parsed} of the contents \`cra work\` with one thread each
parses. Times are seconds on a machine with ${navigator.hardwareConcurrency} processors and other work (load ${load[0]} at the end, ${load[2]} before); the share is that of one worker's time. The load differs
from row to row, so processor seconds say what a worker costs, and shares below one by the number of workers say nothing more.

| workers | parsing | share | processor seconds | simulated | share |
| ---: | ---: | ---: | ---: | ---: | ---: |
${rows.join("\n")}
`;
}
