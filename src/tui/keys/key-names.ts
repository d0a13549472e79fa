/** Keys as shown to people: `↑`, `enter`, `ctrl+r`. */
import { type CommandName, type Context, keysOf } from "./bindings.ts";

const WORDS: Readonly<Record<string, string>> = {
  return: "enter",
  escape: "esc",
  pagedown: "pgdn",
  pageup: "pgup",
  backspace: "bksp",
  delete: "del",
};
const ARROWS: Readonly<Record<string, string>> = { up: "↑", down: "↓", left: "←", right: "→" };

/** The shown form of a key or chord of the table. */
export const keyName = (key: string, ascii: boolean): string =>
  key
    .split(" ")
    .map((press) => {
      const plus = press.length > 1 ? press.lastIndexOf("+", press.length - 2) + 1 : 0;
      const last = press.slice(plus);
      return press.slice(0, plus) + ((ascii ? undefined : ARROWS[last]) ?? WORDS[last] ?? last);
    })
    .join(" ");

/** The key to show for a command in a context; null when it has none there. */
export function shownKey(name: CommandName, context: Context, ascii: boolean): string | null {
  const key = keysOf(name, context)[0];
  return key === undefined ? null : keyName(key, ascii);
}
