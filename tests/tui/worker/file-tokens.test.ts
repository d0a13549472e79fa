/** The tokens beside the files of a round are those of its text. */
import { expect, test } from "bun:test";
import { openApp } from "../../../src/app/app.ts";
import { renderMarkdown } from "../../../src/retrieval/render/markdown.ts";
import { openTokenCounter } from "../../../src/text/tokens/tokens.ts";
import { filesOfRound } from "../../../src/tui/state/file-list.ts";
import { openHandlers } from "../../../src/tui/worker/handlers.ts";
import { environmentIn } from "../../support/environment.ts";
import { HANG_MS } from "../../support/hang.ts";
import { tempRepo } from "../../support/repo.ts";

const METHODS = Array.from(
  { length: 8 },
  (_, at) =>
    `    def refund_${at}(self, order):\n        """Refund the order ${at}."""\n        return order.refund(${at})\n`,
);

test(
  "each file has the tokens of its section, so that a method inside its class counts once",
  async () => {
    using repo = tempRepo({
      "shop/refunds.py": `class Refunds:\n    """Every refund of an order."""\n\n${METHODS.join("\n")}`,
      "tests/test_refunds.py":
        "from shop.refunds import Refunds\n\n\ndef test_refund():\n    assert Refunds().refund_1\n",
    });
    const { handlers, close } = openHandlers(
      {
        request: { environment: environmentIn(repo.path), repo: null, flags: [] },
        locationFlags: [],
        taskOptions: { template: null, refresh: true },
      },
      openApp,
      null,
    );
    try {
      const asked = { task: "Refunds: refund an order twice", request: {}, budget: null, coverage: 1 as const };
      const round = await handlers.retrieve(asked, () => undefined, new AbortController().signal);
      const { count } = await openTokenCounter("o200k_base", { margin: 0 });
      const sections = renderMarkdown(round.package)
        .split(/^(?=##)/m)
        .filter((section) => section.startsWith("### "));
      const listed = filesOfRound(round).filter(({ shipped }) => shipped !== null);
      expect(listed.map(({ path, tokens }) => [path, tokens])).toEqual(
        sections.map((section) => [section.split(" ")[1] ?? "", count(section.trimEnd())]),
      );
      expect(listed.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThan(round.package.token_count);
    } finally {
      await close();
    }
  },
  HANG_MS,
);
