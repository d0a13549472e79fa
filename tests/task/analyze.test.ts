import { describe, expect, test } from "bun:test";
import { analyzeTask } from "../../src/task/analyze.ts";
import type { Mention, StackFrame, TaskQuery, TaskType } from "../../src/task/query.ts";
import { taskSentence } from "../../src/task/task-sentence.ts";

const NOTHING = { paths: [], symbols: [], languages: [] };
const CONCEPTS: ReadonlySet<string> = new Set(["authentication", "login", "cache", "session", "rate limiting"]);
const analyze = (text: string): TaskQuery => analyzeTask(text, { given: NOTHING, concepts: CONCEPTS });

type Expected = {
  readonly type: TaskType;
  readonly keywords: string;
  readonly files?: string[];
  readonly symbols?: string[];
  readonly errors?: string[];
  readonly concepts?: string[];
  readonly frames?: string[];
  readonly urls?: string[];
  readonly intent: string;
};

const named = (mention: Mention) => `${mention.section} ${mention.text}`;
const placed = (frame: StackFrame) => `${frame.language} ${frame.path}:${frame.line} ${frame.function}`;

/** A task and all that is extracted from it. What is not named is empty. */
const check = (text: string, expected: Expected) =>
  test(text.split("\n")[0] ?? "", () => {
    const query = analyze(text);
    expect({
      type: query.taskType,
      keywords: query.keywords.join(" "),
      files: query.fileHints.map(named),
      symbols: query.symbolHints.map(named),
      errors: [...query.errorPatterns],
      concepts: [...query.concepts],
      frames: query.frames.map(placed),
      urls: [...query.urls],
      intent: taskSentence(query),
    }).toEqual({ files: [], symbols: [], errors: [], concepts: [], frames: [], urls: [], ...expected });
  });

describe("tasks", () => {
  check("fix the login validation in auth.py", {
    type: "bug_fix",
    keywords: "login validation auth",
    files: ["title auth.py"],
    concepts: ["login"],
    intent: "Fix a bug in auth.py, concerning login and validation.",
  });
  check("fix the login validation bug when LDAP source is used", {
    type: "bug_fix",
    keywords: "login validation ldap source",
    concepts: ["login"],
    intent: "Fix a bug, concerning login, validation, ldap and source.",
  });
  check("fix the auth thing", { type: "bug_fix", keywords: "auth", intent: "Fix a bug, concerning auth." });
  check("Add rate limiting to `LoginHandler.handle` in src/auth/handler.ts", {
    type: "feature",
    keywords: "loginhandler login handler add rate limiting handle auth",
    files: ["title LoginHandler.handle", "title src/auth/handler.ts"],
    symbols: ["title LoginHandler.handle"],
    concepts: ["rate limiting", "login"],
    intent: "Add a feature in src/auth/handler.ts around LoginHandler.handle, concerning add, rate and limiting.",
  });
  check("Implement a new cache for parse_http_url()", {
    type: "feature",
    keywords: "parse_http_url parse http url implement new cache",
    symbols: ["title parse_http_url"],
    concepts: ["cache"],
    intent: "Add a feature around parse_http_url, concerning implement, new and cache.",
  });
  check("Refactor UserService and clean up components/Auth.tsx", {
    type: "refactor",
    keywords: "userservice user service refactor clean components auth",
    files: ["title components/Auth.tsx"],
    symbols: ["title UserService"],
    intent: "Refactor code in components/Auth.tsx around UserService, concerning refactor and clean.",
  });
  check("Reorganize the modules below lib/store/", {
    type: "refactor",
    keywords: "reorganize modules lib store",
    files: ["title lib/store/"],
    intent: "Refactor code in lib/store/, concerning reorganize and modules.",
  });
  check("Write tests for session expiry (all *.test.js)", {
    type: "test",
    keywords: "write tests session expiry test",
    files: ["title *.test.js"],
    concepts: ["session"],
    intent: "Write tests in *.test.js, concerning write, tests, session and expiry.",
  });
  check("coverage of flask.sessions is low", {
    type: "test",
    keywords: "coverage flask sessions low",
    files: ["title flask.sessions"],
    symbols: ["title flask.sessions"],
    intent: "Write tests around flask.sessions, concerning coverage and low.",
  });
  check("How does authentication reach the database?", {
    type: "investigation",
    keywords: "authentication reach database",
    concepts: ["authentication"],
    intent: "Investigate authentication, reach and database.",
  });
  check("Where is `Session` closed?", {
    type: "investigation",
    keywords: "session closed",
    symbols: ["title Session"],
    concepts: ["session"],
    intent: "Investigate around Session, concerning closed.",
  });
  check(
    [
      "Session.close() leaks",
      "",
      "### Describe the bug",
      "Calling `close_all` fails, see https://github.com/acme/app/blob/main/src/session.py#L42.",
      "```",
      "Traceback (most recent call last):",
      '  File "/srv/app/src/session.py", line 42, in close',
      "    self.socket.close()",
      "ValueError: socket is closed",
      "```",
      "### Environment",
      "- python: 3.12.1",
    ].join("\n"),
    {
      type: "bug_fix",
      keywords:
        "session close leaks close_all valueerror value calling socket closed describe traceback recent call last file srv app line environment python",
      files: ["trace /srv/app/src/session.py"],
      symbols: ["title Session.close", "inline close_all", "trace socket.close"],
      errors: ["ValueError", "ValueError: socket is closed", 'File "/srv/app/src/session.py", line 42, in close'],
      concepts: ["session"],
      frames: ["python /srv/app/src/session.py:42 close"],
      urls: ["https://github.com/acme/app/blob/main/src/session.py#L42"],
      intent:
        "Fix a bug in /srv/app/src/session.py around Session.close, close_all and socket.close, concerning leaks, valueerror, value, calling and closed.",
    },
  );
  check(
    [
      "[Feature] Retry in HttpClient",
      "",
      "```ts",
      "import { HttpClient } from './lib/client'",
      "```",
      'It says "connection was reset" and ECONNRESET.',
      "```",
      "Error: boom",
      "    at HttpClient.send (/app/lib/client.ts:31:22)",
      "```",
    ].join("\n"),
    {
      type: "feature",
      keywords: "httpclient http client retry says connection reset econnreset boom lib send app ts",
      files: ["code ./lib/client", "code HttpClient.send", "code /app/lib/client.ts"],
      symbols: ["title HttpClient", "code HttpClient.send"],
      errors: ["ECONNRESET", "Error: boom", "connection was reset"],
      frames: ["node /app/lib/client.ts:31 send"],
      intent:
        "Add a feature in ./lib/client and /app/lib/client.ts around HttpClient and HttpClient.send, concerning retry, says, connection, reset and econnreset.",
    },
  );
});

test("the user's hints are passed on and lead the task's sentence", () => {
  const given = { paths: ["src/x.py"], symbols: ["Cart.total"], languages: ["python"] };
  const query = analyzeTask("look at foo_bar in a.py", { given, concepts: new Set() });
  expect(query.given).toEqual(given);
  expect(query.fileHints.map(named)).toEqual(["title a.py"]);
  expect(taskSentence(query)).toBe("Investigate in src/x.py and a.py around Cart.total and foo_bar, concerning look.");
});

test("the task's sentence says that it cuts a long name", () => {
  const path = `src/${"weigh/".repeat(20)}a.py`;
  const query = analyzeTask("look", { given: { paths: [path], symbols: [], languages: [] }, concepts: new Set() });
  expect(taskSentence(query)).toBe(`Investigate in ${path.slice(0, 80)}…, concerning look.`);
});

test("the text is kept unchanged", () => {
  const text = "  fix\r\n\u0000 \ud800 it ";
  expect(analyze(text).raw).toBe(text);
});
