/**
 * Creates repositories of about 3,500, 32,000 and 116,000 real files from the archives of `scale-archives.ts`.
 *
 * Each archive is a folder of the repository, and each size contains the smaller ones. Taken are the text files that cra
 * would read by their paths, so that all programs read the same: nothing hidden, vendored, built, minified or larger than
 * 1 MiB. A repository that was made from the same archives and has no change is used again. As a process of its own this
 * file prints the result for the sizes that its arguments name as JSON.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { z } from "zod";
import { FILE_BYTES_MAX, skipByPath } from "../../src/source/walk/skip.ts";
import { commitAll } from "./commit-all.ts";
import { fetchArchive, labelOf, type Unavailable } from "./fetch-archive.ts";
import { archivesOf, type ScaleSize, SIZES } from "./scale-archives.ts";
import { type ArchivedFile, untar } from "./untar.ts";

/** `files` and `bytes` count the work tree. */
export type ScaleCorpus = {
  readonly root: string;
  readonly archives: number;
  readonly files: number;
  readonly bytes: number;
};
const Stamp = z.object({ made: z.string(), files: z.int(), bytes: z.int() });

/** What git, other tools or a terminal would take for more than a name. */
const UNSAFE_PATH = /(^|\/)(\.|$)|\\|\p{Cc}/u;
/** Translations are data, and so are the modules of a vendor's devices that a program has written. */
const DATA_PATH = /\.pot?$|\/translations\/|^ansible_collections\/(cisco|dellemc|fortinet)\//;
/** As git does, a file with a zero among its first bytes is not taken for a text. */
const TEXT_HEAD_BYTES = 8_000;

/** Creates the repository of a size in `folder`, where archives are kept, too. */
export async function makeScaleCorpus(folder: string, size: ScaleSize): Promise<ScaleCorpus | Unavailable> {
  const root = join(folder, size);
  const stampPath = join(folder, `${size}.json`);
  const archives = archivesOf(size);
  const made = createHash("sha256")
    .update(JSON.stringify(archives))
    .update(readFileSync(import.meta.path))
    .digest("hex");
  const stamp = existsSync(stampPath) ? Stamp.safeParse(JSON.parse(readFileSync(stampPath, "utf8"))).data : undefined;
  if (stamp?.made === made && isUnchanged(root))
    return { root, archives: archives.length, files: stamp.files, bytes: stamp.bytes };
  rmSync(stampPath, { force: true });
  rmSync(root, { recursive: true, force: true });
  let [files, bytes] = [0, 0];
  for (const archive of archives) {
    process.stderr.write(`${size}: ${labelOf(archive)}\n`);
    const packed = await fetchArchive(join(folder, "archives"), archive);
    if ("unavailable" in packed) return packed;
    for (const file of untar(gunzipSync(packed))) {
      // The first folder is that of the version.
      const path = file.path.slice(file.path.indexOf("/") + 1);
      if (!isTaken(path, file)) continue;
      const to = join(root, archive.name.replace(/^@/, ""), path);
      mkdirSync(dirname(to), { recursive: true });
      writeFileSync(to, file.content);
      files += 1;
      bytes += file.content.length;
    }
  }
  process.stderr.write(`${size}: commit of ${files} files\n`);
  commitAll(root, `${archives.length} archives`);
  writeFileSync(stampPath, JSON.stringify({ made, files, bytes }));
  return { root, archives: archives.length, files, bytes };
}

const isTaken = (path: string, { content }: ArchivedFile): boolean =>
  !UNSAFE_PATH.test(path) &&
  !DATA_PATH.test(path) &&
  skipByPath(path, content.length, { bytesMax: FILE_BYTES_MAX, vendoredIsMain: false }) === null &&
  !content.subarray(0, TEXT_HEAD_BYTES).includes(0);

function isUnchanged(root: string): boolean {
  if (!existsSync(join(root, ".git"))) return false;
  const { success, stdout } = Bun.spawnSync(["git", "status", "--porcelain"], { cwd: root });
  return success && stdout.length === 0;
}

if (import.meta.main) {
  const [folder = "", ...names] = process.argv.slice(2);
  const made: (ScaleCorpus | Unavailable)[] = [];
  for (const size of SIZES) if (names.includes(size)) made.push(await makeScaleCorpus(folder, size));
  process.stdout.write(JSON.stringify(made));
}
