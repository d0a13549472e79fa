/** No key is shown by half: not where a text is cut to fit, nor where only its ends were read, nor to a model. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type EscalationDeps, type EvidenceFiles, escalate } from "../../src/escalation/escalate.ts";
import { failureInLog } from "../../src/escalation/failure-log.ts";
import { failedAttempt } from "../../src/escalation/failure-task.ts";
import { readHandoffBundle } from "../../src/escalation/handoff-bundle.ts";
import { shownText } from "../../src/escalation/partial-text.ts";
import { REDACTOR } from "../../src/secrets/redact.ts";
import type { ListedFile } from "../../src/source/walk/sandboxed-reader.ts";
import { PLANTED_KEYS, PLANTED_SECRETS, PRIVATE_KEYS } from "../support/planted-keys.ts";

const SEEN_CHARS = 12;
const PIECES = new Set(
  PLANTED_SECRETS.flatMap((secret) =>
    Array.from({ length: Math.max(1, secret.length - SEEN_CHARS + 1) }, (_, at) => secret.slice(at, at + SEEN_CHARS)),
  ),
);
/** A part of a key that can be seen in a text. */
function pieceIn(text: string): string | null {
  for (let at = 0; at + SEEN_CHARS <= text.length; at++) {
    const piece = text.slice(at, at + SEEN_CHARS);
    if (PIECES.has(piece)) return piece;
  }
  return null;
}

const LINES = [...PLANTED_KEYS.map(({ line }) => line), PRIVATE_KEYS.plain, PRIVATE_KEYS.escaped];
const KEY_LINES = fc.constantFrom(...LINES);
const PADDING = fc
  .array(fc.constantFrom("timeout\n", "a line of text\n", "漢字 é\n", "word ", "x".repeat(90), "ERROR: it failed\n"), {
    maxLength: 300,
  })
  .map((parts) => parts.join(""));
/** Where something ends: pieces of a long line near a hit, what a model is asked and sent, entries, both categories. */
const CUTS = [2_400, 2_000, 2_023, 5_000, 10_215, 15_335];
/** A key somewhere, or in one line where it is cut. */
const TEXTS = fc.oneof(
  fc.tuple(PADDING, KEY_LINES, PADDING).map((parts) => parts.join(" ")),
  fc
    .tuple(fc.constantFrom("timeout ", ""), fc.constantFrom(...CUTS), fc.nat(120), KEY_LINES)
    .map(
      ([hit, cut, inside, key]) =>
        `${hit}${"x ".repeat(cut).slice(0, cut - inside - hit.length)}${key}${" y".repeat(9_000)}`,
    ),
);

/** A folder with one file of each text. */
function folder(texts: readonly string[]): EvidenceFiles {
  const files = texts.map(
    (text, at): ListedFile => ({
      path: `${at}.log`,
      sizeBytes: Buffer.byteLength(text),
      modifiedMs: -at,
      id: `${at}`,
    }),
  );
  return {
    list: async () => ({ files, problems: [], isCut: false }),
    read: (file) => ({ kind: "bytes", head: Buffer.from(texts[Number(file.id)] ?? ""), tail: null, isWhole: true }),
  };
}

test("at most eleven characters of a planted key are shown, in any context and truncated anywhere", async () => {
  const texts = fc.array(TEXTS, { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(texts, texts, TEXTS, fc.boolean(), fc.boolean(), async (run, docs, entry, hits, adaptiveCaps) => {
      const sent: string[] = [];
      const deps: EscalationDeps = {
        run: folder(run),
        documents: folder(docs),
        whyHidden: () => null,
        documentBytesMax: 1024 * 1024,
        redactor: REDACTOR,
        nowMs: () => 0,
        async similarFailures(query) {
          sent.push(query);
          return [{ phase_id: "p", error_pattern: "e", resolution: entry, similarity_score: 1 }];
        },
        async rankByMeaning(query, ranked) {
          sent.push(query, ...ranked.map((one) => one.text));
          return ranked.map(() => 0);
        },
      };
      const error = { error_message: hits ? "timeout" : "", stack_trace: entry };
      const handoff = readHandoffBundle(JSON.stringify(error), "it");
      const request = { handoff, phase: "p", attempt: 1, force: true, check: false, adaptiveCaps };
      const bundle = await escalate(deps, request, new AbortController().signal);
      expect([bundle, ...sent].map((shown) => pieceIn(JSON.stringify(shown)))).toEqual(
        Array.from({ length: sent.length + 1 }, () => null),
      );
    }),
    { numRuns: 30 },
  );
});

describe("a file read at both ends", () => {
  const shown = (text: string, headEnd: number, tailStart: number): string => {
    const bytes = Buffer.from(text);
    const [head, tail] = [bytes.subarray(0, headEnd), bytes.subarray(tailStart)];
    return shownText({ kind: "bytes", head, tail, isWhole: false }, REDACTOR) ?? "";
  };
  test.each(LINES)("shows nothing of a key that the gap truncates: %#", (line) => {
    for (const [before, after] of [
      ["first\n", "\nlast"],
      ["one line with ", " in it"],
    ] as const) {
      const text = before + line + after;
      for (let cut = before.length; cut <= before.length + line.length; cut += 3) {
        expect(pieceIn(shown(text, cut, text.length))).toBeNull();
        expect(pieceIn(shown(text, 0, cut))).toBeNull();
      }
    }
  });
  test("keeps the lines that are not truncated, and most of a very long line", () => {
    expect(shown("first\nsecond\nthird\nfourth", 9, 16)).toBe("first\n\n[... truncated ...]\nfourth");
    const long = shown("漢😀".repeat(10_000), 35_000, 35_001);
    expect(long).toStartWith("漢😀".repeat(3_600));
    expect(long).toEndWith("漢😀".repeat(3_600));
    expect(long.isWellFormed()).toBe(true);
  });
});

test("a shortened error line ends before a key, not within it", () => {
  const typed = "ValueError: a word or two ".repeat(50);
  // Each of the two lengths that lines are cut to falls into the key at several places.
  for (const line of LINES.filter((one) => !one.includes("\n")))
    for (const chars of [400, 1_000])
      for (const inside of [10, 25, 26, 40, line.length - 2]) {
        const text = typed.slice(0, chars - inside) + line;
        const bundle = readHandoffBundle(JSON.stringify({ error_message: text, root_cause: text }), "it");
        const told = [failedAttempt(bundle)?.errors, failedAttempt(bundle)?.reason, failureInLog(text)?.error_message];
        expect(pieceIn(JSON.stringify(REDACTOR.value(told)))).toBeNull();
      }
});
