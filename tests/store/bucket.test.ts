/** A store whose chunks lie in an S3-compatible bucket, on a real server of that kind. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, rmSync } from "node:fs";
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

test.skipIf(!isPossible)(
  "what a bucket lost, or is in another one, is there again after cra push --again",
  async () => {
    const address = await postgres.createDatabase();
    await runHere(["store", "init", "--at", address], { cwd: "/" });
    const env = { AWS_ACCESS_KEY_ID: "S3RVER", AWS_SECRET_ACCESS_KEY: "S3RVER", AWS_ENDPOINT_URL: endpoint };
    using repo = tempRepo({ "a.py": "def one():\n    return 1\n" }, { git: true });
    const run = async (bucket: string | null, ...args: readonly string[]): Promise<string> =>
      (await runHere([...args, ...(bucket === null ? [] : ["--bucket", bucket])], { cwd: repo.path, env })).stdout;
    const push = (bucket: string | null, ...more: readonly string[]) =>
      run(bucket, "push", "--to", address, "--name", "x", "--with-text", ...more);
    const check = (bucket: string | null) => run(bucket, "store", "check", "--at", address);
    await push("s3://team/here");
    rmSync(join(folder.path, "team/here/chunks"), { recursive: true });
    expect(await check("s3://team/here")).toContain("missing");
    expect(await push("s3://team/here", "--again")).toContain("pushed");
    expect(await check("s3://team/here")).toContain("whole");
    expect(await check("s3://team/there")).toContain("missing");
    await push("s3://team/there", "--again");
    expect(await check("s3://team/there")).toContain("whole");
    await push(null, "--again");
    expect(await check(null)).toContain("whole");
  },
);
