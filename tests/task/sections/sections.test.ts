import { describe, expect, test } from "bun:test";
import { splitSections } from "../../../src/task/sections/sections.ts";

const shown = (text: string) =>
  splitSections(text).sections.map((section) => `${section.kind}: ${section.text.trim()}`);

const check = (name: string, text: string | readonly string[], expected: readonly string[]) =>
  test(name, () => {
    expect(shown(typeof text === "string" ? text : text.join("\n"))).toEqual([...expected]);
  });

describe("titles", () => {
  check("the first line is the title", "Fix the parser\n\nIt loops.", ["title: Fix the parser", "prose: It loops."]);
  check(
    "headings of a template come before it",
    ["## Description", "", "# Parser loops", "text"],
    ["noise: ## Description", "title: Parser loops", "prose: text"],
  );
  check("a tag is taken off", "[Feature Request] Show `Archived` badge", [
    "noise: [Feature Request]",
    "title: Show `Archived` badge",
  ]);
  check("so are labels, one after another", "Title: [Bug]: it hangs", ["noise: Title: [Bug]:", "title: it hangs"]);
  check("a word that begins like a label is none", "Bugfix release notes are empty", [
    "title: Bugfix release notes are empty",
  ]);
  check("neither is one that the sentence needs", "Feature flags are ignored", ["title: Feature flags are ignored"]);
  check("a title that is only a label stays", "[Bug]", ["title: [Bug]"]);
  check(
    "a report on one line: the first sentence is the title",
    `${"Session leaks ".repeat(10)}sockets. ${"More ".repeat(10)}`,
    [`title: ${"Session leaks ".repeat(10)}sockets`, `prose: . ${"More ".repeat(10)}`.trim()],
  );
  test("a very long line is truncated at a space", () => {
    const [title, rest] = splitSections("word ".repeat(1000)).sections;
    expect(title?.text).toHaveLength(399);
    expect(rest).toMatchObject({ kind: "prose" });
  });
  test("a text that begins with a trace has no title section, but a readable title", () => {
    const split = splitSections('Traceback (most recent call last):\n  File "a.py", line 1, in f\nValueError: no');
    expect(split.title).toBe("ValueError: no");
    expect(split.sections.map(({ kind }) => kind)).toEqual(["trace", "trace", "error"]);
  });
  check(
    "the subject of a mail",
    [
      "From: Jane Doe <jane@example.com>",
      "To: dev@lists.example.org,",
      "\tmax@example.org",
      "Subject: Re: [PATCH v2] fix the cart",
      "Date: Mon, 11 Mar 2024 08:15:30 +0100",
      "",
      "It loses items.",
    ],
    [
      "noise: From: Jane Doe <jane@example.com>",
      "noise: To: dev@lists.example.org,",
      "noise: max@example.org",
      "noise: Date: Mon, 11 Mar 2024 08:15:30 +0100",
      "noise: Subject: Re: [PATCH v2]",
      "title: fix the cart",
      "prose: It loses items.",
    ],
  );
  check(
    "the first line of a commit's message",
    [
      "commit 3f2a1b4c5d",
      "Author: Jane Doe <jane@example.com>",
      "Date:   Mon Mar 11",
      "",
      "    Fix the cart",
      "",
      "    It loses items.",
    ],
    [
      "noise: commit 3f2a1b4c5d",
      "noise: Author: Jane Doe <jane@example.com>",
      "noise: Date:   Mon Mar 11",
      "title: Fix the cart",
      "prose: It loses items.",
    ],
  );
  check("one line is no header of a mail", "Subject: is empty\nin the list", [
    "title: Subject: is empty",
    "prose: in the list",
  ]);
  check("nor are fields without a subject", "Date: is wrong\nFrom: too", ["title: Date: is wrong", "prose: From: too"]);
  check("JSON is no title", '{\n  "message": "no cart"\n}', ["prose: {", 'prose: "message": "no cart"', "prose: }"]);
  test("a text that starts with a fence keeps code and prose apart", () => {
    const split = splitSections("```\nlet a = 1\n```\nWhy does this fail?");
    expect(split).toMatchObject({ title: "Why does this fail?", label: "" });
    expect(split.sections.map(({ kind }) => kind)).toEqual(["code", "prose"]);
  });
});

describe("code", () => {
  check("inline code is set apart from its prose", "t\nCall `foo()` and ``bar`` now", [
    "title: t",
    "inline: foo()",
    "inline: bar",
    "prose: Call   and   now",
  ]);
  check("a member beside a line stays", "t\n`cart.items` line 3 and `a.py` line 4", [
    "title: t",
    "inline: cart.items",
    "inline: a.py:4",
    "prose: line 3 and   line 4",
  ]);
  check("a backtick without partner is text", "t\nit` is", ["title: t", "prose: it` is"]);
  check(
    "a fence and what it is called",
    ["t", "```js", "let a = 1", "```", "after"],
    ["title: t", "noise: js", "code: let a = 1", "prose: after"],
  );
  check("a fence that is never closed", ["t", "~~~", "code", "more"], ["title: t", "code: code", "code: more"]);
  check(
    "what compilers and Python draw below code opens no fence",
    [
      "t",
      "    cart.total() + cart.apply(c);",
      "    ~~~~~~~~~~~~   ~~~~ ^",
      '  File "a.py", line 3, in f',
      "           ~~~~~^^^^^^^^",
      "                    ^~~~~~~",
      "   |        ~~~~",
      "                     ~~~~~~~~~~",
      "after",
    ],
    [
      "title: t",
      "code: cart.total() + cart.apply(c);",
      "prose: ~~~~~~~~~~~~   ~~~~ ^",
      'trace: File "a.py", line 3, in f',
      "trace: ~~~~~^^^^^^^^",
      "trace: ^~~~~~~",
      "trace: |        ~~~~",
      "trace: ~~~~~~~~~~",
      "prose: after",
    ],
  );
  check(
    "a fence of tildes in a list and in a quotation",
    ["t", "- ~~~js", "  let a = 1", "  ~~~", "> ~~~", "> x", "> ~~~"],
    ["title: t", "prose: -", "noise: js", "code: let a = 1", "prose: >", "code: > x", "code: > ~~~"],
  );
  check(
    "a longer fence holds a shorter one",
    ["t", "````md", "```", "x", "```", "````", "after"],
    ["title: t", "noise: md", "code: ```", "code: x", "code: ```", "prose: after"],
  );
  check(
    "a fence that its own line closes is inline code",
    ["t", "set ```hide_rank``` to true", "prose"],
    ["title: t", "inline: hide_rank", "prose: set   to true", "prose: prose"],
  );
  check(
    "indented code and prompts",
    ["t", "    def f(x):", "    indented prose", ">>> f(1)"],
    ["title: t", "code: def f(x):", "prose: indented prose", "code: >>> f(1)"],
  );
});

describe("noise", () => {
  check(
    "checklists and stock phrases",
    ["t", "- [x] I searched", "**Steps to Reproduce**", "### Expected behaviour:", "it works"],
    [
      "title: t",
      "noise: - [x] I searched",
      "noise: **Steps to Reproduce**",
      "noise: ### Expected behaviour:",
      "prose: it works",
    ],
  );
  check(
    "what follows an environment heading, until the next heading",
    ["t", "## Environment", "on my machine", "```", "numpy==1.2.3", "any line", "```", "## More", "text"],
    [
      "title: t",
      "noise: ## Environment",
      "noise: on my machine",
      "noise: numpy==1.2.3",
      "noise: any line",
      "prose: ## More",
      "prose: text",
    ],
  );
  check(
    "a heading of such a list that names the command whose output it is",
    [
      ...["t", "#### Output of ``xr.show_versions()``", "LC_ALL: None", "## Notes", "nc_time_axis counts"],
      ...["<details><summary>Output of <tt>pd.show_versions()</tt></summary>", "LC_CTYPE: None", "## More", "b"],
    ],
    [
      ...["title: t", "noise: #### Output of ``xr.show_versions()``", "noise: LC_ALL: None", "prose: ## Notes"],
      "prose: nc_time_axis counts",
      ...["noise: <details><summary>Output of <tt>pd.show_versions()</tt></summary>", "noise: LC_CTYPE: None"],
      ...["prose: ## More", "prose: b"],
    ],
  );
  check(
    "entries of an environment list, wherever they stand",
    ["t", "- **OS**: Linux", "Node version: 20", "numpy   :   1.21.0", "react@18.2.0"],
    [
      "title: t",
      "noise: - **OS**: Linux",
      "noise: Node version: 20",
      "noise: numpy   :   1.21.0",
      "noise: react@18.2.0",
    ],
  );
  check(
    "a heading of its own is prose",
    ["t", "## Parser", "**Lexer**"],
    ["title: t", "prose: ## Parser", "prose: **Lexer**"],
  );
});

describe("what forms and editors add", () => {
  check(
    "a wrapped list of versions",
    ["t", "### Environment", "<details>", "", "INSTALLED VERSIONS", "byteorder: little", "</details>", "It fails"],
    [
      "title: t",
      "noise: ### Environment",
      "noise: <details>",
      "noise: INSTALLED VERSIONS",
      "noise: byteorder: little",
      "noise: </details>",
      "prose: It fails",
    ],
  );
  check(
    "a heading between tags",
    ["t", "<details><summary>System info</summary>", "byteorder: little", "</details>", "<b>Logs</b>", "It fails"],
    [
      "title: t",
      "noise: <details><summary>System info</summary>",
      "noise: byteorder: little",
      "noise: </details>",
      "noise: <b>Logs</b>",
      "prose: It fails",
    ],
  );
  check(
    "fields that were left empty, and stock phrases",
    [
      "t",
      "_No response_",
      "**Describe alternatives you've considered**",
      "A clear and concise description of what the bug is.",
      "No response is sent",
    ],
    [
      "title: t",
      "noise: _No response_",
      "noise: **Describe alternatives you've considered**",
      "noise: A clear and concise description of what the bug is.",
      "prose: No response is sent",
    ],
  );
  check(
    "where a comment comes from",
    ["t", "_Originally posted by @al in https://x.test/1_", "originally written by McRae"],
    ["title: t", "noise: _Originally posted by @al in", "prose: originally written by McRae"],
  );
  check(
    "pictures",
    [
      "t",
      "![Screen Shot at 10](https://x.test/1.png) of the cart",
      '<img width="9" alt="image" src="https://x.test/2.png">',
      "![logo](docs/logo.svg)",
      'Use <img alt="x"> here',
    ],
    [
      "title: t",
      "noise: ![Screen Shot at 10]( )",
      "prose: of the cart",
      'noise: <img width="9" alt="image" src=" ">',
      "prose: ![logo](docs/logo.svg)",
      'prose: Use <img alt="x"> here',
    ],
  );
  check(
    "versions behind any bullet",
    ["t", "* Python 3.8.1", "- Django==3.2", "> numpy 1.21.0", "* Fix 3.2 of the list"],
    [
      "title: t",
      "noise: * Python 3.8.1",
      "noise: - Django==3.2",
      "noise: > numpy 1.21.0",
      "prose: * Fix 3.2 of the list",
    ],
  );
});

describe("traces of other forms", () => {
  check(
    "a sentence that begins with the number of an issue is none",
    ["t", "#123 broke the login of users", "#0  0x7f in add (n=1) at cart.c:1", "#1 {main}", "#2 main () at main.c:3"],
    [
      "title: t",
      "prose: #123 broke the login of users",
      "trace: #0  0x7f in add (n=1) at cart.c:1",
      "trace: #1 {main}",
      "trace: #2 main () at main.c:3",
    ],
  );
  check(
    "code of a trace behind a tab",
    ["t", 'File "a.py", line 1, in f', "\tcart.total = add(1, 2)", "so it fails"],
    ["title: t", 'trace: File "a.py", line 1, in f', "trace: cart.total = add(1, 2)", "prose: so it fails"],
  );
  const diagnostics = [
    "src/cart.c:12:5: error: no add",
    "cart.ts(1,2): error TS2345: no",
    "cart.ts:1:2 - error TS1: no",
  ];
  check("compilers", ["t", ...diagnostics], ["title: t", ...diagnostics.map((line) => `error: ${line}`)]);
  check(
    "lines of a log that report an error",
    [
      "t",
      "2023/06/19 16:15:12 [error] connect()",
      "[2023-06-19T16:15:12Z] error EPERM: no",
      "2019/08/25 13:26:50 failed to read",
      "2019/08/25 13:26:50 errors.go is read",
    ],
    [
      "title: t",
      "prose: 2023/06/19 16:15:12 [error] connect()",
      "prose: [2023-06-19T16:15:12Z] error EPERM: no",
      "prose: 2019/08/25 13:26:50 failed to read",
      "noise: 2019/08/25 13:26:50 errors.go is read",
    ],
  );
  const ruby = ["lib/cart.rb:12:in 'add': undefined method 'x' for nil (NoMethodError)", "\tfrom lib/a.rb:3:in `b'"];
  check("Ruby", ["t", ...ruby], ["title: t", `error: ${ruby[0]}`, `trace: ${ruby[1]?.trim()}`]);
  check(
    "errors that end a PHP program or an app",
    [
      "t",
      "PHP Fatal error:  Uncaught TypeError: no in /a.php:3",
      "Fatal Exception: java.lang.Error: no",
      "Fatal errors: none",
    ],
    [
      "title: t",
      "error: PHP Fatal error:  Uncaught TypeError: no in /a.php:3",
      "error: Fatal Exception: java.lang.Error: no",
      "prose: Fatal errors: none",
    ],
  );
});

describe("lines that only look like a template", () => {
  check(
    "a first line that calls something by name",
    "Please fix the `parseBody` function in src/utils/body.ts.\n\nIt fails",
    ["title: Please fix the `parseBody` function in src/utils/body.ts.", "prose: It fails"],
  );
  check("a first line that asks for work", "Please fix the login\n\nIt fails", [
    "title: Please fix the login",
    "prose: It fails",
  ]);
  for (const title of [
    "Context.render in src/context.ts returns null",
    "Hello, src/hono.ts leaks",
    "Affected: handleLogin",
    "Link to parse_url is dead",
    "Searched `cache` twice",
    "Possible solution: call flush() in close()",
  ]) {
    check(title, `${title}\n\nreally`, [`title: ${title}`, "prose: really"]);
  }
  check(
    "lines of the body that name code",
    ["t", "Please change serveStatic in src/middleware/serve.ts", "Affected file: src/compose.ts"],
    ["title: t", "prose: Please change serveStatic in src/middleware/serve.ts", "prose: Affected file: src/compose.ts"],
  );
  check(
    "an unchecked box is work to do, unless its text is a stock phrase",
    ["t", "- [ ] src/compose.ts handles errors", "* [] write `docs`", "- [ ] I have searched the issues", "- [x] done"],
    [
      "title: t",
      "prose: - [ ] src/compose.ts handles errors",
      "inline: docs",
      "prose: * [] write",
      "noise: - [ ] I have searched the issues",
      "noise: - [x] done",
    ],
  );
  check(
    "but the phrases of templates, with the products they speak of",
    ["Hello team", "Please provide a link to StackBlitz or CodeSandbox", "Which Node.js version?", "Parser loops"],
    [
      "noise: Hello team",
      "noise: Please provide a link to StackBlitz or CodeSandbox",
      "noise: Which Node.js version?",
      "title: Parser loops",
    ],
  );
});

describe("markup", () => {
  check(
    "HTML comments go, one that is not closed stays",
    ["t", "a <!-- hidden", "more --> b", "c <!-- open"],
    ["title: t", "prose: a", "prose: b", "prose: c <!-- open"],
  );
  test("addresses are kept apart, without the punctuation after them", () => {
    const split = splitSections("t\nsee https://a.test/x?y=1#z, [b](http://b.test/c). www.c.test!");
    expect(split.urls).toEqual(["https://a.test/x?y=1#z", "http://b.test/c", "www.c.test"]);
    expect(JSON.stringify(split.sections)).not.toContain("test");
  });
  check("line ends and control characters do no harm", "t\r\nwin\rmac\u0000nul\u001b[31m\u2028sep", [
    "title: t",
    "prose: win",
    "prose: mac nul",
    "prose: sep",
  ]);
  check(
    "escaped underscores of names, but not of Windows paths and code",
    "Fix add\\_item\nand \\_\\_init\\_\\_ of a\\_b.py, not `a\\_b` or C:\\x\\_y.py, lib\\_x\\y.py",
    ["title: Fix add_item", "inline: a\\_b", "prose: and __init__ of a_b.py, not   or C:\\x\\_y.py, lib\\_x\\y.py"],
  );
  check("nor do colours", "t\n\u001b[1m\u001b[31mTypeError\u001b[39m: no\u001b[0m", [
    "title: t",
    "error: TypeError: no",
  ]);
  check("nor do blanks without width", "t\nthe \u200busage of total_\u200bprice", [
    "title: t",
    "prose: the  usage of total_price",
  ]);
  for (const blank of ["", "  \n\t\r\n", "\u0000", "<!-- x -->", "```", "```\n```"]) {
    check(`no sections in ${JSON.stringify(blank)}`, blank, []);
  }
});

describe("marks before a title", () => {
  check("headings, bullets and bold text go", "## **Parser** loops", ["title: Parser** loops"]);
  check("the star of a glob stays", "*.test.js is not found", ["title: *.test.js is not found"]);
});

describe("lines of a log that repeat", () => {
  const poll = (at: number, of = "cart") => `polled the ${of} ${at} times in ${at * 10} ms`;
  check(
    "are noise from the third on, if they differ in numbers alone",
    ["t", poll(1), poll(22), poll(333), poll(4, "shop"), poll(5)],
    [
      "title: t",
      `prose: ${poll(1)}`,
      `prose: ${poll(22)}`,
      `noise: ${poll(333)}`,
      `prose: ${poll(4, "shop")}`,
      `noise: ${poll(5)}`,
    ],
  );
  check(
    "but not short ones, errors and inline code",
    ["t", ...Array(3).fill("```\n});\n```"), ...Array(3).fill("ValueError: the cart is empty")],
    ["title: t", ...Array(3).fill("code: });"), ...Array(3).fill("error: ValueError: the cart is empty")],
  );
});

check(
  "a fence holds code, errors, log lines and versions",
  ["t", "```", "let a = 1", "TypeError: no", "2023-06-19 16:15:12 INFO started", "OS: Linux", "```"],
  ["title: t", "code: let a = 1", "error: TypeError: no", "noise: 2023-06-19 16:15:12 INFO started", "code: OS: Linux"],
);
