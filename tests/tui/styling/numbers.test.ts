/** Numbers as a screen shows them. */
import { expect, test } from "bun:test";
import {
  bar,
  clockTime,
  elapsed,
  gauge,
  grouped,
  percent,
  progressText,
  shortened,
} from "../../../src/tui/styling/numbers.ts";
import { signsFor } from "../../../src/tui/styling/theme.ts";

const check = (shown: string, expected: string): void => test(`${expected}`, () => expect(shown).toBe(expected));

check(grouped(24_310), "24,310");
check(grouped(999), "999");
check(grouped(1_000_000), "1,000,000");
check(shortened(9_999), "9,999");
check(shortened(12_449), "12.4k");
check(shortened(123_456), "123k");
check(shortened(1_234_567), "1.2M");
check(shortened(45_600_000), "46M");
check(
  progressText({ phase: "history", done: 1_200, total: 4_800, since: 1_000, from: 200 }, 3_000, ", "),
  "reading history 1,200/4,800 commits (25%), 500/s, 7.2s left",
);
check(
  progressText({ phase: "parse", done: 3 * 1024, total: 12 * 1024, unit: "bytes", since: 1_000, from: 0 }, 4_000, ", "),
  "parsing 3.0 of 12.0 KiB (25%), 1.0 KiB/s, 9.0s left",
);
check(
  progressText({ phase: "walk", done: 1_200, total: null, since: 1_000, from: 200 }, 1_100, ", "),
  "finding files 1,200",
);
check(
  progressText({ phase: "wait", done: 0, total: null, since: 1_000, from: 0 }, 9_000, ", "),
  "waiting for another cra",
);
check(progressText({ phase: "write", done: 0, total: 0, since: 1_000, from: 0 }, 2_000, ", "), "writing");
check(elapsed(840), "0.8s");
check(elapsed(59_400), "59s");
check(elapsed(125_000), "2m05s");
check(percent(24_310, 28_672), "85%");
check(percent(7_999, 8_000), "99%");
check(percent(8_000, 8_000), "100%");
check(percent(1, 0), "0%");

const UNICODE = signsFor(false);
const ASCII = signsFor(true);
check(bar(0.5, 5, UNICODE), "██▌  ");
check(bar(1, 3, UNICODE), "███");
check(bar(0.001, 3, UNICODE), "▏  ");
check(bar(0, 3, ASCII), "   ");
check(bar(0.5, 4, ASCII), "##  ");
check(gauge(0.99, 4, UNICODE), "███░");
check(gauge(1.2, 4, ASCII), "####");

test("numbers take at most five columns", () => {
  for (let count = 1; count < 1e9; count = count * 1.3 + 1)
    expect(shortened(Math.round(count)).length).toBeLessThanOrEqual(5);
});

test("a time is that of the user's clock", () => {
  const before = process.env.TZ ?? "UTC";
  try {
    process.env.TZ = "Asia/Tokyo";
    expect(clockTime("2026-11-29T18:45:16.215Z")).toBe("2026-11-30 03:45");
    process.env.TZ = "America/New_York";
    expect(clockTime("2026-07-01T03:05:00.000Z")).toBe("2026-06-30 23:05");
    expect(clockTime("no time")).toBe("no time");
  } finally {
    process.env.TZ = before;
  }
});
