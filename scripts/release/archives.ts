/**
 * Packs the program with its documents: `.tar.gz` (`.zip` for Windows), which every system can open, and `.tar.zst`,
 * which is a sixth smaller.
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

/** The usual path of the completion script of each shell. */
const COMPLETIONS: Readonly<Record<Shell, string>> = { bash: "cra.bash", zsh: "_cra", fish: "cra.fish" };
/** The largest window that zstd decompresses without extra options. */
const ZSTD_LEVEL = 19;

export type Archive = { readonly name: string; readonly bytes: Uint8Array };

/** Files that every target's archive contains beside the program. */
export function papers(root: string, version: string): readonly Packed[] {
  const text = (path: string, content: string): Packed => ({ path, content: Buffer.from(content), runs: false });
  return [
    ...pages(root).map((path) => text(path, readFileSync(join(root, path), "utf8"))),
    text("THIRD-PARTY-LICENSES.txt", noticesPage(root)),
    text("cra.1", manPage(version, COMMAND_TABLE)),
    ...SHELLS.map((shell) => text(`completions/${COMPLETIONS[shell]}`, completionScript(shell, COMMAND_TABLE))),
  ];
}

/** The licence, the user documentation and every file it links to, so that no link of an unpacked page is broken. */
function pages(root: string): readonly string[] {
  const found = new Set([
    "LICENSE",
    "README.md",
    "SECURITY.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    ...filesAt(root, "docs"),
  ]);
  // The loop also visits paths that are added during iteration.
  for (const page of found) {
    if (!page.endsWith(".md")) continue;
    for (const [, target = ""] of readFileSync(join(root, page), "utf8").matchAll(/\]\(([^):#\s]+)[^):\s]*\)/g))
      for (const path of filesAt(root, posix.join(posix.dirname(page), target))) found.add(path);
  }
  return [...found];
}

/** The file at a path, or all files below a folder. */
const filesAt = (root: string, path: string): readonly string[] =>
  statSync(join(root, path)).isFile()
    ? [path]
    : readdirSync(join(root, path))
        .sort()
        .flatMap((name) => filesAt(root, posix.join(path, name)));

/** The archives of a target; each contains one folder with the name of the archive. */
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
  // Start this first: it runs in another thread.
  const small = Bun.zstdCompress(tarred, { level: ZSTD_LEVEL });
  const common =
    target.system === "win32"
      ? { name: `${folder}.zip`, bytes: zip(files) }
      : { name: `${folder}.tar.gz`, bytes: Bun.gzipSync(tarred, { library: "libdeflate", level: 12 }) };
  return [common, { name: `${folder}.tar.zst`, bytes: await small }];
}
