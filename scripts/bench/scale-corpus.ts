/**
 * Creates repositories of about 100, 3,000 and 30,000 files from a real one.
 *
 * The middle one is the TypeScript and JavaScript source as it is, the small one its first files, the large one renamed
 * copies: each copy appends its own suffix to every two-word capitalised name (`EntityManager`) in contents and paths,
 * so that no two files are equal and imports still resolve. Each is a git repository with one commit.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export type ScaleCorpus = { readonly root: string; readonly files: number; readonly bytes: number };

const CODE = /\.(?:[cm]?[jt]s|[jt]sx)$/;
const SMALL_FILES = 100;
const LARGE_FILES = 30_000;
const JOINED_WORDS = /\b[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+\b/g;

/** Creates all three under `folder`, in order of size. `source` is a checkout of a repository. */
export async function makeScaleCorpora(source: string, folder: string): Promise<readonly ScaleCorpus[]> {
  const listed = await output(["git", "-C", source, "ls-files", "-z"]);
  const paths = listed.split("\0").filter((path) => CODE.test(path));
  if (paths.length < SMALL_FILES) throw new Error(`${source} contains only ${paths.length} source files`);
  const copies = Math.ceil(LARGE_FILES / paths.length);
  const [small, middle, large] = ["small", "middle", "large"].map((name) => join(folder, name));
  if (small === undefined || middle === undefined || large === undefined) return [];
  const read = (path: string): string => readFileSync(join(source, path), "utf8");
  const made: ScaleCorpus[] = [];
  for (const [root, chosen] of [
    [small, paths.filter((path) => path.startsWith("src/")).slice(0, SMALL_FILES)],
    [middle, paths],
  ] as const) {
    rmSync(root, { recursive: true, force: true });
    for (const path of chosen) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      cpSync(join(source, path), join(root, path));
    }
    made.push(await committed(root, chosen.length, chosen.map(read)));
  }
  rmSync(large, { recursive: true, force: true });
  let bytes = 0;
  for (let copy = 0; copy < copies; copy += 1) {
    const renamed = (text: string): string => text.replace(JOINED_WORDS, (name) => `${name}${copy}`);
    for (const path of paths) {
      const to = join(large, `part${copy}`, renamed(path));
      const text = renamed(read(path));
      mkdirSync(dirname(to), { recursive: true });
      writeFileSync(to, text);
      bytes += Buffer.byteLength(text);
    }
  }
  await commit(large);
  made.push({ root: large, files: paths.length * copies, bytes });
  return made;
}

async function committed(root: string, files: number, texts: readonly string[]): Promise<ScaleCorpus> {
  await commit(root);
  return { root, files, bytes: texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) };
}

async function commit(root: string): Promise<void> {
  const identity = ["-c", "user.name=bench", "-c", "user.email=bench@example.org"];
  await output(["git", "-C", root, "init", "-q"]);
  await output(["git", "-C", root, "add", "-A"]);
  await output(["git", "-C", root, ...identity, "commit", "-qm", "All of it"]);
}

/** Standard output of a program; throws its error output if it does not exit with 0. */
async function output(command: readonly string[]): Promise<string> {
  const child = Bun.spawn([...command], { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [text, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")}: ${errors.trim()}`);
  return text;
}
