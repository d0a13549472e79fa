/** Texts that control terminals or deceive readers, for names and contents of repositories. */

export const HOSTILE = [
  "\x1b[2J\x1b[H",
  "\x1b[31mred",
  "\x1b]0;title\x07",
  "\x1b]52;c;ZXZpbA==\x07",
  "\x1b]8;;https:evil\x1b\\link\x1b]8;;\x1b\\",
  "\x1bP$q\x1b\\",
  "\x1bc",
  "\x1b[?1049h",
  "\u009b2J\u009d0;c1\u009c",
  "over\rwritten",
  "back\b\b\b\b",
  "bell\x07",
  "\u202etxt.exe\u202c",
  "\u2066isolated\u2069",
  "zero\u200b\u200d\u2060\ufeffwidth",
  "tags\u{e0041}\u{e0042}",
  "lines\u2028and\u2029paragraphs",
  `tower${"\u0301".repeat(40)}`,
] as const;
