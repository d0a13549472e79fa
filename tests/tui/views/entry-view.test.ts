/** The first screen. */
import { expect, test } from "bun:test";
import { screenLines } from "../../../src/tui/views/screen.ts";
import { BASE } from "./sample-screens.ts";

test("sessions were used at a time of the user's clock", () => {
  const before = process.env.TZ ?? "UTC";
  try {
    process.env.TZ = "Asia/Tokyo";
    const text = screenLines(BASE)
      .flatMap((line) => [...line.map((piece) => piece.text), "\n"])
      .join("");
    // In the sample, 10:12 in Greenwich.
    expect(text).toContain("2026-03-01 19:12");
  } finally {
    process.env.TZ = before;
  }
});
