/** Rounds of a task can be listed, looked at and gone back to; a session can be deleted; a review has a diff to show. */
import { expect, test } from "bun:test";
import { openApp } from "../../../src/app/app.ts";
import { renderMarkdown } from "../../../src/retrieval/render/markdown.ts";
import type { Round } from "../../../src/tui/state/review-state.ts";
import { openHandlers } from "../../../src/tui/worker/handlers.ts";
import { environmentIn } from "../../support/environment.ts";
import { HANG_MS } from "../../support/hang.ts";
import { SHOP_TASK, shopRepo } from "../../support/shop.ts";

const NEVER = new AbortController().signal;
const quiet = (): void => undefined;
const setupIn = (path: string) => ({
  request: { environment: environmentIn(path), repo: null, flags: [] },
  locationFlags: [],
  taskOptions: { template: null, refresh: true },
});

/** The package as text, without what names its round. */
const textOf = ({ package: pkg }: Round): string => renderMarkdown(pkg);

test(
  "going back makes a new round with the package of the earlier one, and later rounds go on from there",
  async () => {
    using repo = shopRepo();
    const { handlers, close } = openHandlers(setupIn(repo.path), openApp, null);
    try {
      const options = { budget: null, coverage: null };
      const first = await handlers.retrieve({ task: SHOP_TASK, request: {}, ...options }, quiet, NEVER);
      const { taskId } = first;
      const refined = { accepted_files: ["shop/mail.py"] };
      const second = await handlers.refine({ taskId, request: refined, ...options }, quiet, NEVER);
      expect(textOf(second)).not.toBe(textOf(first));
      expect((await handlers.rounds(taskId, quiet, NEVER)).map(({ round, asked }) => [round, asked])).toEqual([
        [2, "accepted: shop/mail.py"],
        [1, ""],
      ]);

      const looked = await handlers.resume({ taskId, round: 1 }, quiet, NEVER);
      expect([looked.round?.number, looked.round === null ? "" : textOf(looked.round)]).toEqual([1, textOf(first)]);
      const back = await handlers.returnTo({ taskId, round: 1, request: {}, ...options }, quiet, NEVER);
      expect([back.taskId, back.number, textOf(back)]).toEqual([taskId, 3, textOf(first)]);
      expect([back.constraints.accepted_files, back.notApplied]).toEqual([[], null]);
      const again = await handlers.returnTo({ taskId, round: 2, request: {}, ...options }, quiet, NEVER);
      expect([again.number, textOf(again)]).toEqual([4, textOf(second)]);
      const marked = { rejected_files: ["shop/mail.py"] };
      const withMarks = await handlers.returnTo({ taskId, round: 2, request: marked, ...options }, quiet, NEVER);
      expect(withMarks.package.files.map(({ path }) => path)).not.toContain("shop/mail.py");
      expect(handlers.resume({ taskId, round: 9 }, quiet, NEVER)).rejects.toThrow(
        "round 9 of this task has not finished",
      );

      await handlers.deleteSession(taskId, quiet, NEVER);
      expect((await handlers.home(null, quiet, NEVER)).sessions).toEqual([]);
      expect(handlers.deleteSession(taskId, quiet, NEVER)).rejects.toThrow("has no session");
    } finally {
      await close();
    }
  },
  HANG_MS,
);

test(
  "a review knows the tokens of its diff, and how much of each file ships",
  async () => {
    using repo = shopRepo();
    repo.write({ "shop/mail.py": "def send(text, to):\n    print(text, to)\n" });
    const setup = setupIn(repo.path);
    const changes = { diff: "HEAD", since: null };
    const { handlers, close } = openHandlers(
      { ...setup, taskOptions: { ...setup.taskOptions, changes } },
      openApp,
      null,
    );
    try {
      const round = await handlers.retrieve({ task: "", request: {}, budget: null, coverage: null }, quiet, NEVER);
      expect(round.diffTokens).toBeGreaterThan(20);
      expect(round.ships.find(({ path }) => path === "shop/mail.py")).toMatchObject({
        full: 1,
        of: 1,
        lines: 2,
        ofLines: 2,
      });
    } finally {
      await close();
    }
  },
  HANG_MS,
);
