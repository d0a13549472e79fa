/** Data folders with damaged, cut, swapped and missing files: every command answers, and a rebuilt index equals a fresh one. */
import { closeSync, ftruncateSync, openSync, readdirSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { z } from "zod";
import { dataPaths } from "../../../src/db/data-folder/paths.ts";
import { dumpCuratedFile } from "../../../tests/support/dump.ts";
import { attackOf } from "../attack.ts";
import { runIn, smallWorld } from "../small-world.ts";

const Damage = z.object({
  file: z.int(),
  how: z.enum(["bytes", "zeros", "cut", "gone", "grown"]),
  at: z.number(),
  hex: z.string(),
});
type Damage = z.infer<typeof Damage>;
const Input = z.object({ damages: z.array(Damage), next: z.array(z.string()) });
type Input = z.infer<typeof Input>;

const damage: fc.Arbitrary<Damage> = fc.record({
  file: fc.nat(40),
  how: fc.constantFrom("bytes", "bytes", "bytes", "zeros", "cut", "gone", "grown"),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  hex: fc.uint8Array({ minLength: 1, maxLength: 64 }).map((bytes) => Buffer.from(bytes).toString("hex")),
});
const NEXT: readonly (readonly string[])[] = [
  ["retrieve", "fix total3", "-q"],
  ["search", "total"],
  ["status"],
  ["doctor"],
  ["sessions"],
  ["log"],
  ["recall", "total"],
  ["clean"],
  ["index", "-q"],
];

export const stores = attackOf<Input>({
  name: "stores",
  schema: Input,
  inputs: fc.record({
    damages: fc.array(damage, { minLength: 1, maxLength: 4 }),
    next: fc.shuffledSubarray(
      NEXT.map((_, at) => String(at)),
      { minLength: 2 },
    ),
  }),
  async trial({ damages, next }, court) {
    using world = await smallWorld(court, "data");
    await runIn(court, world, "data", ["retrieve", "fix login in shop/settings.py", "-q"]);
    await runIn(court, world, "data", ["remember", "the cart is slow"]);
    for (const one of damages) apply(world.data("data"), one);
    for (const at of next) await runIn(court, world, "data", NEXT[Number(at)] ?? []);
    const rebuilt = await runIn(court, world, "data", ["index", "--rebuild", "-q"]);
    await runIn(court, world, "fresh", ["index", "-q"]);
    court.holds("exit code", rebuilt.code === 0, () => `cra index --rebuild: ${rebuilt.code} ${rebuilt.stderr}`);
    if (rebuilt.code === 0) {
      const [one, other] = ["data", "fresh"].map((name) => dumpCuratedFile(dataPaths(world.data(name)).curated));
      court.holds("index equals fresh", one === other, () => "a rebuilt index differs");
    }
    world.checkTraces(court);
  },
});

function apply(folder: string, { file, how, at, hex }: Damage): void {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  );
  const name = names.toSorted()[file % Math.max(1, names.length)];
  if (name === undefined) return;
  const path = join(folder, name);
  if (how === "gone") {
    rmSync(path);
    return;
  }
  const bytes = how === "zeros" ? new Uint8Array(512) : Buffer.from(hex, "hex");
  const handle = openSync(path, "r+");
  const { size } = statSync(path);
  if (how === "cut") ftruncateSync(handle, Math.floor(size * at));
  else writeSync(handle, bytes, 0, bytes.length, how === "grown" ? size : Math.floor(Math.max(0, size - 1) * at));
  closeSync(handle);
}
