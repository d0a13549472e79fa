/** A small slice of `npm run bench -- siege`, and everything that sieges have found. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { z } from "zod";
import { attackOf, LAWS } from "../../scripts/siege/attack.ts";
import { ATTACKS } from "../../scripts/siege/attacks/attacks.ts";
import { HANG_MS } from "../support/hang.ts";
import { PLANTED_KEYS } from "../support/planted-keys.ts";

setDefaultTimeout(HANG_MS);

const SEED = 2;
const FOUND = join(import.meta.dir, "found");
const Found = z.object({ attack: z.string(), input: z.unknown() });
/** Stands for a key in a stored input, since no file of this repository may hold one. */
const KEY = JSON.stringify(PLANTED_KEYS[0]?.line ?? "").slice(1, -1);

describe("no law is broken by", () => {
  for (const attack of ATTACKS)
    test(attack.name, async () => {
      const { checks, breaches } = await attack.run(SEED);
      expect(breaches).toEqual([]);
      expect(checks.size).toBeGreaterThan(1);
    });
});

describe("no law is broken any more by", () => {
  for (const name of readdirSync(FOUND))
    test(name, async () => {
      const stored = readFileSync(join(FOUND, name), "utf8").replaceAll("{key}", () => KEY);
      const { attack: named, input } = Found.parse(JSON.parse(stored));
      const attack = ATTACKS.find((one) => one.name === named);
      expect((await attack?.replay(input))?.breaches).toEqual([]);
    });
});

describe("an attack", () => {
  const numbers = attackOf({
    name: "numbers",
    schema: z.int(),
    inputs: fc.integer({ min: 0, max: 1_000 }),
    trial: async (input, court) => {
      if (input === 13) throw new Error("an unlucky number");
      court.holds("budget", input < 50, () => `${input} is too much`);
    },
  });

  test("shrinks an input that breaks a law, and counts what was checked", async () => {
    const outcomes = await Promise.all(Array.from({ length: 20 }, (_, seed) => numbers.run(seed)));
    const found = outcomes.filter((outcome) => outcome.found !== null);
    expect(found.length).toBeGreaterThan(0);
    for (const outcome of found) expect(outcome.found?.input === 50 || outcome.found?.input === 13).toBe(true);
    expect(outcomes.every(({ checks, breaches }) => checks.get("budget") === 1 || breaches.length === 1)).toBe(true);
  });

  test("takes a trial that cannot go on as broken, and no input of another kind", async () => {
    expect((await numbers.replay(13)).breaches).toEqual(["trial: an unlucky number"]);
    expect((await numbers.replay(60)).breaches).toEqual(["budget: 60 is too much"]);
    await expect(numbers.replay("60")).rejects.toThrow();
  });

  test("names each law once", () => {
    expect(new Set(LAWS).size).toBe(LAWS.length);
  });
});
