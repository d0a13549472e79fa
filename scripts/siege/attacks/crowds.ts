/** Readers and writers of one index at the same time: each answers or says that another is writing. */
import fc from "fast-check";
import { z } from "zod";
import { dataPaths } from "../../../src/db/data-folder/paths.ts";
import { dumpCuratedFile } from "../../../tests/support/dump.ts";
import { attackOf } from "../attack.ts";
import { HostileFile, hostileFiles } from "../hostile-files.ts";
import { runIn, smallWorld } from "../small-world.ts";

const COMMANDS: readonly (readonly string[])[] = [
  ["index", "-q"],
  ["index", "--rebuild", "-q"],
  ["retrieve", "fix total3", "-q"],
  ["retrieve", "fix login", "--no-refresh", "-q"],
  ["search", "total"],
  ["remember", "the cart is slow"],
  ["recall", "cart"],
  ["status"],
  ["doctor"],
  ["sessions"],
];
const Input = z.object({ commands: z.array(z.int()), later: z.array(HostileFile) });
type Input = z.infer<typeof Input>;

export const crowds = attackOf<Input>({
  name: "crowds",
  schema: Input,
  inputs: fc.record({
    commands: fc.array(fc.nat(COMMANDS.length - 1), { minLength: 2, maxLength: 6 }),
    later: hostileFiles.map((files) => files.filter(({ path }) => path !== ".cra.toml")),
  }),
  async trial({ commands, later }, court) {
    using world = await smallWorld(court, "data");
    world.write(later);
    await Promise.all(commands.map((at) => runIn(court, world, "data", COMMANDS[at] ?? [])));
    const next = await runIn(court, world, "data", ["index", "-q"]);
    await runIn(court, world, "fresh", ["index", "-q"]);
    court.holds("exit code", next.code === 0, () => `the next index: ${next.code} ${next.stderr}`);
    const [one, other] = ["data", "fresh"].map((name) => dumpCuratedFile(dataPaths(world.data(name)).curated));
    court.holds("index equals fresh", one === other, () => "the index that a crowd left differs");
    world.checkTraces(court);
  },
});
