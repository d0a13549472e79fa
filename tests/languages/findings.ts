/** Tests of what is found in a language: source and findings side by side, as `render.ts` writes them. */
import { expect, test } from "bun:test";

type Render = (language: string, text: string) => Promise<readonly string[]>;

/** `source` begins on the line after the quotation mark. */
export async function expectFindings(
  render: Render,
  language: string,
  source: string,
  expected: string,
): Promise<void> {
  expect(await render(language, source.slice(1))).toEqual(expected.trim().split("\n"));
}

/** Declares a test for one source. */
export const findingsIn =
  (language: string) =>
  (name: string, render: Render, source: string, expected: string): void =>
    test(name, () => expectFindings(render, language, source, expected));
