/**
 * Creates the repository for timings: three.js 0.170.0 from its npm package.
 *
 * It has 1,012 hand-written JavaScript files (5.8 MB, up to 4,000 lines each), without bundled third-party code. The
 * archive is downloaded once into `dist/bench` and checked against a pinned hash. The repository is created each time
 * with one commit of a fixed hash. As a process of its own this file prints the result of `makeCorpus` as JSON.
 */

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { commitAll } from "./commit-all.ts";
import { fetchArchive, type Unavailable } from "./fetch-archive.ts";
import { untar } from "./untar.ts";

const NAME = "three";
const VERSION = "0.170.0";
const INTEGRITY = "sha512-FQK+LEpYc0fBD+J8g6oSEyyNzjp+Q7Ks1C568WWaoMRLW+TkNNWmenWeGgJjV105Gd+p/2ql1ZcjYvNiPZBhuQ==";

/** The paths taken from the archive. */
const TAKEN = /^package\/(?:package\.json|(?:src|examples\/jsm(?!\/libs\/))\/.*\.js)$/;

/** `files` and `bytes` count the work tree. */
export type Corpus = {
  readonly root: string;
  readonly label: string;
  readonly files: number;
  readonly bytes: number;
};

/** Creates the repository in `folder` and downloads the archive if it is missing. */
export async function makeCorpus(folder: string): Promise<Corpus | Unavailable> {
  const packed = await fetchArchive(folder, { registry: "npm", name: NAME, version: VERSION, integrity: INTEGRITY });
  if ("unavailable" in packed) return packed;
  const root = join(folder, `${NAME}-${VERSION}`);
  rmSync(root, { recursive: true, force: true });
  let files = 0;
  let bytes = 0;
  for (const { path, content } of untar(gunzipSync(packed))) {
    if (!TAKEN.test(path) || path.split("/").includes("..")) continue;
    const to = join(root, path.slice("package/".length));
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, content);
    files += 1;
    bytes += content.length;
  }
  commitAll(root, `${NAME} ${VERSION}`);
  return { root, label: `${NAME}@${VERSION}`, files, bytes };
}

if (import.meta.main) process.stdout.write(`${JSON.stringify(await makeCorpus(process.argv[2] ?? ""))}\n`);
