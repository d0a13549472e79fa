/** The index behind the answers: begun once, told of once, and ended with the server. */
import { expect, test } from "bun:test";
import { type App, openApp } from "../../src/app/app.ts";
import { Failed } from "../../src/failure.ts";
import { openIndexBehind } from "../../src/mcp/index-behind.ts";
import { environmentIn } from "../support/environment.ts";
import { shopRepo } from "../support/shop.ts";

/** `ended` resolves when the work that `begin` started is over. */
function watched(work: <T>(use: (app: App) => Promise<T>, signal: AbortSignal) => Promise<T>) {
  const ended: Promise<unknown>[] = [];
  const bugs: unknown[] = [];
  const behind = openIndexBehind({
    withApp: (_, signal, use) => {
      const done = work(use, signal);
      ended.push(done.catch(() => undefined));
      return done;
    },
    failureIn: (error) => error,
    onBug: (bug) => bugs.push(bug),
  });
  return { behind, ...behind.in(null), ended, bugs };
}

test("it is begun once, and its end is told once", async () => {
  using repo = shopRepo();
  const app = await openApp({ environment: environmentIn(repo.path), repo: null, flags: [] });
  try {
    const { begin, news, ended } = watched((use) => use(app));
    expect(news()).toBeNull();
    expect(begin()).toStartWith("the repository is being indexed now;");
    expect(begin()).toStartWith("the repository is being indexed (");
    await Promise.all(ended);
    expect(ended).toHaveLength(1);
    await Bun.sleep(0);
    expect([app.isIndexed(), news(), news()]).toEqual([true, expect.stringContaining("is complete"), null]);
  } finally {
    app.close();
  }
});

test("what is reached is told with its unit", async () => {
  using repo = shopRepo();
  const app = await openApp({ environment: environmentIn(repo.path), repo: null, flags: [] });
  const end = Promise.withResolvers<void>();
  const index: App["index"] = async (request, signal) => {
    request.onProgress({ phase: "parse", done: 3 * 1024, total: 8 * 1024, unit: "bytes" });
    await end.promise;
    return await app.index(request, signal);
  };
  const { begin, ended } = watched((use) => use({ ...app, index }));
  begin();
  expect(begin()).toStartWith("the repository is being indexed (parse 3.0 of 8.0 KiB);");
  end.resolve();
  await Promise.all(ended);
  app.close();
});

test("each folder has an index of its own behind its answers", async () => {
  const { behind, ended } = watched(async () => {
    throw new Failed({ code: "io", message: "the disk is full", where: "/x", next: "free some space" });
  });
  const [one, other] = [behind.in("/one"), behind.in("/other")];
  for (const { begin } of [one, other]) expect(begin()).toStartWith("the repository is being indexed now;");
  expect(behind.in("/one").begin()).toStartWith("the repository is being indexed (");
  await Promise.all(ended);
  expect(ended).toHaveLength(2);
});

test("a failure is told with the next first answer, which begins again", async () => {
  const { begin, news, ended, bugs } = watched(async () => {
    throw new Failed({ code: "io", message: "the disk is full", where: "/x", next: "free some space" });
  });
  begin();
  await Promise.all(ended);
  await Bun.sleep(0);
  expect(news()).toBeNull();
  expect(begin()).toMatch(/^the index could not be made \(.*the disk is full.*\); the repository is being indexed now/);
  await Promise.all(ended);
  expect([ended.length, bugs]).toEqual([2, []]);
});

test("it stops with the server", async () => {
  const { begin, behind, bugs } = watched(
    (_, signal) => new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  );
  begin();
  await behind.stop();
  expect(bugs).toEqual([]);
});
