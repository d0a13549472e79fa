/**
 * Takes the screenshots of the documentation: the compiled binary's terminal interface on a real project.
 *
 * All pictures are screens of one real run. `--check` writes nothing and exits with 1 when a picture differs from what
 * the program shows now.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { runCra } from "../tests/support/run-cra.ts";
import { DARK, LIGHT, type Palette, pictureOf } from "../tests/support/terminal-picture.ts";
import { INK_TASK, inkRepo } from "../tests/support/terminal-project.ts";
import { at, isAnswered, openTui, type User } from "../tests/support/terminal-user.ts";

const FOLDER = join(import.meta.dir, "../tests/golden/pictures");
const [COLUMNS, ROWS] = [120, 32];

export type Picture = { readonly path: string; readonly svg: string };

type Repository = { readonly path: string };

/** Takes the pictures; `index` indexes the project. Throws with the screen if it does not show what is expected. */
export async function pictures(index: (repo: Repository) => Promise<void> = indexed): Promise<readonly Picture[]> {
  using repo = inkRepo();
  await index(repo);
  await using user = await openTui([INK_TASK], { cwd: repo.path, columns: COLUMNS, rows: ROWS });
  const taken: Picture[] = [];
  const take = async (of: User, name: string, title: string, ...palettes: readonly Palette[]): Promise<void> => {
    await of.until(isAnswered);
    await of.still(600);
    for (const palette of palettes) {
      const path = join(FOLDER, `${name}${palette === LIGHT && palettes.length > 1 ? "-light" : ""}.svg`);
      taken.push({ path, svg: pictureOf(of.screen.cells(), title, palette) });
    }
  };
  await user.until(at("review"));
  user.press("review", "mark.accept", "list.next", "mark.reject", "list.next", "reason.toggle");
  // What the next round would show is asked for after the keys, and may be answered late.
  await user.until(/ in, 1 out/);
  const review = "The review: the package with marks, the text that ships, and why";
  await take(user, "review", review, DARK, LIGHT);
  user.press("review", "package.refine");
  await user.until(at("changes"));
  await take(user, "changes", "What the second round changed", DARK);
  user.press("changes", "app.back");
  await user.until(at("review"));
  user.press("review", "app.quit");
  await user.ended;
  await using plain = await openTui(["--no-color", INK_TASK], { cwd: repo.path, columns: COLUMNS, rows: ROWS });
  await plain.until(at("review"));
  await plain.until("rejecting it frees");
  await take(plain, "review-no-color", `${review}, without colours`, LIGHT);
  plain.press("review", "app.quit");
  await plain.ended;
  return taken;
}

async function indexed({ path }: Repository): Promise<void> {
  const run = await runCra(["index", "-q"], { cwd: path });
  if (run.exitCode !== 0) throw new Error(run.stderr);
}

/** Pictures that differ from the stored files. */
export async function stale(taken: readonly Picture[]): Promise<readonly string[]> {
  const found = await Promise.all(
    taken.map(async ({ path, svg }) => {
      const file = Bun.file(path);
      return (await file.exists()) && (await file.text()) === svg ? [] : [path];
    }),
  );
  return found.flat();
}

async function main(): Promise<void> {
  const taken = await pictures();
  if (process.argv.includes("--check")) {
    const names = await stale(taken);
    for (const name of names) process.stderr.write(`${name} is stale; run: bun scripts/pictures.ts\n`);
    if (names.length > 0) process.exitCode = 1;
    return;
  }
  mkdirSync(FOLDER, { recursive: true });
  for (const { path, svg } of taken) await Bun.write(path, svg);
}

if (import.meta.main) void main();
