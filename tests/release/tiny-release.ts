/** A release of a tiny program for all targets, made as a real one is. */
import { join } from "node:path";
import { papers } from "../../scripts/release/archives.ts";
import type { Identity } from "../../scripts/release/identity.ts";
import { Release } from "../../scripts/release/make.ts";
import { TARGETS, type Target } from "../../scripts/release/targets.ts";
import { tinyProgram } from "../support/tiny-program.ts";

const ROOT = join(import.meta.dir, "../..");

export const IDENTITY: Identity = {
  version: "1.2.3-dev",
  commit: "0123456789abcdef0123456789abcdef01234567",
  madeAt: new Date("2026-01-02T03:04:05Z"),
  url: "https://example.com/cra",
  scope: null,
};

/** Says its version, and in the same words answers a client of its server. */
const PROGRAM = tinyProgram('cra 1.2.3 "serverInfo"');

const PAPER_BYTES = 1_000;
/** What packages other than the archives take of the papers. Of each its beginning: packing them is most of a release. */
const PAPERS = papers(ROOT, IDENTITY.version)
  .filter(({ path }) =>
    /^(?:LICENSE|THIRD-PARTY-LICENSES\.txt|README\.md|CHANGELOG\.md|cra\.1|completions\/.*)$/.test(path),
  )
  .map((paper) => ({ ...paper, content: paper.content.subarray(0, PAPER_BYTES) }));

export const FIRST_TARGET = TARGETS.slice(0, 1);

export async function makeRelease(
  out: string,
  { targets = TARGETS, identity = IDENTITY }: { targets?: readonly Target[]; identity?: Identity } = {},
): Promise<void> {
  const release = new Release({ root: ROOT, out, signingKey: null }, identity, PAPERS);
  for (const target of targets) await release.add(target, PROGRAM);
  release.finish();
}
