/** The index lock, against other processes. */
import { expect, test } from "bun:test";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { heldBy, takeIndexLock } from "../../../src/db/sqlite/lock.ts";
import { Failed } from "../../../src/failure.ts";
import { folder } from "../folder.ts";

const ME = { pid: process.pid, host: "here", startedAt: "2026-01-02T03:04:05Z" };
const LOCK_MODULE = join(import.meta.dir, "../../../src/db/sqlite/lock.ts");

/** Another process that takes the lock, says so, and then stays until it is killed. */
async function holder(path: string) {
  const script = `
    import { takeIndexLock } from ${JSON.stringify(LOCK_MODULE)};
    await takeIndexLock(${JSON.stringify(path)}, { pid: process.pid, host: "there", startedAt: "2026-01-01T00:00:00Z" }, 1000);
    process.stdout.write("held");
    setInterval(() => {}, 1000);`;
  const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "ignore" });
  const { value } = await child.stdout.getReader().read();
  expect(new TextDecoder().decode(value)).toBe("held");
  return child;
}

test("a second process sees the holder and gets the lock when it is killed", async () => {
  using dir = folder();
  const path = dir.at("lock.sqlite");
  const child = await holder(path);
  const refused = await takeIndexLock(path, ME, 100).catch((error: unknown) => error);
  expect(refused instanceof Failed ? refused.failure : refused).toEqual({
    code: "locked",
    holder: `process ${child.pid} on there, since 2026-01-01T00:00:00Z`,
  });
  const waiting = takeIndexLock(path, ME, 300_000);
  child.kill("SIGKILL");
  await child.exited;
  (await waiting).release();
  (await takeIndexLock(path, ME, 0)).release();
});

test("who waits for the lock is told so, once; who gets it at once is not", async () => {
  using dir = folder();
  let told = 0;
  const tell = (): void => {
    told += 1;
  };
  const held = await takeIndexLock(dir.at("lock"), ME, 1_000, undefined, tell);
  expect(told).toBe(0);
  await expect(takeIndexLock(dir.at("lock"), ME, 0, undefined, tell)).rejects.toThrow();
  expect(told).toBe(0);
  await expect(takeIndexLock(dir.at("lock"), ME, 200, undefined, tell)).rejects.toThrow();
  expect(told).toBe(1);
  held.release();
});

test("waiting ends with the signal", async () => {
  using dir = folder();
  const held = await takeIndexLock(dir.at("lock"), ME, 0);
  const reason = await takeIndexLock(dir.at("lock"), ME, 10_000, AbortSignal.timeout(60)).catch(
    (error: unknown) => error,
  );
  expect(reason instanceof Error ? reason.name : reason).toBe("TimeoutError");
  held.release();
});

test("a description of the holder that cra did not write is not read", async () => {
  using dir = folder();
  const path = dir.at("lock.sqlite");
  const child = await holder(path);
  const written = readFileSync(`${path}.holder.json`, "utf8");
  expect(heldBy(path)).toContain(`process ${child.pid}`);
  writeFileSync(`${path}.holder.json`, written + " ".repeat(64 * 1024));
  expect(heldBy(path)).toBe("unknown process");
  child.kill("SIGKILL");
  await child.exited;
});

test("a damaged lock file is emptied, and a lock that another process holds on it is kept", async () => {
  using dir = folder();
  const path = dir.at("lock.sqlite");
  const child = await holder(path);
  writeFileSync(path, "not a database", { flag: "r+" });
  await expect(takeIndexLock(path, ME, 0)).rejects.toMatchObject({ failure: { code: "locked" } });
  child.kill("SIGKILL");
  await child.exited;
  (await takeIndexLock(path, ME, 0)).release();
  expect(readFileSync(path, "utf8")).toBe("");
});

test("a planted link beside the lock is not written through", async () => {
  using dir = folder();
  writeFileSync(dir.at("victim"), "untouched");
  symlinkSync(dir.at("victim"), dir.at("lock.holder.json"));
  const lock = await takeIndexLock(dir.at("lock"), ME, 0);
  expect(readFileSync(dir.at("victim"), "utf8")).toBe("untouched");
  lock.release();
});
