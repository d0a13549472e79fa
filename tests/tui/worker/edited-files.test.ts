/** The comparison of rounds lists what was edited in between. */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openApp } from "../../../src/app/app.ts";
import { reviewOf } from "../../../src/tui/reducers/rounds.ts";
import { changeRows, changeSections } from "../../../src/tui/state/lists/change-list.ts";
import { filesOfRound } from "../../../src/tui/state/lists/file-list.ts";
import { openHandlers } from "../../../src/tui/worker/handlers.ts";
import { environmentIn } from "../../support/environment.ts";
import { HANG_MS } from "../../support/hang.ts";
import { tempRepo } from "../../support/repo.ts";

const NEVER = new AbortController().signal;
const quiet = (): void => undefined;

/** `pay` and `refund` have bodies that a signature does not show. */
const source = (amount: string) =>
  `def pay(order):\n    """Pay the order."""\n    total = order.total\n    return charge(total, ${amount})\n\n\ndef refund(order):\n    """Refund the order."""\n    total = order.total\n    return charge(-total)\n`;

test(
  "a definition that was edited since the round before is listed as edited, and no other",
  async () => {
    using repo = tempRepo({
      "shop/orders.py": source("1"),
      "shop/mail.py": "def send(order):\n    return order.mail\n",
    });
    const request = { environment: environmentIn(repo.path), repo: null, flags: [] };
    const setup = { request, locationFlags: [], taskOptions: { template: null, refresh: true } };
    const { handlers, close } = openHandlers(setup, openApp, null);
    const none = { budget: null, coverage: null };
    try {
      const task = "pay and refund an order";
      const { taskId } = await handlers.retrieve({ task, request: {}, ...none }, quiet, NEVER);
      writeFileSync(join(repo.path, "shop/orders.py"), source("2"));
      const asked = { accepted_files: ["shop/orders.py"] };
      const round = await handlers.refine({ taskId, request: asked, ...none }, quiet, NEVER);
      const sections = changeSections({ review: reviewOf(filesOfRound(round), round) }) ?? [];
      expect(sections.map(({ heading }) => heading)).toEqual(["Round 2, since round 1: 1 file, 1 edited"]);
      expect(changeRows(sections, "").map(({ row }) => row)).toMatchObject([
        { is: "item", kind: "edited", path: "shop/orders.py", item: "pay" },
      ]);
    } finally {
      await close();
    }
  },
  HANG_MS,
);
