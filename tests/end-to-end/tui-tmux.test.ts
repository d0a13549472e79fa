/** The interface in tmux under a shell with job control, as a second terminal implementation. */
import { describe, expect, test } from "bun:test";
import { binary } from "../support/binary.ts";
import { HANG_MS } from "../support/hang.ts";
import { indexIn } from "../support/index-in.ts";
import { shared } from "../support/shared.ts";
import { SHOP_TASK, shopRepo } from "../support/shop.ts";
import { hasTmux, openPane, type Pane, PROMPT } from "../support/terminal-tmux.ts";
import { at, bytesOf } from "../support/terminal-user.ts";

const repo = shared(shopRepo());
const program = await binary();
await indexIn(repo);

const isAtPrompt = (text: string): boolean => text.endsWith(PROMPT.trim());

/** Whether it is the shell's screen again, with a cursor to see. */
const isOrdinary = (pane: Pane): readonly string[] => [
  pane.ask("alternate_on"),
  pane.ask("cursor_flag"),
  pane.ask("mouse_any_flag"),
];

describe.skipIf(!hasTmux)("in tmux", () => {
  test(
    "it suspends, resumes, resizes and quits, and the shell's screen is restored",
    async () => {
      await using pane = await openPane({ cwd: repo.path, env: { CRA_TOKENIZER: "approximate" } });
      pane.type(`${program} tui ${JSON.stringify(SHOP_TASK)}\r`);
      await pane.until(at("review"));
      expect(isOrdinary(pane)[0]).toBe("1");
      pane.type(bytesOf("review", "mark.reject"));
      await pane.until("[-]");
      pane.type(bytesOf("review", "app.suspend"));
      await pane.until("Stopped");
      await pane.until(isAtPrompt);
      expect(isOrdinary(pane)).toEqual(["0", "1", "0"]);
      pane.type("echo between\r");
      await pane.until(/^between$/m);
      // A suspended process hears of no new size.
      pane.resize(70, 24);
      pane.type("fg\r");
      await pane.until("[-]");
      await pane.until(/^╭─.*╮$/m);
      pane.resize(100, 30);
      await pane.until(at("review"));
      pane.type(bytesOf("review", "copy.path"));
      await pane.until(() => pane.clipboard() !== "");
      expect(pane.clipboard()).toMatch(/^\S+\.(py|md)$/);
      pane.type(bytesOf("review", "app.quit"));
      await pane.until(isAtPrompt);
      expect(isOrdinary(pane)).toEqual(["0", "1", "0"]);
      pane.type("echo $?\r");
      expect(await pane.until(/^0$/m)).toContain("between");
    },
    HANG_MS,
  );
});
