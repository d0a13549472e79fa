/** The jobs of the interface in a large repository without an index. */
import { expect, test } from "bun:test";
import { openApp } from "../../../src/app/app.ts";
import type { AppRequest } from "../../../src/app/workspace/environment.ts";
import { Failed } from "../../../src/failure.ts";
import { renderMarkdown } from "../../../src/retrieval/render/markdown.ts";
import { isFirstAnswer, type Round } from "../../../src/tui/state/review-state.ts";
import { openHandlers } from "../../../src/tui/worker/handlers.ts";
import { environmentIn } from "../../support/environment.ts";
import { HANG_MS } from "../../support/hang.ts";
import { MANY_FILES } from "../../support/many-files.ts";
import { tempRepo } from "../../support/repo.ts";

const FILES = {
  ...MANY_FILES,
  "app/login.py": "def login_user(name):\n    return check_password(name)\n",
};
const TASK = { task: "login_user is slow", request: {}, budget: null, coverage: null };
const NEVER = new AbortController().signal;
const quiet = (): void => undefined;

const setupOf = (repo: { readonly path: string }) => ({
  request: { environment: environmentIn(repo.path), repo: null, flags: [] },
  locationFlags: [],
  taskOptions: { template: null, refresh: true },
});

test(
  "a first answer stays usable while the index is made behind it, and the next one is final",
  async () => {
    using repo = tempRepo(FILES);
    const { handlers, close } = openHandlers(setupOf(repo), openApp, null);
    try {
      const first = await handlers.retrieve(TASK, quiet, NEVER);
      expect([isFirstAnswer(first), first.package.files.map(({ path }) => path)]).toEqual([true, ["app/login.py"]]);
      const knownIn = async () => await handlers.knownIndex(null, quiet, NEVER);
      const found = async () => await handlers.find({ query: "part1000", limit: 3 }, quiet, NEVER);
      expect(await knownIn()).toMatchObject({ status: "missing" });
      expect((await found()).rows.map(({ found: { path } }) => path)).toContain("lib/part1000.py");
      const indexing = handlers.index(null, quiet, NEVER);
      const rejecting = { ...TASK, rejecting: "app/login.py" };
      const during = await handlers.dryRun(rejecting, quiet, NEVER);
      // The next round ranks all files again.
      expect(during).toMatchObject({ exact: false });
      expect(await handlers.preview("app/login.py", quiet, NEVER)).toMatchObject({ language: "python" });
      expect(await indexing).toMatchObject({ status: "ready", files: 1_002 });
      expect(await handlers.dryRun(rejecting, quiet, NEVER)).toEqual(during);
      expect(await knownIn()).toMatchObject({ status: "ready", files: 1_002 });
      expect((await found()).rows.map(({ found: { name } }) => name)).toContain("part1000");
      const final = await handlers.retrieve(TASK, quiet, NEVER);
      expect([isFirstAnswer(final), final.package.files.map(({ path }) => path)]).toEqual([false, ["app/login.py"]]);
    } finally {
      await close();
    }
  },
  HANG_MS,
);

test(
  "the rounds of a first answer can be resumed, looked at and gone back to though no index was ever made",
  async () => {
    using repo = tempRepo({ ...FILES, "app/mail.py": "def send_mail(to):\n    return post(to)\n" });
    const textOf = (round: Round | null): string => (round === null ? "" : renderMarkdown(round.package));
    const before = openHandlers(setupOf(repo), openApp, null);
    const first = await before.handlers.retrieve(TASK, quiet, NEVER);
    const other = await before.handlers.retrieve({ ...TASK, task: "send_mail is slow" }, quiet, NEVER);
    await before.close();
    const { handlers, close } = openHandlers(setupOf(repo), openApp, null);
    try {
      for (const made of [first, other, first]) {
        const { round } = await handlers.resume({ taskId: made.taskId, round: null }, quiet, NEVER);
        expect([isFirstAnswer(round), textOf(round)]).toEqual([true, textOf(made)]);
      }
      expect(await handlers.preview("app/login.py", quiet, NEVER)).toMatchObject({ language: "python" });
      const looked = await handlers.resume({ taskId: other.taskId, round: 1 }, quiet, NEVER);
      expect(textOf(looked.round)).toBe(textOf(other));
      const back = await handlers.returnTo({ ...TASK, taskId: other.taskId, round: 1 }, quiet, NEVER);
      expect([back.number, isFirstAnswer(back), textOf(back)]).toEqual([2, true, textOf(other)]);
      expect(await handlers.knownIndex(null, quiet, NEVER)).toMatchObject({ status: "missing" });
    } finally {
      await close();
    }
  },
  HANG_MS,
);

test("an index that another process is writing is waited for", async () => {
  using repo = tempRepo({ "a.py": "def a(): pass\n" });
  let tries = 0;
  const open = async (request: AppRequest) => {
    const app = await openApp(request);
    const index: typeof app.index = async (asked, signal) => {
      signal.throwIfAborted();
      tries += 1;
      if (tries < 3) throw new Failed({ code: "locked", holder: "process 7" });
      return await app.index(asked, signal);
    };
    return { ...app, index };
  };
  const { handlers, close } = openHandlers(setupOf(repo), open, null);
  try {
    expect(await handlers.index(null, quiet, NEVER)).toMatchObject({ status: "ready", files: 1 });
    expect(tries).toBe(3);
    tries = 0;
    const stop = new AbortController();
    const stopped = handlers.index(null, quiet, stop.signal);
    stop.abort(new Failed({ code: "cancelled", signal: "SIGINT" }));
    await expect(stopped).rejects.toThrow();
  } finally {
    await close();
  }
});
