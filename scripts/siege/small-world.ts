/** A small indexed repository for attacks on what is around it: data folders, servers, terminals. */
import { cpSync } from "node:fs";
import { type TempFolder, tempFolder } from "../../tests/support/folder.ts";
import { PLANTED_KEYS } from "../../tests/support/planted-keys.ts";
import type { Court } from "./attack.ts";
import type { HostileFile } from "./hostile-files.ts";
import { type Run, run } from "./run.ts";
import { type World, worldOf } from "./world.ts";

const FILES = 12;

const text = (path: string, content: string): HostileFile => ({ path, pieces: [{ kind: "text", text: content }] });

const parts = Array.from({ length: FILES }, (_, at) =>
  text(
    `shop/part${at}.py`,
    `from shop.part${(at + 1) % FILES} import total${(at + 1) % FILES}\n\n\ndef total${at}(cart):\n    """Adds the cart ${at}."""\n    return total${(at + 1) % FILES}(cart)\n`,
  ),
);

/** What stands in its commits, and in one of its files. */
export const KEY = PLANTED_KEYS[3]?.line ?? "";

/** With `data`, it is indexed there. */
export async function smallWorld(court: Court, data: string | null): Promise<World> {
  const world = worldOf({
    files: [...parts, text("shop/settings.py", `${KEY}\n\n\ndef login():\n    return total1([])\n`)],
    links: [],
    ignore: [],
    messages: ["Start", `Rotate ${KEY}`],
  });
  if (data !== null) await indexIn(court, world, data);
  return world;
}

/** The data folder of a small world right after its index. All have the same files and commits. */
let indexed: TempFolder | null = null;

/** Indexes the first world, and copies its data folder to the others. */
async function indexIn(court: Court, world: World, data: string): Promise<void> {
  if (indexed !== null) {
    cpSync(indexed.path, world.data(data), { recursive: true });
    return;
  }
  const { code } = await runIn(court, world, data, ["index", "-q"]);
  if (code !== 0) return;
  const kept = tempFolder();
  process.on("exit", () => kept[Symbol.dispose]());
  cpSync(world.data(data), kept.path, { recursive: true });
  indexed = kept;
}

/** Runs a command in a world with one of its data folders, and checks what it prints. */
export async function runIn(
  court: Court,
  world: World,
  data: string,
  words: readonly string[],
  { stdin = "", env = {} }: { readonly stdin?: string; readonly env?: Readonly<{ [name: string]: string }> } = {},
): Promise<Run> {
  const result = await run(court, words, {
    cwd: world.repo.path,
    home: world.home,
    env: { ...world.environment, CRA_DATA_DIR: world.data(data), ...env },
    stdin,
  });
  for (const output of [result.stdout, result.stderr]) world.checkText(court, `cra ${words[0]}`, output);
  return result;
}
