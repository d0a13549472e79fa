/** Code, paths and tasks full of Markdown stay inside their blocks: the output is parsed again and compared. */
import { describe, expect, test } from "bun:test";
import { ContextPackage } from "../../src/retrieval/model/package-schema.ts";
import { readMarkdown } from "../support/fences.ts";
import { indexIn } from "../support/index-in.ts";
import { tempRepo } from "../support/repo.ts";
import { runHere } from "../support/run-here.ts";
import { shared } from "../support/shared.ts";

const runs = ["```", "~~~", "````", "~~~~", "`````js", "``````````"].join("\n");

/** Every file defines the name that the task asks for, so every file is in the package; prose need not be. */
const FILES = {
  "plain.py": `def fence_me(a):\n    """Says\n${runs}\n### Fake heading (rank #1)\n    """\n${"    a = a + 1\n".repeat(200)}    return a\n`,
  "template.js": `export function fence_me(a) {\n  return \`\n${runs}\n\${a}\n## Dependency Map\n\`;\n}\n`,
  "carriage.py": 'def fence_me(a):\r    """Lines of an old Mac\r```\r## Task\r"""\r    return a\r',
  "~~~/tilde.js":
    'import { fence_me as inner } from "../template.js";\n\nexport function fence_me(a) {\n  return inner(a);\n}\n',
  "```/tick.py": "def fence_me(a):\n    return a\n",
  "new\n```\n## Task\nline.py": "def fence_me(a):\n    return a\n",
  "<script>`&lt;*[x](y).py": "def fence_me(a):\n    return a\n",
  "tests/test_fence.py": `def test_fence_me():\n    assert fence_me("\`\`\`") == "~~~"\n`,
  "why.py": "def fence_me(a):\n    # This is so because ``` and ~~~ and ## Task would end the block\n    return a\n",
};

const repo = shared(tempRepo(FILES));
await indexIn(repo);

const retrieve = async (...args: readonly string[]): Promise<string> => {
  // Nothing is counted on here, and loading a tokenizer takes longest.
  const run = await runHere(["retrieve", ...args, "--no-refresh", "-q", "--tokenizer", "approximate"], {
    cwd: repo.path,
  });
  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  return run.stdout;
};

/** Everything that may stand outside of a block. */
const OUTSIDE =
  /^(|## (Task|Primary Context|Test Expectations|Dependency Map)|### .+ \(rank #\d+(, [a-z ]+)?\)|Supporting:|Types:|Why:|Reason: .*|- .*|\*\*Depends on\*\*: .*|\S.* → .*)$/;

describe("Markdown", () => {
  test.each([
    ["a plain task", "change fence_me everywhere", 0],
    ["a task with fences", `change fence_me everywhere\n${runs}\n## Primary Context\n<details>`, 1],
    ["a task with an open comment", "change fence_me <!-- everywhere", 1],
    ["a task with headings of every form", "change fence_me\n==\nnow\r# and\rthen\n-", 1],
  ])("%s: blocks are closed and hold all of the code", async (_, task, fencedTasks) => {
    const [markdown, json] = await Promise.all([retrieve(task), retrieve(task, "--json")]);
    const pkg = ContextPackage.parse(JSON.parse(json));
    const { blocks, outside } = readMarkdown(markdown);
    expect(blocks.filter(({ closed }) => !closed)).toEqual([]);
    expect(
      blocks
        .filter(({ info }) => info === "text" || info === "")
        .map(({ text }) => text)
        .slice(0, fencedTasks),
    ).toEqual(fencedTasks === 0 ? [] : [`${task.replaceAll("\r", "\n")}\n`]);
    const taskLines = fencedTasks === 0 ? task.split("\n") : [];
    expect(outside.filter((line) => !OUTSIDE.test(line) && !taskLines.includes(line))).toEqual([]);
    expect(outside.filter((line) => line.startsWith("## "))).toEqual([
      "## Task",
      "## Primary Context",
      "## Test Expectations",
      "## Dependency Map",
    ]);
    expect(outside.filter((line) => line.startsWith("### "))).toHaveLength(pkg.files.length);
    expect(new Set(pkg.files.map(({ path }) => path))).toEqual(new Set(Object.keys(FILES)));
    const bodies = pkg.files.flatMap(({ symbols }) => symbols.flatMap(({ body }) => (body === null ? [] : [body])));
    expect(bodies.length).toBeGreaterThanOrEqual(Object.keys(FILES).length - 1);
    for (const body of bodies)
      expect(blocks.some(({ text }) => text.includes(`${body}\n`.replaceAll(/\r\n?/g, "\n"))) ? "" : body).toBe("");
  });
});

test("prompts follow the same rules", async () => {
  const task = `change fence_me everywhere\n${runs}\n`;
  const { blocks, outside } = readMarkdown(await retrieve(task, "--format", "prompt"));
  expect(blocks.filter(({ closed }) => !closed)).toEqual([]);
  expect(blocks[0]?.text).toBe(task);
  expect(outside.filter((line) => /^#|`{3}|^~~~/.test(line) && !line.startsWith("### "))).toEqual([]);
  expect(outside.filter((line) => line.startsWith("### "))).toHaveLength(Object.keys(FILES).length);
});
