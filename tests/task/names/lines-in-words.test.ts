/** Lines that people, reviewers and shells name in words beside a file. */
import { expect, test } from "bun:test";
import { analyzeTask } from "../../../src/task/analyze.ts";

const query = (text: string) =>
  analyzeTask(text, { given: { paths: [], symbols: [], languages: [] }, concepts: new Set() });

/** `title` is the path, or the path and its line. */
const check = (text: string, ...expected: readonly string[]) =>
  test(text, () => {
    const { frames } = query(`The total is wrong\n\n${text}`);
    expect(frames.map(({ path, line, function: name }) => `${path}:${line}${name === null ? "" : ` ${name}`}`)).toEqual(
      [...expected],
    );
  });

check("In src/cart.ts around lines 40 to 52, the check is never reached.", "src/cart.ts:40");
check("In `src/cart.ts` around lines 40 - 52, the check is never reached.", "src/cart.ts:40");
check(
  "The check of src/cart.ts, near line 40, is wrong, as is that in src/pay.ts between lines 3 and 9.",
  "src/cart.ts:40",
  "src/pay.ts:3",
);
check("It is right in src/cart.ts from line 40 on.", "src/cart.ts:40");
check("`src/cart.ts`: line 40", "src/cart.ts:40");
check("The loop (`src/cart.ts`, line ~40) and src/pay.ts (~line 9) differ.", "src/cart.ts:40", "src/pay.ts:9");
check("src/cart.ts [line 40]", "src/cart.ts:40");
check("bin/cart.sh: line 40: total: command not found", "bin/cart.sh:40");
check("src/cart.ts has too many lines, around 40", ...[]);
check("It was in src/cart.ts; from 40 lines on it fails");
