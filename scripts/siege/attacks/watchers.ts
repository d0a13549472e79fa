/** Hostile changes under `cra index --watch`: it goes on, prints no secret, ends when told, and leaves an index like a fresh one. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { z } from "zod";
import { dataPaths } from "../../../src/db/data-folder/paths.ts";
import { dumpCuratedFile } from "../../../tests/support/dump.ts";
import { startCra } from "../../../tests/support/run-cra.ts";
import { attackOf } from "../attack.ts";
import { HostileFile, hostileFiles } from "../hostile-files.ts";
import { runIn, smallWorld } from "../small-world.ts";

const Round = z.object({ files: z.array(HostileFile), gone: z.boolean() });
const Input = z.object({ rounds: z.array(Round) });
type Input = z.infer<typeof Input>;

export const watchers = attackOf<Input>({
  name: "watchers",
  schema: Input,
  inputs: fc.record({
    rounds: fc.array(
      fc.record({
        files: hostileFiles.map((files) => files.filter(({ path }) => path !== ".cra.toml")),
        gone: fc.boolean(),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  }),
  async trial({ rounds }, court) {
    using world = await smallWorld(court, null);
    await using cra = await startCra(["index", "--watch", "--json", "-q"], {
      cwd: world.repo.path,
      home: world.home,
      env: { ...world.environment, CRA_DATA_DIR: world.data("data") },
    });
    world.checkText(court, "the first run", await cra.next());
    for (const [at, { files, gone }] of rounds.entries()) {
      if (gone) rmSync(join(world.repo.path, `shop/part${at}.py`), { force: true });
      // Files that are ignored cause no run, so one that is not comes with each round.
      const known = { path: `round${at}.py`, pieces: [{ kind: "text", text: `round = ${at}\n` } as const] };
      world.write([...files, known]);
      world.checkText(court, "a later run", await cra.next());
    }
    cra.kill("SIGINT");
    const { exitCode } = await cra.ended;
    court.holds("ends when told", exitCode === 130, () => `a watcher ends with ${exitCode}`);
    world.checkText(court, "a watcher", await cra.stderr);
    const next = await runIn(court, world, "data", ["index", "-q"]);
    await runIn(court, world, "fresh", ["index", "-q"]);
    court.holds("exit code", next.code === 0, () => `the next index: ${next.code} ${next.stderr}`);
    const [one, other] = ["data", "fresh"].map((name) => dumpCuratedFile(dataPaths(world.data(name)).curated));
    court.holds("index equals fresh", one === other, () => "the index that a watcher left differs");
    world.checkTraces(court);
  },
});
