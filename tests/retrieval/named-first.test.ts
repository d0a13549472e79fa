/**
 * What a task names counts, and what is incidental in it does not: words of a path, names in examples, lines of a log.
 *
 * On a small real repository whose package, folders and files are named like words of ordinary code.
 */
import { describe, expect, test } from "bun:test";
import { type Indexed, indexed, type Run } from "../support/indexed.ts";
import { shared } from "../support/shared.ts";

const numbered = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join("\n");

const FILES = {
  "README.md": "# Kiln\n\nA small server.\n",
  "NOTES.txt": numbered(60, (at) => `Note ${at}.`),
  "docs/guide.md": "# Guide\n\nThe readme has a typo section.\n\n## Readme\n\nEvery typo counts.\n",
  "src/kiln/__init__.py": "",
  "src/kiln/py/__init__.py": "",
  "src/kiln/signals.py": `"""Signals that the server sends."""
from kiln.names import Namespace

# Everything is declared here.
_signals = Namespace()

template_rendered = _signals.signal("template-rendered")
request_started = _signals.signal("request-started")
`,
  "src/kiln/names.py": `class Namespace:
    """Makes named things, such as signals."""

    def signal(self, name: str) -> "Namespace":
        return self


def explain_signals(signals: list[str]) -> str:
    """Explains signals to users of kiln, signals and all."""
    return "signals of src and py: " + ", ".join(signals)
`,
  "src/kiln/handler.py": `from kiln.base import Parent
from kiln.names import Namespace


class Handler:
    """Answers requests."""

    def open_door(self, key: str) -> bool:
        return bool(key)

    def close_door(self) -> None:
        self.key = None


class Child(Parent):
    """One of the smaller handlers."""

    def grow(self) -> int:
        return self.size() + 1

${numbered(45, (at) => `    def step_${at}(self) -> int:\n        return ${at}\n`)}
`,
  "src/kiln/base.py": `class Parent:
    """What handlers share."""

    def size(self) -> int:
        return 1
`,
  "src/kiln/handler_tools.py": `def handler_for(src: str) -> str:
    """The handler of a src, as py."""
    return src


def py_handler(src: str) -> str:
    return handler_for(src) + ".py"


def class_of(src: str) -> str:
    """The class of a src."""
    return src
`,
  "src/kiln/messages.py": `def flash(message: str, category: str = "message") -> None:
    """Keeps a message until the next page."""
    STORE.append((category, message))


STORE: list[tuple[str, str]] = []
`,
  "src/kiln/worker.py": `def start_worker(queue: str) -> None:
    """Starts the worker of a queue, and logs the request, the session and the status."""
    print("worker started request session status queue", queue)


def stop_worker(queue: str) -> None:
    """Stops the worker: connection closed, request finished, session expired."""
    print("connection closed request finished session expired", queue)
`,
  "src/kiln/dates.py": `class DateFormat:
    """Formats dates by letters."""

    def n(self) -> int:
        return 1

    def letters(self) -> str:
        return "n"
`,
  "src/kiln/aggregates.py": `class Count:
    """Counts rows."""

    def as_sql(self) -> str:
        return "COUNT"


def combinator_sql(query: str) -> str:
    """The union of ordered queries."""
    return query
`,
  "src/kiln/wire.py": "class Request:\n    def read(self) -> str:\n        return self.text\n",
  "tests/models.py": "class Count:\n    books = 1\n\n\nclass Author:\n    objects = Manager()\n",
  "tests/test_handler.py":
    "from kiln.handler import Handler\n\n\ndef test_open_door():\n    assert Handler().open_door('k')\n",
};

const kiln = shared(await indexed(FILES));

const ranked = ({ selection }: Pick<Run, "selection">): readonly string[] =>
  selection.files.map(({ file }) => file.path);
const seedsOf = ({ selection, kb }: Pick<Run, "selection"> & Pick<Indexed, "kb">): readonly string[] =>
  selection.seeds.flatMap(({ fileId, symbols }) => {
    const path = kb.files().find(({ id }) => id === fileId)?.path ?? "";
    const named = kb.symbolsById(symbols).filter((row) => row.fileId === fileId);
    return named.length === 0 ? [path] : named.map(({ qualifiedName }) => `${path} ${qualifiedName}`);
  });
const run = async (task: string, options?: Parameters<Indexed["run"]>[1]) => ({
  ...(await kiln.run(task, options)),
  kb: kiln.kb,
});

describe("words of a path that names a file", () => {
  test("are no keywords, nor are endings of files and keywords of languages", async () => {
    const { task } = await run("fix the class Handler in src/kiln/handler.py when the door is open");
    expect(task.keywords).toEqual(["handler", "door", "open"]);
    const { task: unknown } = await run("fix the door in old_doors.py");
    expect(unknown.keywords).toEqual(["old_doors", "old", "doors", "door"]);
  });

  test("nor are those that order tests of something that is named", async () => {
    for (const order of [
      "write tests for",
      "Add some unit tests for",
      "improve the coverage of",
      "create a test that",
    ]) {
      const { task, isAboutTests } = await run(`${order} open_door with an empty key`);
      expect([task.taskType, task.keywords, isAboutTests]).toEqual([
        "test",
        ["open_door", "open", "door", "empty", "key"],
        true,
      ]);
    }
    const { task: unnamed } = await run("write tests for empty keys");
    expect(unnamed.keywords).toEqual(["write", "tests", "empty", "keys"]);
  });

  test("bring no file into scope", async () => {
    const answer = await run("fix handler.py");
    expect(ranked(answer)).toEqual([
      "src/kiln/handler.py",
      ...["src/kiln/base.py", "src/kiln/names.py", "tests/test_handler.py"],
    ]);
  });

  test("make nothing primary outside of the file", async () => {
    const { selection, kb } = await run("fix bug in src/kiln/handler.py");
    const primary = selection.symbols
      .filter(({ tier, companionOf, testOrder }) => tier === "primary" && (companionOf ?? testOrder) === undefined)
      .map(({ symbol }) => symbol.fileId);
    expect([...new Set(primary)]).toEqual(
      kb.files().flatMap(({ path, id }) => (path.endsWith("/handler.py") ? [id] : [])),
    );
    expect(primary.length).toBeGreaterThan(45);
  });

  test("still count where they name nothing", async () => {
    expect(ranked(await run("fix src/old/messages_of_worker.py"))).toContain("src/kiln/worker.py");
  });
});

describe("a file that a short task names", () => {
  test("comes first, and whole when it is small", async () => {
    for (const task of ["explain src/kiln/signals.py", "explain signals.py and its signals to users"]) {
      const { markdown, ...answer } = await run(task, { budget: 2000 });
      expect(ranked(answer)[0]).toBe("src/kiln/signals.py");
      for (const line of FILES["src/kiln/signals.py"].trim().split("\n")) expect(markdown).toContain(line);
    }
  });

  test("comes first in rank with its symbols when it is long", async () => {
    const answer = await run("explain the signals of src/kiln/handler.py to users");
    expect(ranked(answer)[0]).toBe("src/kiln/handler.py");
  });

  test("is whole in a longer task too, where its rank is that of its score", async () => {
    const task = `Signals are lost\n\n${"When a worker connects, nothing happens. ".repeat(8)}I looked at src/kiln/signals.py.\n`;
    const { markdown } = await run(task);
    for (const line of FILES["src/kiln/signals.py"].trim().split("\n")) expect(markdown).toContain(line);
    const frame = 'Traceback (most recent call last):\n  File "src/kiln/signals.py", line 5, in go\nValueError: x\n';
    const trace = await run(`${task.replace("src/kiln/signals.py", "it")}\n${frame}`);
    expect(trace.markdown).not.toContain("template_rendered");
  });

  test("so does a hinted one, however long the task is", async () => {
    const task = `Signals are lost\n\n${"Users of signals ask to explain signals. ".repeat(20)}`;
    const { markdown, ...answer } = await run(task, { paths: ["src/kiln/base.py"] });
    expect(ranked(answer)[0]).toBe("src/kiln/base.py");
    for (const line of FILES["src/kiln/base.py"].trim().split("\n")) expect(markdown).toContain(line);
  });
});

test("the first file in rank is shown, even when none of its lines match", async () => {
  const { pkg, ...answer } = await run("typo in the readme");
  const [first = ""] = ranked(answer);
  expect(pkg.files.map(({ path }) => path)).toContain(first);
});

test("a short task that names a file and says nothing else is about that file alone", async () => {
  const { pkg, markdown, selection, kb } = await run("typo in README");
  expect(seedsOf({ selection, kb })).toEqual(["README.md"]);
  expect(pkg.task_query.file_hints).toEqual(["README"]);
  expect(pkg.files.map(({ path }) => path)).toEqual(["README.md"]);
  expect(markdown).toContain("A small server.");
  const worker = await run("README does not say how to start a worker");
  expect(ranked(worker)[0]).toBe("README.md");
  expect(ranked(worker)).toContain("src/kiln/worker.py");
});

test("of a named file without symbols, more than its head is shown when no line matches", async () => {
  const { markdown } = await run("typo in NOTES");
  for (const line of FILES["NOTES.txt"].trim().split("\n")) expect(markdown).toContain(line);
});

describe("a capitalised word that is exactly one class", () => {
  test("makes it a seed, and its base class comes along", async () => {
    for (const task of ["fix Child", "why Child grows too fast", "Child: grows too fast"]) {
      const { selection, pkg, ...answer } = await run(task);
      expect(seedsOf({ selection, ...answer })).toEqual(["src/kiln/handler.py Child"]);
      const parent = selection.symbols.find(({ symbol }) => symbol.name === "Parent");
      expect(["supporting", "type_context"]).toContain(parent?.tier ?? "");
      expect(pkg.files.map(({ path }) => path)).toContain("src/kiln/base.py");
    }
  });

  test("even when the word is common in issues, and with the noun next to it", async () => {
    for (const task of ["fix Request", "fix class Request", "fix class Request in src/kiln/wire.py"]) {
      const answer = await run(task);
      expect(seedsOf(answer)).toEqual(["src/kiln/wire.py Request"]);
      expect(ranked(answer)).toEqual(["src/kiln/wire.py"]);
    }
  });

  test("does not when it only begins the task, or what stands behind a label", async () => {
    for (const task of ["Child grows too fast", "[2.x] Child grows too fast", "fix: Child grows", "Count the rows"])
      expect(seedsOf(await run(task))).toEqual([]);
    expect(seedsOf(await run("Child grows although Child stopped"))).toEqual(["src/kiln/handler.py Child"]);
  });

  test("does not when it is lower case", async () => {
    expect(seedsOf(await run("fix the child"))).toEqual([]);
  });
});

describe("names in an example", () => {
  const issue = (example: string) =>
    `Ordered union fails\n\nThe combinator gives wrong sql for queries such as ${example}, when they are ordered.\n`;

  test("are seeds only when they are specific", async () => {
    expect(seedsOf(await run(issue('`Book.objects.annotate(n=Count("books"))`')))).toEqual([
      "src/kiln/aggregates.py Count",
    ]);
    expect(seedsOf(await run(issue('\n```python\nb = a.annotate(n=Count("books"))\n```\n')))).toEqual([]);
  });

  test("are no seeds when only tests define them", async () => {
    const example = "\n```python\nAuthor.objects.annotate(letters=1)\n```\n";
    expect(seedsOf(await run(issue(example)))).toEqual([]);
    expect(seedsOf(await run(issue("those of `Author.objects`")))).toContain("tests/models.py Author.objects");
  });

  test("are seeds when they stand alone", async () => {
    expect(seedsOf(await run(issue("those of `letters`")))).toEqual(["src/kiln/dates.py DateFormat.letters"]);
  });
});

describe("a log after the description", () => {
  const described =
    "flash loses messages\n\nSince the update `flash` in src/kiln/messages.py forgets what it was told.\n";
  const lines = [
    (at: number) => `2024-05-01 12:00:${at % 60},123 INFO worker: request ${at} session status queue connection closed`,
    (at: number) => `[2024-05-01T12:00:${at % 60}Z] DEBUG start_worker queue=${at} request finished session expired`,
    (at: number) => `INFO:kiln.worker:stop_worker queue ${at} connection closed`,
    (at: number) => `worker request session status queue connection closed ${at}`,
  ];
  for (const [at, line] of lines.entries())
    for (const fence of ["", "```\n"])
      test(`weighs less than it: form ${at}${fence === "" ? "" : ", fenced"}`, async () => {
        const answer = await run(`${described}\n${fence}${numbered(300, line)}\n${fence}`);
        expect(ranked(answer)[0]).toBe("src/kiln/messages.py");
      });
});
