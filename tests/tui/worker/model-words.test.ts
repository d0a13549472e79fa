/** What the header learns of a model: from the log at the start, from the server after a run that asked it. */
import { expect, test } from "bun:test";
import { openApp } from "../../../src/app/app.ts";
import { openHandlers } from "../../../src/tui/worker/handlers.ts";
import type { RunProgress } from "../../../src/tui/worker/protocol.ts";
import { environmentIn } from "../../support/environment.ts";
import { HANG_MS } from "../../support/hang.ts";
import { sorting } from "../../support/judging-reply.ts";
import { SHOP_TASK, shopRepo } from "../../support/shop.ts";
import { STAND_IN_MODEL, startOllama } from "../../support/stand-in-ollama.ts";

const NEVER = new AbortController().signal;
const quiet = (): void => undefined;

test(
  "the server is asked what it is only after a run has asked its model",
  async () => {
    using repo = shopRepo();
    await using server = await startOllama({ reply: sorting(() => null), says: { version: "0.31.2" } });
    const variables = { CRA_MODEL: STAND_IN_MODEL, CRA_BASE_URL: server.url };
    const setup = {
      request: { environment: environmentIn(repo.path, variables), repo: null, flags: [] },
      locationFlags: [],
      taskOptions: { template: null, refresh: true },
    };
    const { handlers, close } = openHandlers(setup, openApp, null);
    try {
      const { host } = new URL(server.url);
      expect((await handlers.home(null, quiet, NEVER)).model).toEqual([host, STAND_IN_MODEL]);
      expect(server.requests).toEqual([]);
      const told: RunProgress[] = [];
      const asked = { task: SHOP_TASK, request: {}, budget: null, coverage: null };
      await handlers.retrieve(asked, (progress) => void told.push(progress), NEVER);
      const words = [host, "Ollama 0.31.2", "8192 tokens", expect.stringMatching(/ tokens\/s$/), STAND_IN_MODEL];
      expect(told.filter((progress) => "model" in progress)).toEqual([{ model: words }]);
    } finally {
      await close();
    }
  },
  HANG_MS,
);
