/** Laws of drawing: a screen is as large as its terminal, and what is hostile changes nothing but its own text. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { renderToString } from "ink";
import { createElement } from "react";
import stringWidth from "string-width";
import { LANGUAGE_NAMES } from "../../../src/languages/languages.ts";
import { display } from "../../../src/text/display.ts";
import type { State } from "../../../src/tui/state/state.ts";
import { fieldOf } from "../../../src/tui/state/text-field.ts";
import { highlightLine } from "../../../src/tui/styling/highlight.ts";
import {
  columnsOf,
  cut,
  cutPath,
  cutToldPath,
  fitted,
  lineColumns,
  span,
  wrapped,
} from "../../../src/tui/styling/styled-text.ts";
import { signsFor } from "../../../src/tui/styling/theme.ts";
import { Frame } from "../../../src/tui/views/frame.tsx";
import { linearLines } from "../../../src/tui/views/linear-view.ts";
import { previewLines } from "../../../src/tui/views/preview-view.ts";
import { screenLines } from "../../../src/tui/views/screen.ts";
import { anyCharacter } from "../../support/any-character.ts";
import { SAMPLES } from "./sample-states.ts";

const ESC = "\u001b";

/** What repositories and models can hold: escapes, controls, bidi, joined and wide characters, towers of marks. */
const HOSTILE = [
  `${ESC}]52;c;cm0gLXJm\u0007`,
  `${ESC}]8;;https://example.com\u0007link${ESC}]8;;\u0007`,
  `${ESC}[2J${ESC}[1;1H`,
  "\u009b31m",
  "\u202egnp.exe",
  "\u2066\u2069\u200b\u200d\ufeff",
  "a\rb\bc\n\t\u0000\u007f",
  `x${"\u0301".repeat(3_000)}`,
  "日本語のファイル名",
  "👩‍👩‍👧‍👦🇩🇪❤️1️⃣",
  "한글각가",
  "\u0600\u0d4e\u0903\u0a03",
  "ﾊﾞｶﾞ",
  "\u0301\u0903é",
  "\ud800",
  "\udc00\u{e0041}\u{e007f}",
  "نص عربي",
];

const text = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...HOSTILE) },
  fc.string({ unit: anyCharacter, maxLength: 60 }),
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc.array(fc.constantFrom(...HOSTILE, "a", "/", " ", "."), { maxLength: 6 }).map((parts) => parts.join("")),
);

const size = fc.record({ columns: fc.integer({ min: 40, max: 130 }), rows: fc.integer({ min: 8, max: 45 }) });
const sample = fc.constantFrom(...Object.keys(SAMPLES));
const statesOf = (name: string): State => {
  const state = Object.entries(SAMPLES).find(([known]) => known === name)?.[1];
  if (state === undefined) throw new Error(`no sample ${name}`);
  return state;
};

const plain = (lines: ReturnType<typeof screenLines>): readonly string[] =>
  lines.map((line) => line.map((piece) => piece.text).join(""));

/** The state with hostile text wherever text of others is. */
function poisoned(state: State, bad: string): State {
  const poisonFile = <File extends { readonly path: string; readonly reason: string }>(file: File, at: number): File =>
    at % 2 === 0 ? { ...file, path: `${file.path}${bad}`, reason: bad } : file;
  const { review, run, entry } = state;
  return {
    ...state,
    project: { root: bad, model: bad, modelWords: [bad, bad] },
    task: bad,
    message: state.message === null ? null : { ...state.message, text: bad },
    index: { ...state.index, headline: bad },
    entry: {
      ...entry,
      task: fieldOf(bad),
      history: [bad, ...entry.history],
      sessions: entry.sessions?.map((session) => ({ ...session, task: bad, taskId: bad, lastUsed: bad })) ?? null,
    },
    run:
      run === null
        ? null
        : {
            ...run,
            files: run.files.map(poisonFile),
            notices: [{ code: bad, message: bad }],
            failure: run.failure === null ? null : bad,
            judgement: run.judgement === null ? null : { ...run.judgement, text: bad, model: bad },
          },
    review:
      review === null
        ? null
        : {
            ...review,
            files: review.files.map(poisonFile),
            notes: bad,
            filter: state.overlay?.is === "filter" ? fieldOf(bad) : review.filter,
            preview: {
              ...review.preview,
              loaded: {
                path: `${review.files[0]?.path ?? ""}${bad}`,
                language: "python",
                lines: bad.split("\n").map((line, at) => ({ kind: "code", number: at + 1, text: line })),
              },
            },
          },
    overlay:
      state.overlay?.is === "finder"
        ? {
            ...state.overlay,
            rows: state.overlay.rows.map((row) => ({ ...row, found: { path: bad, name: bad, kind: bad } })),
          }
        : state.overlay,
  };
}

/** Without looks and the blanks at the ends, which have none where nothing is drawn. */
const rows = (drawn: string): readonly string[] =>
  Bun.stripANSI(drawn)
    .split("\n")
    .map((row) => row.trimEnd());

describe("a screen", () => {
  test("has one line per terminal row, each of the full width, with any content", () => {
    fc.assert(
      fc.property(sample, size, text, fc.boolean(), fc.boolean(), (name, of, bad, ascii, colour) => {
        const look = { ascii, colour, screenReader: null };
        const lines = screenLines({ ...poisoned(statesOf(name), bad), size: of, look });
        expect(lines).toHaveLength(of.rows);
        for (const line of lines) expect(lineColumns(line)).toBe(of.columns);
      }),
      { numRuns: 120 },
    );
  });

  test("shows no control sequences, and in ASCII mode only ASCII of its own", () => {
    fc.assert(
      fc.property(sample, text, fc.boolean(), (name, bad, linear) => {
        const look = { ascii: true, colour: true, screenReader: linear ? "--screen-reader" : null };
        const state = { ...poisoned(statesOf(name), bad), look };
        const shown = plain(linear ? linearLines(state) : screenLines(state)).join("");
        expect(display(shown) === shown).toBe(true);
      }),
    );
    for (const state of Object.values(SAMPLES)) {
      const look = { ...state.look, ascii: true };
      expect(plain(screenLines({ ...state, look })).join("")).toMatch(/^[\x20-\x7e]*$/);
      expect(plain(linearLines({ ...state, look: { ...look, screenReader: "TERM" } })).join("")).toMatch(
        /^[\x20-\x7e]*$/,
      );
    }
  });

  test("the most important keys are in the footer at 80 columns", () => {
    const keysOf = (name: string): string => plain(screenLines(statesOf(name))).at(-1) ?? "";
    for (const label of ["mark", "preview", "refine", "save", "help", "quit"])
      expect(keysOf("review")).toContain(` ${label} `);
    for (const label of ["run", "sessions", "help", "quit"]) expect(keysOf("entry-typed")).toContain(` ${label} `);
  });

  test("up to 99 columns, the list and the preview alternate", () => {
    const shown = (name: string, columns: number): string =>
      plain(screenLines({ ...statesOf(name), size: { columns, rows: 24 } })).join("\n");
    expect(shown("review", 99)).not.toContain("class CartError");
    expect(shown("review", 99)).toContain("Why");
    expect(shown("review-preview", 99)).not.toContain("web/cart-view.tsx");
    for (const text of ["web/cart-view.tsx", "class CartError", "Why"]) expect(shown("review", 100)).toContain(text);
  });

  test("a hostile name changes only its own row", () => {
    for (const bad of HOSTILE) {
      const state = statesOf("review");
      const { review } = state;
      if (review === null) throw new Error("no review");
      const files = review.files.map((file, at) => (at === 5 ? { ...file, path: bad } : file));
      const before = plain(screenLines(state));
      const after = plain(screenLines({ ...state, review: { ...review, files } }));
      const changed = before.flatMap((line, row) => (line === after[row] ? [] : [row]));
      expect({ bad, changed }).toEqual({ bad, changed: [8] });
    }
  });

  test("a character keeps its combining marks where a style begins or ends inside it", () => {
    const state = statesOf("finder");
    for (const bad of ["ﾊﾞｶﾞ", "a\u0301e\u0301", "a\u0903e\u0903i\u0903", "\u0301abc", "👩‍👩‍👧‍👦"]) {
      const hostile = { ...poisoned(state, bad), look: { ascii: false, colour: true, screenReader: null } };
      const drawn = renderToString(createElement(Frame, { state: hostile }), { columns: state.size.columns });
      expect(rows(drawn)).toEqual(rows(plain(screenLines(hostile)).join("\n")));
    }
  });

  test("Ink draws exactly its lines", () => {
    fc.assert(
      fc.property(sample, text, fc.boolean(), (name, bad, colour) => {
        const look = { ascii: false, colour, screenReader: null };
        const state = { ...poisoned(statesOf(name), bad), look };
        const drawn = renderToString(createElement(Frame, { state }), { columns: state.size.columns });
        expect(drawn.includes(ESC)).toBe(colour);
        expect(rows(drawn)).toEqual(rows(plain(screenLines(state)).join("\n")));
      }),
      { numRuns: 30 },
    );
  });
});

describe("cells", () => {
  test("drawn signs take the columns counted for them", () => {
    for (const ascii of [true, false])
      for (const sign of Object.values(signsFor(ascii)).flat())
        expect([sign, columnsOf(sign)]).toEqual([sign, stringWidth(sign)]);
    for (const unit of [...Array(0x3000).keys()].map((code) => String.fromCharCode(code)))
      if (display(unit) === unit && columnsOf(unit) !== stringWidth(unit))
        throw new Error(`U+${unit.charCodeAt(0).toString(16)}`);
  });

  const columns = fc.integer({ min: 0, max: 40 });

  test("a fitted line has exactly the given width", () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 4 }), columns, (parts, wanted) => {
        const line = fitted(
          parts.map((part) => span("plain", part)),
          wanted,
          "…",
        );
        expect(lineColumns(line)).toBe(wanted);
      }),
      { numRuns: 250 },
    );
  });

  test("cut text fits, and is unchanged if it fits", () => {
    fc.assert(
      fc.property(text, columns, (raw, wanted) => {
        for (const shorter of [cut(raw, wanted, "…"), cutPath(raw, wanted, "…"), cutToldPath(raw, 1, wanted, "…")]) {
          expect(stringWidth(shorter)).toBeLessThanOrEqual(wanted);
          if (stringWidth(display(raw)) <= wanted && raw.length < wanted * 8) expect(shorter).toBe(display(raw));
        }
        for (const row of wrapped(raw, wanted + 4, 3, "…")) expect(stringWidth(row)).toBeLessThanOrEqual(wanted + 4);
      }),
      { numRuns: 250 },
    );
  });

  test("what is left out of wrapped text is marked behind the last word that is shown", () => {
    expect<readonly string[]>(wrapped("changed by consistent versions", 12, 1, "…")).toEqual(["changed by …"]);
    expect<readonly string[]>(wrapped("changed by consistent versions", 10, 1, "…")).toEqual(["changed b…"]);
  });

  const path = (raw: string, wanted: number, expected: string): void =>
    test(`${raw} in ${wanted} columns`, () => expect<string>(cutPath(raw, wanted, "…")).toBe(expected));
  path("src/text/display.ts", 19, "src/text/display.ts");
  path("src/text/display.ts", 18, "…/text/display.ts");
  path("src/text/display.ts", 16, "src/…/display.ts");
  path("team/dayjs/src/plugin/localeData/index.js", 22, "…/localeData/index.js");
  path("src/text/display.ts", 15, "…/display.ts");
  path("src/text/display.ts", 11, "…display.ts");
  path("src/text/display.ts", 8, "…play.ts");
  path("a/b/c/d/e/f/name.ts", 15, "a/…/e/f/name.ts");
  path("a-long-name-without-folders.ts", 12, "…-folders.ts");

  const told = (raw: string, part: number, wanted: number, expected: string): void =>
    test(`${raw} in ${wanted} columns, told by part ${part}`, () =>
      expect<string>(cutToldPath(raw, part, wanted, "…")).toBe(expected));
  told("src/text/display.ts", 1, 19, "src/text/display.ts");
  told("src/text/display.ts", 1, 18, "…/text/display.ts");
  told("src/text/display.ts", 1, 16, "text/display.ts");
  told("src/text/display.ts", 1, 14, "text/…splay.ts");
  told("src/text/display.ts", 0, 16, "src/…/display.ts");
  told("src/app/retrieval/retrieve.ts", 1, 20, "…/app/…/retrieve.ts");
  told("src/app/retrieval/retrieve.ts", 1, 17, "app/…/retrieve.ts");
  told("src/components-a/index.ts", 1, 17, "comp…s-a/index.ts");
  told("src/components-a/a-long-name-of-a-file.ts", 1, 17, "com…-a/…a-file.ts");
});

describe("colours", () => {
  test("do not change the text, in any language", () => {
    fc.assert(
      fc.property(fc.constantFrom(...LANGUAGE_NAMES), fc.array(text, { maxLength: 5 }), (language, lines) => {
        let inside: Parameters<typeof highlightLine>[2] = null;
        for (const line of lines) {
          const result = highlightLine(line, language, inside);
          expect(result.pieces.map((piece) => piece.text).join("")).toBe(line);
          inside = result.inside;
        }
      }),
      { numRuns: 500 },
    );
  });

  const lines = Array.from({ length: 3_000 }, (_, at) => ({
    kind: "code" as const,
    number: at + 1,
    text: at === 500 ? "/* begins" : at === 2_500 ? "/* again" : `let x = ${at}; // ${at}`,
  }));
  const LOOK = {
    columns: 40,
    rows: 3,
    signs: signsFor(true),
    left: 0,
    wrap: false,
    matcher: () => [],
    hit: null,
  };
  const rolesAt = (top: number, of: typeof lines): readonly string[] =>
    previewLines(of, { ...LOOK, language: "typescript", top }).flatMap((line) =>
      line.filter(({ text }) => text.trim() !== "").map(({ role }) => role),
    );

  test("a comment continues on later lines, up to the look-back limit", () => {
    expect(rolesAt(2_600, [...lines])).toEqual(["dim", "code.comment", "dim", "code.comment", "dim", "code.comment"]);
    expect(rolesAt(1_400, [...lines])).not.toContain("plain");
    // A jump to the middle does not know of the comment that is far above it.
    expect(rolesAt(2_400, [...lines])).toContain("plain");
  });

  const letters = { "code.keyword": "k", "code.string": "s", "code.comment": "c", "code.number": "n", plain: "." };
  /** The role of every character, a line each. */
  const check = (language: string, code: string, expected: string): void =>
    test(`${language}: ${code.split("\n", 1)[0]}`, () => {
      let inside: Parameters<typeof highlightLine>[2] = null;
      const rows = code.split("\n").map((line) => {
        const result = highlightLine(line, language, inside);
        inside = result.inside;
        return result.pieces
          .map(({ role, text: piece }) =>
            (role in letters ? letters[role as keyof typeof letters] : "?").repeat(piece.length),
          )
          .join("");
      });
      expect(rows.join("\n")).toBe(expected);
    });
  check("typescript", 'const a = "b" + 12; // c', "kkkkk.....sss...nn..cccc");
  check("typescript", "/* a\nb */ if\n`x ${\n1`", "cccc\ncccc.kk\nsssss\nss");
  check("python", 'def f(): # "\n  """a\n  b""" or 1.5', "kkk......ccc\n..ssss\nssssss.kk.nnn");
  check("rust", "fn f<'a>(c: char) { 'x' }", "kk..........kkkk....sss..");
  check("sql", "SELECT 'it' -- x", "kkkkkk.ssss.cccc");
  check("bash", "echo $# # x", "........ccc");
  check("markdown", "# if 12\nC# `x` if", "ccccccc\n...sss...");
});
