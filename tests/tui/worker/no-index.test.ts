/** The jobs about one file, where a stopped run left no index. */
import { expect, test } from "bun:test";
import { openApp } from "../../../src/app/app.ts";
import { openHandlers } from "../../../src/tui/worker/handlers.ts";
import { environmentIn } from "../../support/environment.ts";
import { HANG_MS } from "../../support/hang.ts";
import { tempRepo } from "../../support/repo.ts";

const NEVER = new AbortController().signal;
const quiet = (): void => undefined;

test(
  "a file has no text and no definitions, and nothing fails",
  async () => {
    using repo = tempRepo({ "shop/cart.py": "def total(cart):\n    return 1\n" });
    const request = { environment: environmentIn(repo.path), repo: null, flags: [] };
    const setup = { request, locationFlags: [], taskOptions: { template: null, refresh: true } };
    const { handlers, close } = openHandlers(setup, openApp, null);
    try {
      const path = "shop/cart.py";
      expect(await handlers.preview(path, quiet, NEVER)).toEqual({ path, language: "", lines: null });
      expect(await handlers.outline(path, quiet, NEVER)).toEqual([]);
    } finally {
      await close();
    }
  },
  HANG_MS,
);
