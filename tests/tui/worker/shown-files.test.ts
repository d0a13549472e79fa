/** What a list and a preview show of the files of a round: the tokens of its text, and lines as a terminal shows them. */
import { expect, test } from "bun:test";
import { openApp } from "../../../src/app/app.ts";
import { renderMarkdown } from "../../../src/retrieval/render/markdown.ts";
import { openTokenCounter } from "../../../src/text/tokens/tokens.ts";
import { reviewOf } from "../../../src/tui/reducers/rounds.ts";
import { filesOfRound } from "../../../src/tui/state/lists/file-list.ts";
import { shippedPreview } from "../../../src/tui/state/preview/preview.ts";
import { lookedAtLine } from "../../../src/tui/state/preview/preview-search.ts";
import { openHandlers } from "../../../src/tui/worker/handlers.ts";
import { environmentIn } from "../../support/environment.ts";
import { HANG_MS } from "../../support/hang.ts";
import { tempRepo } from "../../support/repo.ts";

const METHODS = Array.from(
  { length: 8 },
  (_, at) =>
    `    def refund_${at}(self, order):\n        """Refund the order ${at}."""\n        return order.refund(${at})\n`,
);

const NEVER = new AbortController().signal;
const quiet = (): void => undefined;
const handlersIn = (path: string) => {
  const request = { environment: environmentIn(path), repo: null, flags: [] };
  return openHandlers({ request, locationFlags: [], taskOptions: { template: null, refresh: true } }, openApp, null);
};

test(
  "each file has the tokens of its section, so that a method inside its class counts once",
  async () => {
    using repo = tempRepo({
      "shop/refunds.py": `class Refunds:\n    """Every refund of an order."""\n\n${METHODS.join("\n")}`,
      "tests/test_refunds.py":
        "from shop.refunds import Refunds\n\n\ndef test_refund():\n    assert Refunds().refund_1\n",
    });
    const { handlers, close } = handlersIn(repo.path);
    try {
      const asked = { task: "Refunds: refund an order twice", request: {}, budget: null, coverage: 1 as const };
      const round = await handlers.retrieve(asked, quiet, NEVER);
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

test(
  "the preview of a file that a stack trace names opens at the line of its deepest frame",
  async () => {
    using repo = tempRepo({ "shop/refunds.py": `class Refunds:\n    """Every refund."""\n\n${METHODS.join("\n")}` });
    const { handlers, close } = handlersIn(repo.path);
    try {
      const frame = (line: number, name: string) =>
        `  File "shop/refunds.py", line ${line}, in ${name}\n    return order\n`;
      const trace = `Traceback (most recent call last):\n${frame(6, "refund_0")}${frame(26, "refund_5")}ValueError: refund\n`;
      const round = await handlers.retrieve({ task: trace, request: {}, budget: null, coverage: null }, quiet, NEVER);
      const review = reviewOf(filesOfRound(round), round);
      expect(lookedAtLine(review, 4)).toBe(26);
    } finally {
      await close();
    }
  },
  HANG_MS,
);

test(
  "lines that end as on Windows have no sign for it, in what ships, in the whole file and in a diff",
  async () => {
    const path = "shop/refunds.py";
    const text = `class Refunds:\n    """Every refund."""\n\n${METHODS.join("\n")}`.replaceAll("\n", "\r\n");
    using repo = tempRepo({ [path]: text });
    const { handlers, close } = handlersIn(repo.path);
    try {
      const asked = { task: "Refunds: refund an order twice", request: {}, budget: null, coverage: 1 as const };
      const round = await handlers.retrieve(asked, quiet, NEVER);
      const whole = await handlers.preview(path, quiet, NEVER);
      const review = { base: "0".repeat(40), uncommitted: true, files: [], diff: "+a\r\n-b\r" };
      const reviewed = { ...round, package: { ...round.package, review: { ...review, lines_left_out: 0 } } };
      for (const lines of [
        shippedPreview({ round }, { kind: "file", path })?.lines,
        whole.lines,
        shippedPreview({ round: reviewed }, { kind: "diff", path: "" })?.lines,
      ])
        expect(lines?.map((line) => line.text).join("\n")).toMatch(/^[^\r]+$/);
    } finally {
      await close();
    }
  },
  HANG_MS,
);
