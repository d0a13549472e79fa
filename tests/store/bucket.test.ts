/** A store whose chunks lie in an S3-compatible bucket, on a real server of that kind. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type TempFolder, tempFolder } from "../support/folder.ts";
import { freePort, postgresProblem, sharedPostgres } from "../support/postgres.ts";
import { tempRepo } from "../support/repo.ts";
import { runHere } from "../support/run-here.ts";

const SERVER = join(import.meta.dir, "../../node_modules/s3rver/bin/s3rver.js");
const node = Bun.which("node");
const isPossible = postgresProblem === null && node !== null && existsSync(SERVER);

let folder: TempFolder;
let postgres: Awaited<ReturnType<typeof sharedPostgres>>;
let server: Bun.Subprocess | undefined;
let endpoint = "";
beforeAll(async () => {
  if (!isPossible) return;
  folder = tempFolder();
  postgres = await sharedPostgres();
  const port = await freePort();
  endpoint = `http://127.0.0.1:${port}`;
  server = Bun.spawn(
    [node, SERVER, "-d", folder.path, "-a", "127.0.0.1", "-p", String(port), "--silent", "--configure-bucket", "team"],
    { stdout: "ignore", stderr: "ignore" },
  );
  while (
    !(await fetch(endpoint).then(
      () => true,
      () => false,
    ))
  )
    await Bun.sleep(100);
});
afterAll(() => {
  if (!isPossible) return;
  server?.kill();
  folder[Symbol.dispose]();
});

test.skipIf(!isPossible)(
  "chunks are put into a bucket and read back; without its address the store says so",
  async () => {
    const address = await postgres.createDatabase();
    await runHere(["store", "init", "--at", address], { cwd: "/" });
    const env = { AWS_ACCESS_KEY_ID: "S3RVER", AWS_SECRET_ACCESS_KEY: "S3RVER", AWS_ENDPOINT_URL: endpoint };
    using repo = tempRepo({ "a.py": "def one():\n    return 1\n" }, { git: true });
    const run = (args: readonly string[]) => runHere(args, { cwd: repo.path, env });
    const bucket = ["--bucket", "s3://team/cra"];
    const pushed = await run(["push", "--to", address, "--name", "x", "--with-text", ...bucket]);
    expect([pushed.exitCode, pushed.stderr]).toEqual([0, ""]);
    const [row] = await postgres.query(address, "select count(*) as all, count(packed) as inside from cra.chunks");
    expect([Number(row?.all) > 3, Number(row?.inside)]).toEqual([true, 0]);
    expect((await run(["store", "check", "--at", address, ...bucket])).exitCode).toBe(0);
    expect((await run(["store", "check", "--at", address])).stdout).toContain("in a bucket");
    await postgres.query(
      address,
      "delete from cra.snapshots; update cra.chunks set used_at = 1; update cra.blobs set used_at = 1",
    );
    const before = new Bun.Glob("team/cra/chunks/*._S3rver_object").scanSync({ cwd: folder.path });
    expect([...before].length).toBe(Number(row?.all));
    await run(["store", "prune", "--days", "1", "--at", address, ...bucket]);
    const after = new Bun.Glob("team/cra/chunks/*._S3rver_object").scanSync({ cwd: folder.path });
    expect([...after].length).toBe(0);
    const keyless = await runHere(["push", "--to", address, "--name", "x", ...bucket], { cwd: repo.path });
    expect([keyless.exitCode, keyless.stderr]).toEqual([2, expect.stringContaining("no keys")]);
  },
);
