/**
 * Attacks cra for a while with generated inputs: `npm run bench -- siege [minutes] [seed]`, ten minutes by default.
 *
 * Attacks take turns; turn and seed decide the input. A siege that was stopped goes on where it was, with its counts, unless
 * another seed is named. What breaks a law is shrunk and kept in `tests/siege/found`, where a test tries it from then on.
 * Writes `scripts/bench/results/siege.md` and exits with 1 if a law was broken.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { freshBinary } from "../binary.ts";
import { LAWS, type Outcome } from "./attack.ts";
import { ATTACKS } from "./attacks/attacks.ts";

const ROOT = join(import.meta.dir, "../..");
const STATE = join(ROOT, "dist/bench/siege.json");
const RESULT = join(ROOT, "scripts/bench/results/siege.md");
const FOUND = join(ROOT, "tests/siege/found");

const MINUTES = 10;
/** Concurrent trials. */
const LANES = 2;

const State = z.object({
  seed: z.int(),
  turn: z.int(),
  minutes: z.number(),
  /** By attack: trials, and checks by law. */
  attacks: z.record(z.string(), z.object({ trials: z.int(), checks: z.record(z.string(), z.int()) })),
  breaches: z.array(z.string()),
});
type State = z.infer<typeof State>;

/** Returns the exit code. */
export async function siege(minutes = MINUTES, seed?: number): Promise<number> {
  await freshBinary();
  const state = stateOf(seed);
  const [begun, before] = [performance.now(), state.minutes];
  const passed = (): number => (performance.now() - begun) / 60_000;
  mkdirSync(join(ROOT, "dist/bench"), { recursive: true });
  const lane = async (): Promise<void> => {
    while (passed() < minutes) {
      const turn = state.turn++;
      const attack = ATTACKS[turn % ATTACKS.length];
      if (attack === undefined) return;
      count(state, attack.name, await attack.run(state.seed * 1_000_003 + turn));
      state.minutes = before + passed();
      writeFileSync(STATE, JSON.stringify(state));
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  writeFileSync(RESULT, report(state));
  process.stdout.write(report(state));
  return state.breaches.length === 0 ? 0 : 1;
}

function stateOf(seed: number | undefined): State {
  const before = existsSync(STATE) ? State.parse(JSON.parse(readFileSync(STATE, "utf8"))) : null;
  if (before !== null && (seed === undefined || seed === before.seed)) return before;
  return { seed: seed ?? 1, turn: 0, minutes: 0, attacks: {}, breaches: [] };
}

function count(state: State, name: string, { checks, breaches, found }: Outcome): void {
  const row = state.attacks[name] ?? { trials: 0, checks: {} };
  state.attacks[name] = row;
  row.trials += 1;
  for (const [law, times] of checks) row.checks[law] = (row.checks[law] ?? 0) + times;
  if (found === null) return;
  const text = `${JSON.stringify({ attack: name, input: found.input }, null, 2)}\n`;
  const file = `${name.replaceAll(" ", "-")}-${createHash("sha256").update(text).digest("hex").slice(0, 8)}.json`;
  mkdirSync(FOUND, { recursive: true });
  writeFileSync(join(FOUND, file), text);
  for (const breach of breaches) {
    state.breaches.push(`${file}: ${breach}`);
    process.stderr.write(`siege: ${file}: ${breach.slice(0, 1_000)}\n`);
  }
}

function report({ seed, minutes, attacks, breaches }: State): string {
  const rows = Object.entries(attacks).map(
    ([name, { trials, checks }]) => `| ${[name, trials, ...LAWS.map((law) => checks[law] ?? 0)].join(" | ")} |`,
  );
  const sums = LAWS.map((law) => Object.values(attacks).reduce((sum, { checks }) => sum + (checks[law] ?? 0), 0));
  const trials = Object.values(attacks).reduce((sum, row) => sum + row.trials, 0);
  return `# Siege

What \`npm run bench -- siege\` found with the seed number ${seed} in ${minutes.toFixed(0)} minutes: trials by attack, and how often each law was checked.

| attack | trials | ${LAWS.join(" | ")} |
| --- | ---: |${" ---: |".repeat(LAWS.length)}
${rows.join("\n")}
| all | ${[trials, ...sums].join(" | ")} |

${breaches.length} breaches.
${breaches.map((breach) => `- ${breach.slice(0, 300).replaceAll("\n", " ")}\n`).join("")}`;
}
