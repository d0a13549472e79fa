/**
 * What is handed out for a target: the program with its papers, in archives that every system opens, and smaller ones.
 *
 * `.tar.gz` (`.zip` for Windows) is what every machine has a program for; `.tar.zst` is a sixth smaller. Not here: making the
 * program.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { COMMAND_TABLE } from "../../src/cli/commands/table.ts";
import { completionScript, SHELLS, type Shell } from "../../src/cli/syntax/completions.ts";
import { manPage } from "../../src/cli/syntax/man.ts";
import { noticesPage } from "./licences.ts";
import { type Packed, tar } from "./tar.ts";
import { programOf, type Target } from "./targets.ts";
import { zip } from "./zip.ts";

/** The usual place and name of each shell's script. */
const COMPLETIONS: Readonly<Record<Shell, string>> = { bash: "cra.bash", zsh: "_cra", fish: "cra.fish" };
/** The highest that memory of any machine unpacks without being asked. */
const ZSTD_LEVEL = 19;

export type Archive = { readonly name: string; readonly bytes: Uint8Array };

/** What goes with the program, the same for every target. */
export function papers(root: string, version: string): readonly Packed[] {
  const text = (path: string, content: string): Packed => ({ path, content: Buffer.from(content), runs: false });
  return [
    ...pages(root).map((path) => text(path, readFileSync(join(root, path), "utf8"))),
    text("THIRD-PARTY-LICENSES.txt", noticesPage(root)),
    text("cra.1", manPage(version, COMMAND_TABLE)),
    ...SHELLS.map((shell) => text(`completions/${COMPLETIONS[shell]}`, completionScript(shell, COMMAND_TABLE))),
  ];
}

/** The licence, the pages for users, and the files that they link to, so that no link of an unpacked page leads nowhere. */
function pages(root: string): readonly string[] {
  const found = new Set([
    "LICENSE",
    "README.md",
    "SECURITY.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    ...filesAt(root, "docs"),
  ]);
  // What is added while it is gone through is gone through too.
  for (const page of found) {
    if (!page.endsWith(".md")) continue;
    for (const [, target = ""] of readFileSync(join(root, page), "utf8").matchAll(/\]\(([^):#\s]+)[^):\s]*\)/g))
      for (const path of filesAt(root, posix.join(posix.dirname(page), target))) found.add(path);
  }
  return [...found];
}

/** The file of that path, or all files below the folder. */
const filesAt = (root: string, path: string): readonly string[] =>
  statSync(join(root, path)).isFile()
    ? [path]
    : readdirSync(join(root, path))
        .sort()
        .flatMap((name) => filesAt(root, posix.join(path, name)));

/** The archives of a target; everything in them lies in one folder that is named as they are. */
export async function archivesOf(
  target: Target,
  version: string,
  program: Uint8Array,
  others: readonly Packed[],
): Promise<readonly Archive[]> {
  const folder = `cra-${version}-${target.name}`;
  const files = [{ path: programOf(target), content: program, runs: true }, ...others].map((file) => ({
    ...file,
    path: `${folder}/${file.path}`,
  }));
  const tarred = Buffer.from(tar(files));
  // Begun first: it goes on in another thread.
  const small = Bun.zstdCompress(tarred, { level: ZSTD_LEVEL });
  const common =
    target.system === "win32"
      ? { name: `${folder}.zip`, bytes: zip(files) }
      : { name: `${folder}.tar.gz`, bytes: Bun.gzipSync(tarred, { library: "libdeflate", level: 12 }) };
  return [common, { name: `${folder}.tar.zst`, bytes: await small }];
}
