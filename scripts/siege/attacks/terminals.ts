/** Arbitrary keys and window sizes in the terminal interface: it ends when told, and nothing of the repository controls the terminal. */
import fc from "fast-check";
import { z } from "zod";
import { openCra } from "../../../tests/support/run-cra.ts";
import { attackOf } from "../attack.ts";
import { HostileFile, hostileFiles, hostileTask } from "../hostile-files.ts";
import { runIn, smallWorld } from "../small-world.ts";

const Input = z.object({
  files: z.array(HostileFile),
  task: z.string(),
  keys: z.array(z.string()),
  sizes: z.array(z.tuple([z.int(), z.int()])),
});
type Input = z.infer<typeof Input>;

const KEYS = [
  "\r",
  "\t",
  " ",
  "\x1b",
  "\x1b[A",
  "\x1b[B",
  "\x1b[C",
  "\x1b[D",
  "\x1b[5~",
  "\x7f",
  "\x01",
  "\x15",
  "/",
  "?",
  "j",
  "k",
  "a",
  "r",
  "m",
  ">",
  "<",
  "D",
  "q",
  "\x1b[200~pasted q\r\x1b[201~",
  "\x1b[<0;5;5M",
];
/** Sequences that reach outside of the program's own drawing: titles, clipboards, links, device strings. */
const REACHES_OUT = /\x1b\](?:0|1|2|52)[;\x07]|\x1bP|\x1bc/;
const OWN_TITLE = /\x1b\](?:0|2);[^\x07\x1b]*(?:\x07|\x1b\\)/g;
/** The interface reads keys and pastes. */
const READY = /\x1b\[\?2004h/;
const END_MS = 120_000;

export const terminals = attackOf<Input>({
  name: "terminals",
  schema: Input,
  inputs: fc.record({
    files: hostileFiles.map((files) => files.filter(({ path }) => path !== ".cra.toml")),
    task: hostileTask,
    keys: fc.array(
      fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...KEYS) }, { weight: 1, arbitrary: hostileTask }),
      { maxLength: 25 },
    ),
    sizes: fc.array(fc.tuple(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 60 })), { maxLength: 3 }),
  }),
  async trial({ files, task, keys, sizes }, court) {
    using world = await smallWorld(court, "data");
    world.write(files);
    await runIn(court, world, "data", ["index", "-q"]);
    await using cra = await openCra(["tui", "--data-dir", world.data("data")], {
      cwd: world.repo.path,
      home: world.home,
      env: { ...world.environment },
    });
    // Before that, the system edits lines, and a paste could lose its end.
    await cra.waitFor(READY);
    cra.type(task.replaceAll(/[\x00-\x1f]/g, " "));
    cra.type("\r");
    for (const [at, key] of keys.entries()) {
      cra.type(key);
      const size = sizes[at];
      if (size !== undefined) cra.resize(...size);
      await Bun.sleep(10);
    }
    // A first Ctrl-C may cancel work or close a dialogue; a few in turn end the program.
    const end = Bun.sleep(END_MS).then(() => null);
    let ending: Awaited<typeof cra.ended> | null = null;
    for (let press = 0; press < 20 && ending === null; press += 1) {
      cra.type("\x03");
      ending = await Promise.race([cra.ended, Bun.sleep(500).then(() => null)]);
    }
    ending ??= await Promise.race([cra.ended, end]);
    court.holds(
      "ends when told",
      ending !== null,
      () => `keys ${JSON.stringify(keys)}: ${JSON.stringify(cra.output().slice(-800))}`,
    );
    const code = ending?.exitCode ?? 0;
    court.holds(
      "exit code",
      [0, 130].includes(code),
      () => `exits with ${code}: ${JSON.stringify(cra.output().slice(-800))}`,
    );
    const output = cra.output();
    const reached = REACHES_OUT.exec(output.replaceAll(OWN_TITLE, ""))?.[0];
    court.holds("terminal", reached === undefined, () => `sends ${JSON.stringify(reached)}`);
  },
});
