/** Printing: terminals are protected, files keep their bytes, progress is erased. */

import { describe, expect, test } from "bun:test";
import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import stringWidth from "string-width";
import { failureJson, type OutputMode, outputOn, wantsColour } from "../../../src/cli/output/output.ts";
import { progressLine, progressOn } from "../../../src/cli/output/progress.ts";
import { openGuard } from "../../../src/cli/output/redacting-sink.ts";
import type { Sink } from "../../../src/cli/output/sink.ts";
import { bytesText, duration } from "../../../src/present/amounts.ts";
import { pairs, table } from "../../../src/present/layout.ts";
import { counted } from "../../../src/text/counted.ts";
import { anyCharacter } from "../../support/any-character.ts";

function sink(isTerminal: boolean, columns = 80): Sink & { readonly text: () => string } {
  let text = "";
  return {
    isTerminal,
    columns,
    write: async (more) => {
      text += more;
    },
    text: () => text,
  };
}
const LOOK: OutputMode = { json: false, quiet: false, verbose: false, colour: true, redraws: true };
const HOSTILE = "a\x1b]52;c;aGk=\x07b\x1b[2Jc\rd\u202Ee";

describe("data", () => {
  test("keeps its bytes in a pipe, and is made safe on a terminal", async () => {
    const [pipe, terminal] = [sink(false), sink(true)];
    await outputOn(pipe, sink(false), LOOK, openGuard()).data(HOSTILE);
    await outputOn(terminal, sink(false), LOOK, openGuard()).data(HOSTILE);
    expect(pipe.text()).toBe(`${HOSTILE}\n`);
    expect(terminal.text()).toBe("a\\x1b]52;c;aGk=\\x07b\\x1b[2Jc\\x0dd\\u{202e}e\n");
  });
  test("law: only text, tabs and line feeds reach a terminal", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: anyCharacter }), async (text) => {
        const [out, err] = [sink(true), sink(true)];
        const output = outputOn(out, err, { ...LOOK, colour: false, verbose: true }, openGuard());
        await Promise.all([
          output.data(text),
          output.marked(text),
          output.json(text),
          output.say(text),
          output.detail(text),
        ]);
        return !/[\p{Cc}\p{Cf}\p{Cs}]/u.test((out.text() + err.text()).replace(/[\n\t]/g, ""));
      }),
    );
  });
  test("a report has no line that a terminal would break inside a word, and keeps its lines in a pipe", () => {
    const [pipe, terminal] = [sink(false, 32), sink(true, 32)];
    const text = "why  matters for all of them, and more\n";
    expect(outputOn(pipe, sink(false), LOOK, openGuard()).fitted(text)).toBe(text);
    expect(outputOn(terminal, sink(false), LOOK, openGuard()).fitted(text)).toBe(
      "why  matters for all of them,\n     and more\n",
    );
  });
  test("emphasis is bold on a terminal and nothing elsewhere", async () => {
    const text = "x \u0001hit\u0002 \x1b[31m";
    const [terminal, plain, pipe] = [sink(true), sink(true), sink(false)];
    await outputOn(terminal, sink(false), LOOK, openGuard()).marked(text);
    await outputOn(plain, sink(false), { ...LOOK, colour: false }, openGuard()).marked(text);
    await outputOn(pipe, sink(false), LOOK, openGuard()).marked(text);
    expect(terminal.text()).toBe("x \x1b[1mhit\x1b[22m \\x1b[31m\n");
    expect([plain.text(), pipe.text()]).toEqual(["x hit \\x1b[31m\n", "x hit \\x1b[31m\n"]);
  });
  test("quiet silences notices, not data; details need verbose", async () => {
    const [out, err] = [sink(false), sink(false)];
    const output = outputOn(out, err, { ...LOOK, quiet: true }, openGuard());
    await Promise.all([
      output.data("d"),
      output.say("s"),
      output.detail("v"),
      output.notice({ code: "enrichment-missing" }),
    ]);
    expect([out.text(), err.text()]).toEqual(["d\n", ""]);
  });
  test("an error as JSON is one line", () => {
    const error = '"code":"not-indexed","message":"/a\\\\x0ab is not indexed; run: cra index"}';
    expect(failureJson({ code: "not-indexed", repo: "/a\nb" }, "object")).toBe(
      `{"schema_version":1,"error":{${error}}\n`,
    );
    expect(failureJson({ code: "not-indexed", repo: "/a\nb" }, "event")).toBe(`{"event":"error",${error}\n`);
  });
  test("a budget that is too small is reported with its numbers and its origin", () => {
    const failure = {
      code: "budget-below-floor",
      budget: 5,
      floor: 77,
      unit: "tokens",
      where: "/r/.cra.toml",
    } as const;
    expect(JSON.parse(failureJson(failure, "object"))).toEqual({
      schema_version: 1,
      error: {
        code: "budget-below-floor",
        message:
          "/r/.cra.toml: a budget of 5 tokens is too small for this task; the smallest that works is 77 (--budget 77)",
        budget: 5,
        floor: 77,
        unit: "tokens",
      },
    });
  });
});

test("colour: NO_COLOR, --no-color and dumb terminals", () => {
  expect([wantsColour({}, false), wantsColour({ NO_COLOR: "" }, false)]).toEqual([true, true]);
  expect([wantsColour({ NO_COLOR: "1" }, false), wantsColour({}, true), wantsColour({ TERM: "dumb" }, false)]).toEqual([
    false,
    false,
    false,
  ]);
});

describe("progress", () => {
  test("is drawn at most ten times a second, at once when the phase changes, and erased at the end", async () => {
    const err = sink(true);
    let now = 0;
    const progress = progressOn(err, () => now, { shown: true });
    for (; now < 1_000; now += 10) progress.update({ phase: "parse", done: now, total: 1_000 });
    progress.update({ phase: "write", done: 0, total: null });
    const drawn = err.text().split("\r\x1b[K").filter(Boolean);
    expect(drawn.length).toBe(11);
    expect(drawn.at(-1)).toBe("write");
    await progress.clear();
    expect(err.text()).toEndWith("\r\x1b[K");
  });
  test("is never drawn on a pipe", async () => {
    const err = sink(false);
    const progress = outputOn(sink(false), err, LOOK, openGuard()).progress(() => 0);
    progress.update({ phase: "parse", done: 1, total: 2 });
    await progress.clear();
    expect(err.text()).toBe("");
  });
  test.each([
    [{ phase: "walk", done: 0, total: null }, 0, "walk"],
    [{ phase: "walk", done: 12, total: null }, 500, "walk  12"],
    [{ phase: "parse", done: 50, total: 200 }, 1_999, "parse  50/200"],
    [{ phase: "parse", done: 50, total: 200 }, 5_000, "parse  50/200  10/s  15s left"],
    [{ phase: "parse", done: 200, total: 200 }, 5_000, "parse  200/200  40/s"],
    [{ phase: "parse", done: 3e6, total: 12e6, unit: "bytes" as const }, 1_000, "parse  2.9 of 11.4 MiB"],
    [
      { phase: "parse", done: 3e6, total: 12e6, unit: "bytes" as const },
      3_000,
      "parse  2.9 of 11.4 MiB  976.6 KiB/s  9s left",
    ],
    [{ phase: "enrich", done: 3, total: 9 }, 90_000, "enrich  3/9  2.0/min  3m 00s left"],
    [{ phase: "parse", done: 900, total: 12e6, unit: "bytes" as const }, 0, "parse  900 B of 11.4 MiB"],
  ])("%p", (step, elapsed, line) => expect(progressLine(step, elapsed, 80)).toBe(line));
  test("law: a line fits the width for any name of a phase", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }),
        fc.nat(),
        fc.nat(),
        fc.integer({ min: 0, max: 60 }),
        (phase, done, elapsed, columns) => {
          const line = progressLine({ phase, done, total: done * 2 }, elapsed, columns);
          return stringWidth(line) <= columns && line === stripVTControlCharacters(line);
        },
      ),
    );
  });
  test("durations", () => expect([0.4, 59.4, 65, 4_210].map(duration)).toEqual(["0s", "59s", "1m 05s", "1h 10m"]));
});

test("tables line up, also with wide characters, and escape control sequences", () => {
  expect(
    table(
      ["path", "n"],
      [
        ["日本", 5],
        ["a\x1b[2Jb", 12],
      ],
    ),
  ).toBe("path        n\n日本        5\na\\x1b[2Jb  12\n");
  expect(table(["a"], [])).toBe("");
  expect(
    pairs([
      ["files", 3],
      ["a longer name", "x"],
    ]),
  ).toBe("files          3\na longer name  x\n");
  expect([bytesText(812), bytesText(3_565_158), counted(1, "file"), counted(2, "entry", "entries")]).toEqual([
    "812 B",
    "3.4 MiB",
    "1 file",
    "2 entries",
  ]);
});
