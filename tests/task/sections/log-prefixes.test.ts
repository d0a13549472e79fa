import { describe, expect, test } from "bun:test";
import { splitSections } from "../../../src/task/sections/sections.ts";

const shown = (text: string) =>
  splitSections(text).sections.map((section) => `${section.kind}: ${section.text.trim()}`);

const check = (name: string, text: string | readonly string[], expected: readonly string[]) =>
  test(name, () => {
    expect(shown(typeof text === "string" ? text : text.join("\n"))).toEqual([...expected]);
  });

describe("logs of continuous integration", () => {
  const at = "2024-03-11T08:15:30.1234567Z";
  const frame = '  File "/ci/shop/cart.py", line 3, in total';
  check(
    "errors and frames are what programs wrote, other lines noise",
    [
      "It fails",
      `${at} ##[group]Run pytest`,
      `${at} Traceback (most recent call last):`,
      `${at} ${frame}`,
      `${at} ValueError: no rate`,
      `build\tRun pytest\t${at} ##[error]src/cart.ts(4,9): error TS2322: no`,
      "2024-03-11T08:15:30.123456Z 01E TypeError: no price",
      "#12 3.201 src/coupon.ts(4,9): error TS2304: no",
      "##[error]src/tax.ts(4,9): error TS2304: no",
    ],
    [
      "title: It fails",
      `noise: ${at} Run pytest`,
      "trace: Traceback (most recent call last):",
      `trace: ${frame.trim()}`,
      "error: ValueError: no rate",
      "error: src/cart.ts(4,9): error TS2322: no",
      "error: TypeError: no price",
      "error: src/coupon.ts(4,9): error TS2304: no",
      "error: src/tax.ts(4,9): error TS2304: no",
    ],
  );
  check(
    "in a fence too",
    ["It fails", "```", `${at} setting up`, `${at} ValueError: no rate`, "```"],
    ["title: It fails", `noise: ${at} setting up`, "error: ValueError: no rate"],
  );
  test("their first line is no title", () => {
    const split = splitSections(`${at} ##[group]Run pytest\n${at} ValueError: no rate`);
    expect(split.title).toBe("ValueError: no rate");
    expect(split.sections.map(({ kind }) => kind)).toEqual(["noise", "error"]);
  });
  check(
    "syslog, services of Docker, and Kubernetes' own programs",
    [
      "It fails",
      "May 20 15:43:21 web-3 shop[2875]: thread 'main' panicked at src/cart.rs:8:9:",
      "May 20 15:43:21 web-3 shop[2875]:    at ./src/cart.rs:8:9",
      "May 20 15:43:22 web-3 shop[2875]: stopped",
      "web-1  | TypeError: no price",
      "I0611 14:43:22.295011       1 cart.go:42] Reconciling",
      "E0611 14:43:22.295011       1 runtime.go:69] Observed a panic in Cart.Total",
      "| case-1 | Error: none |",
    ],
    [
      "title: It fails",
      "error: thread 'main' panicked at src/cart.rs:8:9:",
      "trace: at ./src/cart.rs:8:9",
      "prose: May 20 15:43:22 web-3 shop[2875]: stopped",
      "error: TypeError: no price",
      "noise: I0611 14:43:22.295011       1 cart.go:42] Reconciling",
      "error: runtime.go:69] Observed a panic in Cart.Total",
      "prose: | case-1 | Error: none |",
    ],
  );
});
