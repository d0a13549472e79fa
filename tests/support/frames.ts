/** Tests which stack frames are found in a text. */
import { expect, test } from "bun:test";
import { splitSections } from "../../src/task/sections/sections.ts";
import { findFrames } from "../../src/task/traces/traces.ts";

/** The frames of a text, each as language, place and function. */
export const framesIn = (text: string): readonly string[] =>
  findFrames(splitSections(text).sections).map(
    (frame) => `${frame.language} ${frame.path}:${frame.line} ${frame.function ?? "-"}`,
  );

/** The same lines, fenced or not, have these frames. */
export const checkFrames = (name: string, lines: readonly string[], expected: readonly string[]): void =>
  test(name, () => {
    expect(framesIn(["It crashes", "```", ...lines, "```"].join("\n"))).toEqual([...expected]);
    expect(framesIn(["It crashes", ...lines].join("\n"))).toEqual([...expected]);
  });
