/**
 * Makes `tests/fixtures/scip/index.scip` again with Sourcegraph's indexer from the npm registry: `bun scripts/scip-fixture.ts`.
 *
 * The indexer and its compiler have 26 MB, so they are no dependency. The folder's name is fixed, because it is part of the index.
 */
import { copyFileSync, cpSync, mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const INDEXER = "@sourcegraph/scip-typescript@0.4.0";
const FIXTURE = join(import.meta.dir, "../tests/fixtures/scip");

const folder = join(tmpdir(), "cra-scip");
const project = join(folder, "shop");
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
try {
  cpSync(join(FIXTURE, "project"), project, { recursive: true });
  run(["npm", "install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", INDEXER]);
  run([join(folder, "node_modules/.bin/scip-typescript"), "index", "--output", "index.scip"]);
  copyFileSync(join(project, "index.scip"), join(FIXTURE, "index.scip"));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function run(command: string[]): void {
  const { success, stderr } = Bun.spawnSync(command, { cwd: project, stdout: "ignore", stderr: "pipe" });
  if (!success) throw new Error(`${command.join(" ")}: ${stderr.toString().trim()}`);
}
