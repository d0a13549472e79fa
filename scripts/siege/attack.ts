/**
 * Attacks: a grammar of inputs, and a trial that tries one input on the compiled binary and checks laws.
 *
 * Inputs are JSON, so that one that breaks a law can be shrunk and kept as a test (`tests/siege/found`).
 */
import fc from "fast-check";
import type { z } from "zod";

/** What must hold whatever the input. */
export const LAWS = [
  "exit code",
  "budget",
  "same bytes again",
  "index equals fresh",
  "nothing outside",
  "nothing executed",
  "no secret",
  "ends when told",
  "memory",
  "terminal",
  "replies",
] as const;
export type Law = (typeof LAWS)[number];

/** Counts checks by law and keeps what breaks one. */
export type Court = {
  holds(law: Law, isKept: boolean, what: () => string): void;
};

/** How often each law was checked, and what broke one. */
export type Record = { readonly checks: ReadonlyMap<Law, number>; readonly breaches: readonly string[] };

/** `found` is the smallest input that breaks a law, null if none was broken. */
export type Outcome = Record & { readonly found: { readonly input: unknown } | null };

export type Attack = {
  readonly name: string;
  /** Tries the input of a seed, and shrinks it if it breaks a law. The same seed gives the same input. */
  run(seed: number): Promise<Outcome>;
  /** Tries a stored input. Throws if it is not one of this attack. */
  replay(input: unknown): Promise<Record>;
};

type Parts<Input> = {
  readonly name: string;
  readonly schema: z.ZodType<Input>;
  readonly inputs: fc.Arbitrary<Input>;
  trial(input: Input, court: Court): Promise<void>;
};

/** Shrinking stops after this time with the smallest input so far. */
const SHRINK_MS = 180_000;

export function attackOf<Input>({ name, schema, inputs, trial }: Parts<Input>): Attack {
  return {
    name,
    async run(seed) {
      let first: Record | null = null;
      const property = fc.asyncProperty(inputs, async (input) => {
        const record = await tried(trial, input);
        first ??= record;
        if (record.breaches.length > 0) throw new Error(record.breaches.join("\n"));
      });
      const { counterexample } = await fc.check(property, { seed, numRuns: 1, interruptAfterTimeLimit: SHRINK_MS });
      return { ...(first ?? EMPTY), found: counterexample === null ? null : { input: counterexample[0] } };
    },
    replay: async (input) => await tried(trial, schema.parse(input)),
  };
}

const EMPTY: Record = { checks: new Map(), breaches: [] };

async function tried<Input>(trial: Parts<Input>["trial"], input: Input): Promise<Record> {
  const checks = new Map<Law, number>();
  const breaches: string[] = [];
  const court: Court = {
    holds(law, isKept, what) {
      checks.set(law, (checks.get(law) ?? 0) + 1);
      if (!isKept) breaches.push(`${law}: ${what()}`);
    },
  };
  try {
    await trial(input, court);
  } catch (error) {
    // What a trial relies on is missing, such as the database of an index run that succeeded.
    breaches.push(`trial: ${error instanceof Error ? error.message : String(error)}`);
  }
  return { checks, breaches };
}
