/**
 * The screen of a dumb terminal: text without control sequences, which it would show as characters. Linear mode needs none of them, for
 * Ink only marks its frames and erases a line that is empty.
 */
import type { Device } from "./device.ts";

const SEQUENCE = new RegExp(String.raw`${"\x1b"}\[[\x30-\x3f]*[\x40-\x7e]`, "g");

/** The same stream, but for what is written. */
export const plainScreen = (screen: Device["screen"]): Device["screen"] =>
  new Proxy(screen, {
    get(target, name) {
      if (name === "write")
        return (text: string, ...rest: readonly unknown[]): unknown =>
          Reflect.apply(target.write, target, [text.replace(SEQUENCE, ""), ...rest]);
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
