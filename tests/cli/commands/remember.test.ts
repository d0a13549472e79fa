/** `cra remember`, `cra recall --list` and `cra forget` on a real store. */

import { Database } from "bun:sqlite";
import { beforeEach, describe, expect, test } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { EntryList } from "../../../src/memory/entry-list.ts";
import {
  CONFIDENCES,
  DOMAINS,
  MEMORY_CATEGORIES,
  OUTCOMES,
  ROOT_CAUSE_CATEGORIES,
  STRATEGIES,
} from "../../../src/memory/vocabulary.ts";
import { anyCharacter } from "../../support/any-character.ts";
import { HOSTILE } from "../../support/hostile-text.ts";
import { PLANTED_KEYS } from "../../support/planted-keys.ts";
import { ran, seen, watch } from "../stub-app.ts";

watch();
beforeEach(() => rmSync(join(seen.folder, "memory.sqlite"), { force: true }));

const ATTEMPT = ["--hypothesis", "the cache grows", "--action", "bounded it", "--prediction", "memory stays"];
const KIND = ["--domain", "debugging", "--strategy", "check-assumptions"];
const EXPERIENCE = ["--goal", "stop the leak", ...ATTEMPT, ...KIND];

/** The id that a run printed. */
async function stored(...words: readonly string[]): Promise<string> {
  const { out, err, code } = await ran(["remember", "-q", ...words]);
  expect([code, err]).toEqual([0, ""]);
  return out.trim().split(" ")[1] ?? "";
}
const listed = async (...words: readonly string[]) =>
  EntryList.parse(JSON.parse((await ran(["recall", "--list", "--json", ...words])).out)).entries;
const ids = async (...words: readonly string[]) => (await listed(...words)).map(({ id }) => id);

describe("a memory", () => {
  test("has a category and an importance, and can be piped in", async () => {
    const plain = await stored("CI runs on Node 20 only");
    const weighed = await stored("ask before deploying", "--category", "preference", "--importance", ".9");
    const piped = await ran(["remember", "-", "--json"], {}, { text: "from a pipe\n" });
    expect(JSON.parse(piped.out)).toMatchObject({ status: "added", entry: { content: "from a pipe" } });
    expect(await listed()).toContainEqual(
      expect.objectContaining({ id: weighed, category: "preference", importance: 0.9 }),
    );
    expect(await listed("node 20")).toMatchObject([
      { type: "memory", id: plain, content: "CI runs on Node 20 only", category: "fact", importance: 0.5 },
    ]);
  });
  test("is updated by its id", async () => {
    const id = await stored("CI runs on Node 18");
    expect((await ran(["remember", "--update", id, "CI runs on Node 20"])).out).toBe(`updated ${id}\n`);
    expect((await ran(["remember", "--update", id.slice(0, 7), "CI runs on Node 20"])).out).toBe(
      `nothing changed in ${id}\n`,
    );
    expect(await listed()).toMatchObject([{ id, content: "CI runs on Node 20" }]);
  });
});

describe("an experience", () => {
  test("is stored by options, updated and finished", async () => {
    const first = await ran(["remember", ...EXPERIENCE]);
    const [id = ""] = await ids();
    expect([first.out, first.err]).toEqual([
      `remembered ${id}\n`,
      `cra: when it is finished: cra remember --update ${id} --outcome confirmed --result "…"\n`,
    ]);
    expect(await ids("--outcome", "open")).toEqual([id]);
    const failed = ["--outcome", "falsified", "--result", "it grew", "--surprise", "no cache at all"];
    const cause = ["--root-cause", "wrong-assumption", "--root-cause-text", "nobody looked"];
    await stored("--update", id, ...failed, ...cause);
    const again = await ran(["remember", "--update", id, ...ATTEMPT]);
    expect(again.err).toBe(`cra: note: ${id} was falsified (it grew), and is open again\n`);
    await stored(
      "--update",
      id,
      "--outcome",
      "confirmed",
      "--result",
      "it stays",
      "--lesson",
      "look",
      "--takeaway",
      "t",
    );
    expect(await listed()).toMatchObject([
      {
        id,
        iterations: [{ hypothesis: "the cache grows" }, { action: "bounded it" }],
        outcome: { status: "confirmed", result: "it stays" },
        surprise: "no cache at all",
        root_cause: { category: "wrong-assumption", description: "nobody looked" },
        lesson: { what_worked: "look", takeaway: "t" },
        confidence: "silver",
      },
    ]);
    const { out } = await ran(["recall", "--list", "-v"]);
    expect(out).toContain(`${id}  debugging, check-assumptions, confirmed, silver, `);
    expect(out).toContain("  hypothesis 2:\n    the cache grows\n");
  });
  test("comes from a file, which options override", async () => {
    const entry = {
      goal: "g",
      hypothesis: "h",
      action: "a",
      prediction: "p",
      domain: "testing",
      created_at: "2024-05-01",
    };
    const { out } = await ran(
      ["remember", "--entry", "-", "--strategy", "ask-user", "--goal", "mine", "--json"],
      {},
      { text: JSON.stringify(entry) },
    );
    expect(JSON.parse(out)).toMatchObject({
      entry: {
        goal: "mine",
        domain: "testing",
        strategy: "ask-user",
        created_at: "2024-05-01T00:00:00.000Z",
        confidence: "bronze",
      },
    });
    writeFileSync(join(seen.folder, "more.json"), JSON.stringify({ iterations: [], surprise: "s" }));
    const [id = ""] = await ids();
    expect((await ran(["remember", "--update", id, "--entry", "more.json"])).err).toContain("iterations is empty");
  });
});

describe("an incomplete or contradictory entry is refused with exit code 2, and nothing is stored", () => {
  const choices = (flag: string, names: readonly string[]): readonly [readonly string[], string] => [
    [flag, "nope"],
    `${flag}: "nope" is not one of ${names.join(", ")}`,
  ];
  test.each([
    [[], "there is nothing to remember"],
    [["  "], "the text is empty"],
    [["a", "--importance", "2"], "--importance is more than 1"],
    [["a", "--importance", "half"], "--importance is not a number"],
    [["a", "--goal", "g"], "some options are for a memory and some for an experience"],
    [["x".repeat(20_001)], "the text is longer than 20000 characters"],
    [["--goal", "g", ...KIND], "an experience also needs --hypothesis, --action, --prediction;"],
    [["--goal", "g", ...ATTEMPT, "--domain", "testing"], `also needs --strategy (${STRATEGIES.join(", ")});`],
    [[...EXPERIENCE, "--takeaway", "t"], "an experience also needs --lesson;"],
    [[...EXPERIENCE, "--outcome", "confirmed"], "an experience also needs --result;"],
    [[...EXPERIENCE, "--root-cause-text", "r"], "an experience also needs --root-cause (wrong-assumption, "],
    [["--update", "mem-00", "a"], "no memory or experience has the id"],
    [["--update", "%", "a"], "no memory or experience has the id"],
    [["--from-task", "0123456789ab"], "no run with the task id 0123456789ab"],
    [["--from-task", "0123456789ab", "a"], "a task becomes an experience"],
    [["--import", "no.jsonl"], "there is no file no.jsonl"],
    [["--import", "no.jsonl", "a"], "--import takes entries as they are"],
    [["--entry", "no.json"], "there is no file no.json"],
    [["--import", "-", "--update", "mem-00"], "exclude each other"],
    [["-", "--entry", "-"], "standard input cannot be both"],
    choices("--category", MEMORY_CATEGORIES),
    choices("--domain", DOMAINS),
    choices("--strategy", STRATEGIES),
    choices("--outcome", OUTCOMES),
    choices("--confidence", CONFIDENCES),
    choices("--root-cause", ROOT_CAUSE_CATEGORIES),
  ])("%j", async (words, message) => {
    const { code, out, err } = await ran(["remember", ...words]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(message);
    expect(await listed()).toEqual([]);
  });
  test("filters of a list are checked too", async () => {
    expect((await ran(["recall", "--list", "--outcome", "nope"])).err).toContain(
      "confirmed, falsified, abandoned, open",
    );
    expect((await ran(["recall", "--domain", "testing"])).err).toContain("--domain needs --list too");
    expect((await ran(["recall", "--list", "--types", "code"])).code).toBe(2);
  });
  test("an update of the other kind, without changes, or with half an iteration", async () => {
    const [memory, experience] = [await stored("a"), await stored(...EXPERIENCE)];
    const before = await listed();
    for (const [words, message] of [
      [["--update", memory, "--goal", "g"], `${memory} is a memory`],
      [["--update", experience, "text"], `${experience} is an experience`],
      [["--update", experience], `there is nothing to change in ${experience}`],
      [["--update", experience, "--hypothesis", "h"], "--action is missing"],
    ] as const) {
      const { code, err } = await ran(["remember", ...words]);
      expect([code, err]).toEqual([2, expect.stringContaining(message)]);
    }
    expect(await listed()).toEqual(before);
  });
});

describe("a list", () => {
  test("is narrowed by every filter, newest first", async () => {
    const lines = [
      { content: "alpha beta", category: "error", created_at: "2024-01-01" },
      { content: "alpha", category: "fact", created_at: "2024-01-02" },
      {
        goal: "alpha gamma",
        domain: "testing",
        strategy: "ask-user",
        hypothesis: "h",
        action: "a",
        prediction: "p",
        created_at: "2024-01-03",
      },
      {
        goal: "delta",
        domain: "security",
        strategy: "ask-user",
        hypothesis: "h",
        action: "a",
        prediction: "p",
        outcome: { status: "confirmed", result: "r" },
        created_at: "2024-01-04",
      },
    ];
    const text = lines.map((line) => JSON.stringify(line)).join("\n");
    expect((await ran(["remember", "--import", "-"], {}, { text })).out).toBe(
      "imported: 4 added, 0 replaced, 0 unchanged\n",
    );
    const all = await ids();
    const [confirmed, open, fact, error] = all;
    for (const [words, found] of [
      [
        ["--type", "memory"],
        [fact, error],
      ],
      [["--category", "error"], [error]],
      [["--domain", "security"], [confirmed]],
      [
        ["--strategy", "ask-user"],
        [confirmed, open],
      ],
      [["--outcome", "open"], [open]],
      [["--outcome", "confirmed"], [confirmed]],
      [["--confidence", "gold"], [confirmed]],
      [["alpha"], [open, fact, error]],
      [["beta alpha"], [error]],
      [
        ["--limit", "2"],
        [confirmed, open],
      ],
      [["nowhere"], []],
    ] as const)
      expect([words, await ids(...words)]).toEqual([words, [...found].flatMap((id) => id ?? [])]);
    expect((await ran(["recall", "--list", "nowhere"])).out).toBe("no entry matches\n");
  });
  test("without entries says so and creates no file", async () => {
    expect(await ran(["recall", "--list"])).toEqual({ out: "there are no entries\n", err: "", code: 0 });
    expect(await Bun.file(join(seen.folder, "memory.sqlite")).exists()).toBe(false);
  });
  test("is escaped for a terminal", async () => {
    for (const hostile of HOSTILE) await stored("--", `a ${hostile} b`);
    await stored(...EXPERIENCE.map((word) => (word === "stop the leak" ? HOSTILE.join("\n") : word)));
    const [id = ""] = await ids("--type", "experience");
    for (const words of [
      ["recall", "--list"],
      ["recall", "--list", "-v"],
      ["recall", "--list", "--json"],
      ["forget", id, "--yes"],
    ]) {
      const { out, err } = await ran(words, {}, { isTerminal: true });
      expect(`${out}${err}`).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e\u2066\u2028]/);
    }
  });
});

describe("a secret", () => {
  const { line, secret } = PLANTED_KEYS.find(({ kind }) => kind === "GitHub token") ?? { line: "", secret: "" };
  const started = secret.slice(0, 12);
  const bytes = () => readFileSync(join(seen.folder, "memory.sqlite"), "latin1");
  const LEFT_OUT = "cra: note: possible secrets were left out (GitHub token); to keep them: --allow-secrets\n";

  test("is stored in no entry from any input, with a notice", async () => {
    const told = await ran(["remember", line]);
    expect([told.err, told.code]).toEqual([LEFT_OUT, 0]);
    const id = await stored(...EXPERIENCE);
    const grown = await ran(["remember", "--update", id, "--surprise", line]);
    expect(grown.err).toBe(LEFT_OUT);
    const list = [{ content: `imported ${line}` }, { content: "of a list that hides a [redacted: JWT] already" }];
    const text = list.map((one) => JSON.stringify(one)).join("\n");
    const imported = await ran(["remember", "--import", "-"], {}, { text });
    expect([imported.out, imported.err]).toEqual(["imported: 2 added, 0 replaced, 0 unchanged\n", LEFT_OUT]);
    expect(await listed()).toHaveLength(4);
    expect(bytes()).not.toContain(started);
  });
  test("that is already stored is not shown, not even partly where a text is cut", async () => {
    const allowed = await ran(["remember", "--allow-secrets", `${"word ".repeat(9)}${secret}`]);
    expect([allowed.err, allowed.code]).toEqual(["", 0]);
    expect(bytes()).toContain(secret);
    const id = allowed.out.trim().split(" ")[1] ?? "";
    for (const words of [
      ["recall", "--list"],
      ["recall", "--list", "-v"],
      ["forget", id, "--yes"],
    ]) {
      const { out } = await ran(words);
      expect(out).toContain(id);
      expect(out).not.toContain(started.slice(0, 6));
    }
  });
});

test("a damaged entry is left out of a list with a message, and the others are listed", async () => {
  const [bad, good] = [await stored("spoilt"), await stored("sound")];
  const db = new Database(join(seen.folder, "memory.sqlite"));
  db.run("update memories set category = 'joke' where id = ?", [bad]);
  db.close();
  for (const words of [
    ["recall", "--list"],
    ["recall", "--list", "--json"],
  ]) {
    const { out, err, code } = await ran(words);
    expect(out).toContain(good);
    expect(out).not.toContain(bad);
    expect(err).toStartWith("cra: 1 entry cannot be read and is not listed: ");
    expect(err).toContain(`${bad}: category is not one of`);
    expect(code).toBe(12);
  }
});

const text = fc
  .oneof(fc.string({ unit: anyCharacter }), fc.string({ unit: "grapheme" }), fc.constantFrom(...HOSTILE))
  .map((raw) => `x${raw.toWellFormed()}x`);
const day = fc.date({ min: new Date("1990-01-01"), max: new Date("2100-01-01"), noInvalidDate: true });
const memories = fc.record({
  type: fc.constant("memory"),
  content: text,
  category: fc.constantFrom(...MEMORY_CATEGORIES),
  importance: fc.double({ min: 0, max: 1, noNaN: true }),
  created_at: day.map((date) => date.toISOString()),
});
const experiences = fc.record({
  type: fc.constant("experience"),
  domain: fc.constantFrom(...DOMAINS),
  strategy: fc.constantFrom(...STRATEGIES),
  goal: text,
  iterations: fc.array(fc.record({ hypothesis: text, action: text, prediction: text }), { minLength: 1, maxLength: 3 }),
  outcome: fc.option(fc.record({ status: fc.constantFrom(...OUTCOMES), result: text })),
  surprise: fc.option(text),
  root_cause: fc.option(fc.record({ category: fc.constantFrom(...ROOT_CAUSE_CATEGORIES), description: text })),
  lesson: fc.option(fc.record({ what_worked: text, takeaway: fc.option(text) })),
  confidence: fc.constantFrom(...CONFIDENCES),
  task_id: fc.option(fc.constant("0123456789ab")),
  created_at: day.map((date) => date.toISOString()),
});

describe("an import", () => {
  test("restores a printed list byte for byte, and changes nothing the second time", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(memories, experiences), { maxLength: 6 }), async (entries) => {
        const store = join(seen.folder, "memory.sqlite");
        rmSync(store, { force: true });
        const lines = entries.map((entry) => JSON.stringify(entry)).join("\n");
        expect((await ran(["remember", "--import", "-", "-q"], {}, { text: lines })).code).toBe(0);
        const { out } = await ran(["recall", "--list", "--json"]);
        rmSync(store, { force: true });
        await ran(["remember", "--import", "-", "-q"], {}, { text: out });
        expect((await ran(["recall", "--list", "--json"])).out).toBe(out);
        const again = await ran(["remember", "--import", "-", "--json"], {}, { text: out });
        expect(JSON.parse(again.out)).toMatchObject({ added: 0, replaced: 0 });
      }),
      { numRuns: 8 },
    );
  });
  test("stores all or nothing, and names the wrong line", async () => {
    const id = await stored("before");
    const text = '{"content": "a"}\n\n{"content": "b"}\n{"goal": "c", "domain": "cooking"}\n';
    const { code, err } = await ran(["remember", "--import", "-"], {}, { text });
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(
        /^cra: standard input: line 4: domain is not one of debugging, .*; nothing was imported\n$/,
      ),
    ]);
    expect(await ids()).toEqual([id]);
  });
});

describe("forgetting", () => {
  test("asks on a terminal, and is refused where no user can be asked", async () => {
    const id = await stored("a secret");
    expect(await ran(["forget", id])).toMatchObject({ code: 2, out: "", err: expect.stringContaining("add --yes") });
    const no = await ran(["forget", id], {}, { isTerminal: true, text: "n\n" });
    expect([no.code, no.err]).toEqual([
      1,
      expect.stringContaining(`${id} (fact, importance 0.5): a secret\nDelete 1 entry?`),
    ]);
    expect(await ids()).toEqual([id]);
    const yes = await ran(["forget", id.slice(0, 6)], {}, { isTerminal: true, text: "y\n" });
    expect([yes.code, yes.out]).toEqual([0, `forgot ${id} (fact, importance 0.5): a secret\n`]);
    expect(await ids()).toEqual([]);
  });
  test("deletes all named entries or none", async () => {
    const [one, two] = [await stored("one"), await stored(...EXPERIENCE)];
    expect((await ran(["forget", one, "mem-ffffffffffff", "--yes"])).code).toBe(2);
    expect((await ran(["forget", "", "--yes"])).code).toBe(2);
    expect((await ran(["forget", "mem", "--yes"])).code).toBe(2);
    expect(await ids()).toHaveLength(2);
    const { out } = await ran(["forget", one, two, one, "--yes", "--json"]);
    expect(JSON.parse(out)).toMatchObject({ schema_version: 1, forgotten: [{ id: one }, { id: two }] });
    expect(await ids()).toEqual([]);
  });
});
