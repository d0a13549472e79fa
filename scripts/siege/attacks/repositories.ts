/** Hostile repositories: indexed, asked, changed, indexed again, exported. */
import fc from "fast-check";
import { z } from "zod";
import { dataPaths } from "../../../src/db/data-folder/paths.ts";
import { dumpCuratedFile } from "../../../tests/support/dump.ts";
import { type Ask, Asks, asks, countIn } from "../asks.ts";
import { attackOf, type Court } from "../attack.ts";
import { HostileFile, hostileFiles, hostileTask, ignoreRules, Link, links } from "../hostile-files.ts";
import { run } from "../run.ts";
import { type World, worldOf } from "../world.ts";

const Input = z.object({
  files: z.array(HostileFile),
  links: z.array(Link),
  ignore: z.array(z.string()),
  messages: z.array(z.string()),
  asks: Asks,
  word: z.string(),
  later: z.array(HostileFile),
});
type Input = z.infer<typeof Input>;

export const repositories = attackOf<Input>({
  name: "repositories",
  schema: Input,
  inputs: fc.record({
    files: hostileFiles,
    links,
    ignore: ignoreRules,
    messages: fc.array(hostileTask, { maxLength: 3 }),
    asks,
    word: hostileTask,
    later: hostileFiles,
  }),
  async trial(input, court) {
    using world = worldOf(input);
    const first = world.data("first");
    const indexed = await cra(court, world, ["index", "-v"], first);
    if (indexed.code !== 0) return;
    for (const ask of input.asks) await answered(court, world, ask, first);
    await cra(court, world, ["search", "--", input.word], first);
    await cra(court, world, ["index", "-q", "--export", world.data("export")], first);
    world.checkTraces(court);
    world.write(input.later);
    const next = await cra(court, world, ["index", "-q"], first);
    if (next.code !== 0) return;
    await cra(court, world, ["index", "-q"], world.data("fresh"));
    const [grown, fresh] = [first, world.data("fresh")].map((folder) => dumpCuratedFile(dataPaths(folder).curated));
    court.holds("index equals fresh", grown === fresh, () => differenceOf(grown ?? "", fresh ?? ""));
    const doctor = await cra(court, world, ["doctor"], first);
    court.holds("exit code", doctor.code === 0, () => `doctor: ${doctor.stdout}`);
  },
});

/** A package keeps its budget, and is the same from another index, elsewhere and on more threads. */
async function answered(court: Court, world: World, ask: Ask, data: string): Promise<void> {
  const words = [
    "retrieve",
    "-",
    "-q",
    "--budget",
    String(ask.budget),
    "--format",
    ask.format,
    "--tokenizer",
    ask.tokenizer,
    ...ask.options,
  ];
  const one = await cra(court, world, words, data, ask.task);
  const other = await run(court, [...words, "--repo", world.repo.path, "--data-dir", world.data("other"), "--index"], {
    cwd: world.home,
    env: { CRA_INDEX_WORKERS: "2", LANG: "de_DE.UTF-8", TZ: "Asia/Kathmandu" },
    stdin: ask.task,
  });
  court.holds(
    "same bytes again",
    one.code === other.code && one.stdout.equals(other.stdout),
    () =>
      `${JSON.stringify(words)}: ${one.code} and ${other.code}; ${differenceOf(one.stdout.toString(), other.stdout.toString())}`,
  );
  if (one.code !== 0) return;
  const counted = await countIn(ask, one.stdout.toString());
  if (counted !== null)
    court.holds("budget", counted <= ask.budget, () => `${JSON.stringify(words)} takes ${counted} tokens`);
  const id = /\b[0-9a-f]{12}\b/.exec(one.stdout.toString())?.[0];
  if (id !== undefined) await cra(court, world, ["explain", id, "-v"], data);
}

async function cra(court: Court, world: World, words: readonly string[], data: string, stdin = "") {
  const args = words.includes("--") ? words : [...words, "--"];
  const at = args.indexOf("--");
  const whole = [...args.slice(0, at), "--data-dir", data, ...args.slice(at)];
  const result = await run(court, whole, { cwd: world.repo.path, home: world.home, env: world.environment, stdin });
  for (const text of [result.stdout, result.stderr]) world.checkText(court, `cra ${words[0]}`, text);
  return result;
}

function differenceOf(one: string, other: string): string {
  const [lines, others] = [one.split("\n"), other.split("\n")];
  const at = lines.findIndex((line, index) => line !== others[index]);
  return `line ${at + 1}: ${JSON.stringify(lines[at]?.slice(0, 300))} is not ${JSON.stringify(others[at]?.slice(0, 300))}`;
}
