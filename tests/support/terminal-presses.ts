/**
 * Translates key names of the key table (`j`, `G`, `space`, `ctrl+p`, `alt+enter`) to the bytes a terminal sends. Names
 * separated by a blank form a chord.
 */

const NAMED: Readonly<Record<string, string>> = {
  up: "\x1b[A",
  down: "\x1b[B",
  right: "\x1b[C",
  left: "\x1b[D",
  home: "\x1b[H",
  end: "\x1b[F",
  pageup: "\x1b[5~",
  pagedown: "\x1b[6~",
  insert: "\x1b[2~",
  delete: "\x1b[3~",
  return: "\r",
  enter: "\r",
  tab: "\t",
  "shift+tab": "\x1b[Z",
  "shift+return": "\x1b[13;2u",
  escape: "\x1b",
  esc: "\x1b",
  backspace: "\x7f",
  space: " ",
};

/** The modifier parameter in the sequence of a named key: 1 plus the sum of the held modifiers. */
const HELD: Readonly<Record<string, number>> = { shift: 1, alt: 2, meta: 2, ctrl: 4 };

/** The bytes of a key or chord. Throws for an unknown key. */
export function pressOf(name: string): string {
  return name === " " ? " " : name.split(" ").map(bytesOf).join("");
}

function bytesOf(name: string): string {
  const plain = NAMED[name];
  if (plain !== undefined) return plain;
  if ([...name].length === 1) return name;
  const [, held = "", key = ""] = /^((?:(?:shift|alt|meta|ctrl)\+)+)(.+)$/.exec(name) ?? [];
  const holds = held.split("+").filter((hold) => hold !== "");
  if (holds.length === 0) throw new Error(`no such key: ${name}`);
  const [alt, ctrl] = [holds.includes("alt") || holds.includes("meta"), holds.includes("ctrl")];
  const cursor = /^\x1b\[([ABCDHF])$/.exec(NAMED[key] ?? "");
  const sum = 1 + holds.reduce((total, hold) => total + (HELD[hold] ?? 0), 0);
  if (cursor !== null) return `\x1b[1;${sum}${cursor[1]}`;
  const tilde = /^\x1b\[(\d)~$/.exec(NAMED[key] ?? "");
  if (tilde !== null) return `\x1b[${tilde[1]};${sum}~`;
  const bytes = ctrl ? control(key) : bytesOf(holds.includes("shift") ? key.toUpperCase() : key);
  return alt ? `\x1b${bytes}` : bytes;
}

function control(key: string): string {
  if (key === "space") return "\0";
  if (/^[a-z[\\\]^_]$/.test(key)) return String.fromCharCode(key.toUpperCase().charCodeAt(0) - 64);
  throw new Error(`no terminal sends ctrl+${key}`);
}
