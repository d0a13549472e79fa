/** Texts that are cut: keywords, the marker, windows around what was looked for, and both caps at all times. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { capsFor, packTexts } from "../../src/escalation/caps.ts";
import { cuttable, excerpt, TRUNCATED } from "../../src/escalation/excerpt.ts";
import { readHandoffBundle } from "../../src/escalation/handoff-bundle.ts";
import { keywordCounter, keywordsOf } from "../../src/escalation/keywords.ts";
import { foldedBytes, textOf } from "../../src/escalation/partial-text.ts";
import { isAscii } from "../../src/text/terms/normalize.ts";

const bytes = (text: string): number => Buffer.byteLength(text);
const keywords = (bundle: unknown): readonly string[] => keywordsOf(readHandoffBundle(JSON.stringify(bundle), "it"));
/** Texts of one to four bytes a character, with lines and things to find. */
const TEXTS = fc
  .array(fc.constantFrom("a", "é", "漢", "😀", "\n", "keyword", "x".repeat(90), "line of text\n"), { maxLength: 400 })
  .map((parts) => parts.join(""));

describe("keywords", () => {
  test("the example", () =>
    expect(
      new Set(
        keywords({
          error_message: "Database connection failed unexpectedly",
          root_cause: "Connection timeout occurred",
        }),
      ),
    ).toEqual(new Set(["database", "connection", "failed", "unexpectedly", "timeout", "occurred"])));
  test("longer than four characters, in lower case, without surrounding punctuation", () =>
    expect(
      keywords({ error_message: 'No "config.yaml", see (LIBRARY): éàèùô it\'s __init__.py, 漢字漢字漢 over.' }),
    ).toEqual(["config.yaml", "library", "éàèùô", "__init__.py", "漢字漢字漢"]));
  test("of a trace's error if there is neither a message nor a cause", () => {
    const stack_trace = 'Traceback (most recent call last):\n  File "app.py", line 1, in f\nValueError: broken pipes\n';
    expect(keywords({ stack_trace })).toEqual(["valueerror", "broken", "pipes"]);
    expect(keywords({ stack_trace, root_cause: "Unknown" })).toEqual(["unknown"]);
  });
  test("only of the message and the cause, up to a limit", () => {
    expect(keywords({ stack_trace: "Traceback somewhere", recent_changes: ["changed.py"] })).toEqual([]);
    const many = Array.from({ length: 1_000 }, (_, n) => `word${n}`).join(" ");
    expect(keywords({ error_message: many })).toHaveLength(64);
    expect(keywords({ error_message: `${"x".repeat(5_000)} other` })).toEqual(["other"]);
  });
  const relevanceIn = (given: string | Buffer, wanted: readonly string[]): number | null => {
    const text = typeof given === "string" ? Buffer.from(given) : given;
    const read = { kind: "bytes", head: text, tail: null, isWhole: true } as const;
    const folded = foldedBytes(read, wanted.every(isAscii));
    return folded === null ? null : keywordCounter(wanted)(folded);
  };
  test("relevance counts every occurrence, also inside words", () => {
    expect(relevanceIn("Error: an errors' ERROR", ["error"])).toBe(3);
    expect(relevanceIn("aaaaaa", ["aaaaa", "b12345"])).toBe(1);
    expect(relevanceIn("config.yaml and config.yml", ["config.yaml", "config"])).toBe(3);
    expect(relevanceIn("É: ÉTÉDE", ["étéde"])).toBe(1);
    expect(relevanceIn("\u212aABCD", ["kabcd"])).toBe(1);
    expect(relevanceIn("abcdeİ", ["bcdei"])).toBe(1);
    expect(relevanceIn(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("error é", "utf16le")]), ["error"])).toBe(
      1,
    );
    expect(relevanceIn("\0error", ["error"])).toBeNull();
    expect(relevanceIn("\0é", ["error"])).toBeNull();
  });
  test("law: it is their number in the lower-case text", () => {
    const parts = fc.array(
      fc.constantFrom(
        "abcde",
        "ABC",
        "de",
        "é",
        "É",
        "漢字",
        "Ab",
        "İ",
        "\u212a",
        "K",
        "\ufeff",
        "i",
        "@",
        "`",
        "[",
        "{",
        "\n",
      ),
    );
    const texts = parts.map((some) => some.join(""));
    const wanted = fc.uniqueArray(
      fc.constantFrom(
        "abcde",
        "ababa",
        "bcdea",
        "kabcd",
        "iabcd",
        "éabcde",
        "漢字漢字漢",
        "[[[[[",
        "{{{{{",
        "@@@@@",
        "`````",
      ),
    );
    fc.assert(
      fc.property(texts, wanted, (text, keywords) => {
        const lower = text.replace(/^\ufeff/, "").toLowerCase();
        const count = keywords.reduce((sum, keyword) => sum + lower.split(keyword).length - 1, 0);
        expect(relevanceIn(text, keywords)).toBe(count);
      }),
      { numRuns: 500 },
    );
  });
});

describe("text that does not fit", () => {
  test("ends with the marker, and shows its beginning if there are no keywords", () => {
    const cut = excerpt("x".repeat(20_000), [], 10 * 1024) ?? "";
    expect(cut).toBe(`${"x".repeat(10 * 1024 - 25)}\n[... truncated ...]\n`);
    expect(excerpt("short", [], 5)).toBe("short");
  });
  test("is left out if at most 100 bytes remain", () => {
    expect(excerpt("x".repeat(101), [], 100)).toBeNull();
    expect(excerpt("x".repeat(102), [], 101)).toBe("x".repeat(76) + TRUNCATED);
  });
  test("gives the lines around its hits, rare ones first, and marks missing lines", () => {
    const lines = Array.from({ length: 2_000 }, (_, n) => `line ${n}`);
    lines[10] = "common";
    lines[900] = "common and a rare thing";
    lines[1_500] = "common";
    const text = lines.join("\n");
    expect(excerpt(text, ["rare thing", "common"], 160)).toBe(
      `[... truncated ...]\n${lines.slice(895, 906).join("\n")}\n${TRUNCATED}`,
    );
    const all = excerpt(text, ["rare thing", "common"], 1_000) ?? "";
    expect(all.split("[... truncated ...]")).toHaveLength(5);
    for (const at of [10, 900, 1_500]) expect(all).toContain(`\n${lines[at]}\n`);
    expect(all.startsWith("[... truncated ...]\nline 5\n")).toBe(true);
  });
  test("one rare keyword beats many occurrences of a frequent one", () => {
    const text = `${"common common common\n".repeat(500)}${"nothing\n".repeat(50)}rare\n${"nothing\n".repeat(50)}`;
    expect(excerpt(text, ["common", "rare"], 200)).toContain("\nrare\n");
  });
  const frames = Array.from(
    { length: 30 },
    (_, n) => `  File "/srv/app/step_${n}.py", line ${n}, in run_${n}\n    go()`,
  );
  const trace = ["Traceback (most recent call last):", ...frames, "ValueError: cart 7 is empty"].join("\n");
  const noise = "2024-01-15 request served in 3 ms\n".repeat(2_000);
  test("a trace with a hit is whole, before other hits, and beyond its share", () => {
    const text = `${noise}other cart\n${noise}${trace}\n${noise}other cart\n${noise}`;
    const found = excerpt(text, ["cart", "valueerror"], 10 * 1024, 1024) ?? "";
    expect(found).toContain(trace);
    expect(excerpt(text, ["cart", "valueerror"], 10 * 1024)?.split("other cart")).toHaveLength(3);
    // Hits in all lines around it do not dilute it.
    expect(excerpt(`${"a cart\n".repeat(900)}${trace}\n${"a cart\n".repeat(900)}`, ["cart"], 4 * 1024)).toContain(
      trace,
    );
    // The end of a trace that cannot be whole.
    const end = excerpt(text, ["cart", "valueerror"], 2 * 1024) ?? "";
    expect(end).toContain(trace.slice(-1_500));
    // Of two traces only one may exceed the share.
    expect(bytes(excerpt(`${trace}\n${noise}${trace}`, ["valueerror"], 10 * 1024, 1024) ?? "")).toBeLessThan(3 * 1024);
  });
  test("a trace without a hit is no reason to show it", () => {
    const found = excerpt(`${trace}\n${noise}needle\n${noise}`, ["needle"], 10 * 1024) ?? "";
    expect([found.includes("needle"), found.includes("step_")]).toEqual([true, false]);
  });
  const KINDS = {
    noise: (n: number) => `${n} served`,
    hit: (n: number) => `${n} needle`,
    frame: (n: number) => `  File "/srv/app/step_${n}.py", line ${n}, in run`,
    error: (n: number) => `ValueError: cart ${n} has a needle`,
  };
  type Kind = keyof typeof KINDS;
  const quietFor = (lines: number): readonly Kind[] => Array.from({ length: lines }, () => "noise");
  const GROUP = fc.constantFrom<readonly Kind[]>(
    ...[quietFor(20), quietFor(7), quietFor(1)],
    ...([["hit"], ["frame", "frame", "error"], ["frame", "error"]] as const),
  );
  const LOGS = fc
    .array(GROUP, { minLength: 1, maxLength: 20 })
    .map((groups) => groups.flat().map((kind, n) => KINDS[kind](n)));
  test("law: every line is shown at most once, in order, with a marker exactly where lines are missing", () =>
    fc.assert(
      fc.property(LOGS, fc.integer({ min: 250, max: 800 }), fc.integer({ min: 1, max: 4 }), (lines, room, part) => {
        const found = cuttable(lines.join("\n"), ["needle"]).cut(room, room / part, room) ?? "";
        fc.pre(lines.some((line) => line.includes("needle")));
        expect(bytes(found)).toBeLessThanOrEqual(room);
        const shown = found.split("\n").filter((line) => line !== "");
        let next = 0;
        for (const [at, line] of shown.entries()) {
          if (line === TRUNCATED.trim()) continue;
          const place = lines.indexOf(line, next);
          expect([line, place >= next, shown[at - 1] === TRUNCATED.trim()]).toEqual([line, true, place > next]);
          next = place + 1;
        }
        expect(shown.at(-1) === TRUNCATED.trim()).toBe(next < lines.length);
      }),
    ));
  const quiet = Array.from({ length: 300 }, (_, n) => `${n} served`);
  const withLines = (...given: readonly (readonly [number, string])[]) =>
    quiet.with(-1, "the end").map((line, at) => new Map(given).get(at) ?? line);
  test("lines around hits that overlap are shown together", () => {
    const lines = withLines([100, "needle"], [108, "needle"]);
    expect(excerpt(lines.join("\n"), ["needle"], 1_000)).toBe(
      `[... truncated ...]\n${lines.slice(95, 114).join("\n")}\n${TRUNCATED}`,
    );
  });
  test("a trace may end the text, and takes frames and an error", () => {
    const [first, second] = [KINDS.frame(1), KINDS.frame(2)];
    const error = "ValueError: the needle";
    const many = withLines([50, "needle needle"], [297, first], [298, second], [299, error]);
    expect(excerpt(many.join("\n"), ["needle"], 230)).toBe(`[... truncated ...]\n${many.slice(292).join("\n")}`);
    const one = withLines([50, "needle needle"], [298, first], [299, error]);
    expect(excerpt(one.join("\n"), ["needle"], 190)).toContain("\nneedle needle\n");
  });
  test("can be a single line", () => {
    const text = `a${"😀".repeat(100_000)}needle${"漢".repeat(100_000)}`;
    const found = excerpt(text, ["needle"], 5_000);
    expect([found?.includes("needle"), found?.isWellFormed(), found?.includes("\ufffd")]).toEqual([true, true, false]);
    expect(Buffer.from(found ?? "").toString()).not.toContain("\ufffd");
  });
  test("law: never larger than its limit, of complete characters, and taken from the text", () =>
    fc.assert(
      fc.property(
        TEXTS,
        fc.nat(3_000),
        fc.nat(3_000),
        fc.subarray(["keyword", "漢", "line"]),
        (text, room, share, signs) => {
          const found = excerpt(text, signs, room, share);
          if (found === null) return void expect(bytes(text) > room && room <= 100).toBe(true);
          expect(bytes(found)).toBeLessThanOrEqual(room);
          expect(found.isWellFormed()).toBe(true);
          if (found !== text) expect(found).toContain("[... truncated ...]\n");
          for (const part of found.split(/\n?\[\.\.\. truncated \.\.\.\]\n/)) expect(text).toContain(part);
          // A line takes 1,600 bytes at most.
          const isRoomy = room >= 2_000 && share >= 2_000;
          if (isRoomy && signs.includes("漢") && text.includes("漢"))
            expect(signs.some((sign) => found.includes(sign))).toBe(true);
        },
      ),
    ));
});

test("law: a partly read file is text of complete characters, with a marker for the unread part", () =>
  fc.assert(
    fc.property(TEXTS, fc.nat(), fc.nat(), (text, cutAt, from) => {
      const all = new TextEncoder().encode(text);
      const head = all.subarray(0, cutAt % (all.length + 1));
      const tail = all.subarray(Math.max(head.length, from % (all.length + 1)));
      const read = textOf({ kind: "bytes", head, tail, isWhole: false });
      const [first = "", last = ""] = read?.split("\n[... truncated ...]\n") ?? [];
      expect([text.startsWith(first), text.endsWith(last)]).toEqual([true, true]);
      expect(head.length - Buffer.byteLength(first)).toBeLessThan(4);
      expect(tail.length - Buffer.byteLength(last)).toBeLessThan(4);
      expect(textOf({ kind: "bytes", head: all, tail: null, isWhole: true })).toBe(text);
    }),
  ));

describe("caps", () => {
  const KB = 1024;
  test("by category, and with adaptive caps by priority", () => {
    const fixed = {
      runArtifacts: { entries: 5, bytes: 10 * KB },
      sourceOfTruthFiles: { entries: 3, bytes: 15 * KB },
      memoryEntries: { entries: 5, bytes: 5 * KB },
    };
    for (const priority of ["high", "medium", "low"] as const)
      expect(capsFor(priority, { adaptive: false })).toEqual(fixed);
    const [large, small] = [
      { entries: 7, bytes: 15 * KB },
      { entries: 3, bytes: 5 * KB },
    ];
    expect(capsFor("high", { adaptive: true })).toEqual({ ...fixed, runArtifacts: large, sourceOfTruthFiles: large });
    expect(capsFor("medium", { adaptive: true })).toEqual(fixed);
    expect(capsFor("low", { adaptive: true })).toEqual({ ...fixed, runArtifacts: small, sourceOfTruthFiles: small });
  });
  test("law: neither is ever exceeded, in the order of the candidates, and sizes are bytes", () =>
    fc.assert(
      fc.property(
        fc.array(fc.option(TEXTS), { maxLength: 12 }),
        fc.record({ entries: fc.nat(7), bytes: fc.nat(4_000) }),
        fc.nat(12),
        (texts, caps, sharing) => {
          const candidates = [...texts.keys()];
          const textOf = (at: number) => texts[at] ?? null;
          const filled = packTexts(candidates, { caps, terms: ["keyword"], sharing, textOf });
          expect(filled.length).toBeLessThanOrEqual(caps.entries);
          expect(filled.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(caps.bytes);
          expect(filled.every(({ content, size }) => bytes(content) === size)).toBe(true);
          const order = filled.map(({ candidate }) => candidate);
          expect(order).toEqual(order.toSorted((a, b) => a - b));
        },
      ),
    ));
  test("stops at the first cap that is reached", () => {
    const filling = (caps: { entries: number; bytes: number }, ...texts: readonly string[]) =>
      packTexts(texts, { caps, terms: [], sharing: texts.length, textOf: (text) => text }).map(({ size }) => size);
    expect(filling({ entries: 2, bytes: 1_000 }, "a", "b", "c")).toEqual([1, 1]);
    // The last is cut, four bytes are left, and nothing more goes in.
    expect(filling({ entries: 5, bytes: 1_000 }, "a".repeat(700), "b".repeat(700), "c")).toEqual([700, 296]);
    // A hundred bytes are no use for a part of one.
    expect(filling({ entries: 5, bytes: 1_000 }, "a".repeat(900), "b".repeat(700), "c")).toEqual([900]);
    expect(filling({ entries: 5, bytes: 1_000 }, "", "a", "")).toEqual([1]);
  });
  test("a later trace is whole before excerpts of earlier texts", () => {
    const frames = Array.from(
      { length: 90 },
      (_, n) => `  File "/srv/app/step_${n}.py", line ${n}, in run_${n}\n    go()`,
    );
    const trace = ["Traceback (most recent call last):", ...frames, "ValueError: keyword"].join("\n");
    const noise = "nothing of interest\n".repeat(1_000);
    const texts = ["keyword\n".repeat(5_000), "keyword\n".repeat(900), `${noise}${trace}\n${noise}`];
    const caps = { entries: 5, bytes: 10 * KB };
    const filled = packTexts(texts, { caps, terms: ["keyword"], sharing: 3, textOf: (one) => one });
    expect(filled.map(({ candidate }) => texts.indexOf(candidate))).toEqual([0, 1, 2]);
    expect(filled[2]?.content).toContain(trace);
    expect(filled.reduce((sum, { size }) => sum + size, 0)).toBeWithin(8 * KB, caps.bytes + 1);
    // Where nothing is left for the earlier ones, the trace is still packed.
    const small = { entries: 5, bytes: 6 * KB };
    const only = packTexts(texts, { caps: small, terms: ["keyword"], sharing: 3, textOf: (one) => one });
    expect(only.at(-1)?.content).toContain(trace.slice(-4 * KB));
  });
  test("lines around the hits take what is left of the cap, in equal parts", () => {
    const log = (at: number): string =>
      Array.from({ length: 2_000 }, (_, line) => (line === 800 + at ? "keyword" : `line ${line}`)).join("\n");
    const texts = [0, 1, 2, 3].map(log);
    const caps = { entries: 5, bytes: 10 * KB };
    const filled = packTexts(["short", ...texts], { caps, terms: ["keyword"], sharing: 5, textOf: (one) => one });
    const [short, ...cut] = filled;
    expect(short?.content).toBe("short");
    for (const [at, { content, size }] of cut.entries()) {
      expect(size).toBeWithin(2.4 * KB, 2.6 * KB);
      const shown = content.split("\n").filter((line) => line !== "");
      const hit = shown.indexOf("keyword");
      // As much before the hit as behind it.
      expect(Math.abs(shown.length - 1 - 2 * hit)).toBeLessThan(9);
      expect(texts[at]).toContain(shown.slice(1, -1).join("\n"));
    }
    expect(cut).toHaveLength(4);
    expect(filled.reduce((sum, { size }) => sum + size, 0)).toBeWithin(9.9 * KB, caps.bytes + 1);
  });
  test("a text with many hits takes what texts with few have no use for", () => {
    const few = Array.from({ length: 1_000 }, (_, line) => (line === 500 ? "keyword" : `line ${line}`)).join("\n");
    const caps = { entries: 2, bytes: 4 * KB };
    const texts = [few, "a keyword\n".repeat(1_000)];
    const filled = packTexts(texts, { caps, terms: ["keyword"], sharing: 2, textOf: (one) => one });
    expect(filled.map(({ size }) => size > 3 * KB)).toEqual([false, true]);
  });
  test("a long text with hits leaves room for others", () => {
    const text = "keyword\n".repeat(5_000);
    const caps = { entries: 3, bytes: 15 * KB };
    const filled = packTexts([text, text, text], { caps, terms: ["keyword"], sharing: 3, textOf: (one) => one });
    expect(filled).toHaveLength(3);
    for (const { size } of filled) expect(size).toBeGreaterThan(4 * KB);
  });
});
