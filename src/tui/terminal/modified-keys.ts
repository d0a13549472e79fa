/**
 * Rewrites keys that xterm's option modifyOtherKeys sends, `ESC [ 27 ; modifiers ; code ~`, in the form of the kitty protocol, which Ink
 * reads. A user, tmux or a program that ended without cleaning up may have turned the option on. Ctrl-C is such a key then.
 */

const KEY = new RegExp(String.raw`${"\x1b"}\[27;(\d{1,3});(\d{1,7})~`, "g");

/** Sequences must be whole. */
export const readableKeys = (text: string): string => text.replace(KEY, "\x1b[$2;$1u");
