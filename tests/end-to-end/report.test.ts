/** `cra report`: one page that needs nothing else, in which hostile names and contents are text. */

import { expect, setDefaultTimeout, test } from "bun:test";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { reportPage } from "../../src/present/report/page.ts";
import { RunRecord } from "../../src/retrieval/explain/run-record.ts";
import { ContextPackage } from "../../src/retrieval/model/package-schema.ts";
import { isSavedPackage } from "../../src/source/walk/saved-package.ts";
import { CHROMIUM, openPage } from "../support/browser.ts";
import { tempFolder } from "../support/folder.ts";
import { HANG_MS } from "../support/hang.ts";
import { indexIn } from "../support/index-in.ts";
import { PLANTED_KEYS, PLANTED_SECRETS } from "../support/planted-keys.ts";
import { tempRepo } from "../support/repo.ts";
import { runHere } from "../support/run-here.ts";
import { shared } from "../support/shared.ts";

setDefaultTimeout(HANG_MS);

const ReportSource = z.object({ package: ContextPackage, record: RunRecord });

const OWNED = "document.title='owned'";
const HOSTILE_NAME = `</script><img src=x onerror=${OWNED}>.py`;
const TASK = `weighing of parcels </title><script>${OWNED}</script> gives a wrong remainder`;
const PARTS = 12;

const repo = shared(
  tempRepo({
    [HOSTILE_NAME]: `from lib.part_0 import weigh_part_0\n\n\ndef hostile_weighing():\n    """</pre><svg onload=${OWNED}> weighing of parcels &amp; "quoted" 'single'"""\n    return weigh_part_0()\n`,
    "lib/keys.py": PLANTED_KEYS.map(({ line }, at) => `def weighing_of_parcels_${at}():\n    ${line}\n`).join("\n"),
    ...Object.fromEntries(
      Array.from({ length: PARTS }, (_, at) => [
        `lib/part_${at}.py`,
        `${at === 0 ? "" : `from lib.part_${at - 1} import weigh_part_${at - 1}\n\n\n`}def weigh_part_${at}():\n    """Weighing of parcels: the remainder of ${at}."""\n    return ${at === 0 ? "1" : `weigh_part_${at - 1}()`}\n`,
      ]),
    ),
    ...Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [`other/thing_${at}.py`, `def thing_${at}():\n    return ${at}\n`]),
    ),
  }),
);
await indexIn(repo);

const cra = (...args: readonly string[]) => runHere(args, { cwd: repo.path });
const first = await cra("retrieve", TASK, "--budget", "20000", "--coverage", "1");
const id = / cra explain (\w+)/.exec(first.stderr)?.[1] ?? "";
await cra("refine", id, "--missing-file", HOSTILE_NAME, "--reject", "lib/part_3.py");
const folder = shared(tempFolder());
const file = join(folder.path, "report.html");
const written = await cra("report", id, "-o", file);
const page = readFileSync(file, "utf8");

test("a page in the repository is not indexed, and whoever puts it there is told", async () => {
  using own = tempRepo({ "weigh.py": "def weigh_parcel():\n    return 1\n" }, { git: true });
  const inOwn = (...args: readonly string[]) => runHere(args, { cwd: own.path });
  await inOwn("index", "-q");
  const [, task = ""] = / cra explain (\w+)/.exec((await inOwn("retrieve", "weigh_parcel")).stderr) ?? [];
  const inside = await inOwn("report", task, "-o", "report.html");
  expect(inside.stderr).toContain("report.html lies in the repository, and git neither tracks nor ignores it");
  expect((await inOwn("search", "weigh_parcel")).stdout).not.toContain("report.html");
  expect(isSavedPackage(page)).toBe(true);
  expect(isSavedPackage(page.replaceAll("\n", "\r\n"))).toBe(true);
  expect(isSavedPackage(page.replace("<title>cra: ", "<title>"))).toBe(false);
});

test("the page has its own style and script, which alone its policy allows, and refers to nothing else", () => {
  expect(written).toMatchObject({ exitCode: 0, stdout: "", stderr: `cra: the report of task ${id} is in ${file}\n` });
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? "";
  expect(policy).toStartWith("default-src 'none'; ");
  for (const [directive, element] of [
    ["style-src", "style"],
    ["script-src", "script"],
  ] as const) {
    const found = [...page.matchAll(new RegExp(`<${element}>([\\s\\S]*?)</${element}>`, "g"))];
    expect(found).toHaveLength(1);
    const hash = createHash("sha256")
      .update(found[0]?.[1] ?? "")
      .digest("base64");
    expect(policy).toContain(`${directive} 'sha256-${hash}'`);
  }
  expect(page).not.toMatch(
    /<(?:img|link|iframe|object|embed|base)\b|\b(?:src|href)="(?!#)|url\(|@import|\bon\w+="|javascript:/i,
  );
});

test("names, contents and the task are text", () => {
  expect(page).toContain("&lt;/script&gt;&lt;img src=x onerror=document.title=&#39;owned&#39;&gt;.py");
  expect(page).toContain("&lt;/pre&gt;&lt;svg onload=");
  expect(page).not.toContain(`<img src=x`);
  expect(page).not.toContain(`<script>${OWNED}`);
});

test("no secret is in it", () => {
  expect(page).toContain("[redacted: ");
  expect(PLANTED_SECRETS.filter((secret) => page.includes(secret))).toEqual([]);
});

test("it has the package, the budget, the graph, the ranking, the decisions and the rounds", () => {
  for (const part of ["package", "budget", "graph", "ranking", "decided", "rounds"])
    expect(page).toContain(`<section id="${part}" aria-labelledby="${part}-name">`);
  expect([...page.matchAll(/<details class="file"/g)].length).toBeGreaterThanOrEqual(PARTS);
  expect(page).toContain('<th scope="col">round 2</th>');
  expect(page).toContain("<code>lib/part_3.py</code>");
  expect(page).toContain("rejected files: lib/part_3.py");
});

test("a task of several lines has its first line as title, and is below it as a whole", async () => {
  const { stderr } = await cra("retrieve", "weighing of parcels\n\nThe remainder is wrong.");
  const { stdout } = await cra("report", / cra explain (\w+)/.exec(stderr)?.[1] ?? "");
  expect(stdout).toContain("<title>cra: weighing of parcels</title>");
  expect(stdout).toContain("<h1>weighing of parcels</h1>");
  expect(stdout).toContain("<pre>weighing of parcels\n\nThe remainder is wrong.</pre>");
});

test("the same run gives the same page, on standard output too", async () => {
  const { stdout, exitCode } = await cra("report", id.slice(0, 6));
  expect(exitCode).toBe(0);
  expect(stdout).toBe(page);
  expect(await cra("report", id, "-o", file)).toMatchObject({ exitCode: 2 });
  expect(await cra("report", "ffffffff")).toMatchObject({ exitCode: 2 });
});

/** Makes another round of the task. */
const readSource = async (): Promise<z.infer<typeof ReportSource>> =>
  ReportSource.parse({
    package: JSON.parse((await cra("retrieve", TASK, "--budget", "20000", "--coverage", "1", "--json")).stdout),
    record: JSON.parse((await cra("log", id, "--json")).stdout),
  });

test("with --json the page is in one object, or the object names its file", async () => {
  const shown = await cra("report", id, "--json");
  expect(JSON.parse(shown.stdout)).toEqual({ schema_version: 1, task_id: id, page });
  const other = join(folder.path, "json.html");
  const named = await cra("report", id, "--json", "-q", "-o", other);
  expect(JSON.parse(named.stdout)).toEqual({ schema_version: 1, task_id: id, file: other });
  expect(readFileSync(other, "utf8")).toBe(page);
});

test("the diff and the memories of a package are in the page, and why it is a map", async () => {
  const source = await readSource();
  const of = (more: Partial<ContextPackage>): string =>
    reportPage({ package: { ...source.package, ...more }, round: 2, record: source.record });
  const review = {
    base: "a".repeat(40),
    uncommitted: true,
    diff: "-old <line>\n+new line",
    files: [],
    lines_left_out: 0,
  };
  expect(of({ review })).toContain("against commit aaaaaaaaaaaa:\n-old &lt;line&gt;\n+new line</pre>");
  const learned = [{ source: "memory", content: "Parcels are <weighed> twice.", relevance: 1, metadata: {} }] as const;
  expect(of({ learned: [...learned] })).toContain("<pre>Parcels are &lt;weighed&gt; twice.</pre>");
  expect(of({ provenance: { ...source.package.provenance, map: "a map" } })).toContain("Note: a map</p>");
});

test("code inside of other code is shown and counted once", async () => {
  const { package: found, record } = await readSource();
  const [one] = found.files;
  const [symbol] = one?.symbols ?? [];
  if (one === undefined || symbol === undefined) throw new Error("the package has no definition");
  const [shop, add] = ["class Shop:\n    def add(self):\n        return 1", "    def add(self):\n        return 1"];
  const of = (name: string, start_line: number, body: string, tokens: number): typeof symbol => {
    const { shown: _, ...rest } = symbol;
    return { ...rest, name, qualified_name: name, start_line, end_line: 3, body, tokens, relevance: "primary" };
  };
  const file = { ...one, symbols: [of("Shop", 1, shop, 50), of("Shop.add", 2, add, 30)], snippets: [] };
  const excerpt = { start_line: 1, end_line: 1, text: "[shop]", reason: "matches the task" };
  const plain = { ...one, path: "shop.toml", symbols: [], snippets: [excerpt] };
  const own = { start_line: 1, end_line: 2, text: "class Shop:\n    open = True", reason: "own lines of Shop" };
  const cut = { ...of("Shop", 1, "", 40), body: null, end_line: 9 };
  const excerpts = { ...one, path: "large.py", symbols: [cut], snippets: [own] };
  const files = [file, plain, excerpts];
  const page = reportPage({ package: { ...found, files, token_count: 110 }, round: 2, record });
  expect(page).toContain("1 definition, 40 tokens</span></summary>");
  expect(page).toContain("2 definitions, 50 tokens</span></summary>");
  expect(page).toContain(", 1 excerpt</span></summary>");
  expect(page.split("def add(self):")).toHaveLength(2);
  expect(page).toContain('what the task is about</th><td class="n">90</td>');
  expect(page).toContain('lines outside of definitions</th><td class="n">20</td>');
});

test("the page says why a package ends, and what did not fit", async () => {
  const { package: found, record } = await readSource();
  const of = (stop: ContextPackage["provenance"]["budget"]["stop"], before: number): string =>
    reportPage({
      package: { ...found, provenance: { ...found.provenance, budget: { ...found.provenance.budget, before, stop } } },
      round: 2,
      record,
    });
  const stop = { coverage: "auto", reason: "enough", expected_share: 0.9, next: [] } as const;
  const used = found.token_count;
  const auto = of({ ...stop, next: [] }, used);
  expect(auto).toContain("It ends there because more is hardly expected to be worth its tokens.</p>");
  const half = of({ ...stop, coverage: 0.5, next: [] }, used);
  expect(half).toContain("It ends there because 50 % of what is expected to matter is covered.</p>");
  const full = of({ ...stop, reason: "budget", next: [] }, used + 1);
  expect(full).toContain(`the budget is full. All that is worth its tokens would take ${used + 1}.</p>`);
  expect(of(undefined, used + 1)).toContain(`tokens. All relevant material would take ${used + 1}.</p>`);
});

test("a package that was made with another index than the round says so", async () => {
  const source = await readSource();
  const again = (record: RunRecord): string => reportPage({ package: source.package, round: 2, record });
  const rounds = source.record.rounds.map((one) => ({ ...one, token_count: source.package.token_count }));
  expect(again({ ...source.record, rounds })).not.toContain("the package is made again");
  const changed = rounds.map((one) => ({ ...one, content_hash: "0", files: 3, token_count: 71 }));
  expect(again({ ...source.record, rounds: changed })).toContain("since this round, which gave 3 files and 71 tokens");
});

test.skipIf(CHROMIUM === null)(
  "in a browser, nothing hostile runs, the decisions can be searched, and a file shows its imports",
  async () => {
    await using browser = await openPage(Bun.pathToFileURL(file).href);
    expect(await browser.value("document.title")).toStartWith("cra: weighing of parcels </title><script>");
    expect(await browser.value("document.images.length + document.scripts.length")).toBe(1);
    const search = (words: string, state: string): string => `(() => {
    document.getElementById("words").value = ${JSON.stringify(words)};
    document.getElementById("state").value = ${JSON.stringify(state)};
    document.getElementById("words").dispatchEvent(new Event("input"));
    return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() =>
      done(Array.from(document.querySelectorAll("#decisions tbody tr:not([hidden])"), (row) => row.textContent)))));
  })()`;
    const rows = await browser.value(search("part_7.py weigh_part_7", "in"));
    expect(Array.isArray(rows) && rows.length > 0 && rows.every((row) => String(row).includes("lib/part_7.py"))).toBe(
      true,
    );
    expect(await browser.value(search("nothing has these words", ""))).toEqual([]);
    const focused = `(() => { const node = document.querySelector(".node"); node.focus(); node.dispatchEvent(new Event("mouseenter")); return document.activeElement === node ? document.querySelectorAll(".edge.on").length : -1; })()`;
    expect(await browser.value(focused)).toBeGreaterThan(0);
    const opened = `(() => { location.hash = "#file-2"; return new Promise((done) => setTimeout(() => done(document.getElementById("file-2").open))); })()`;
    expect(await browser.value(opened)).toBe(true);
    expect(browser.complaints).toEqual([]);
  },
);

test.skipIf(CHROMIUM === null)("in a browser, a link to a file opens it, also the second time", async () => {
  await using browser = await openPage(`${Bun.pathToFileURL(file).href}#file-2`);
  expect(await browser.value('document.getElementById("file-2").open')).toBe(true);
  const again = `(() => {
    const node = document.querySelector(".node");
    const file = document.getElementById("file-" + node.dataset.id);
    file.open = false;
    node.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    return new Promise((done) => setTimeout(() => done(file.open)));
  })()`;
  expect(await browser.value(again)).toBe(true);
});

test.skipIf(CHROMIUM === null)("in a browser, a narrow page can be read", async () => {
  await using browser = await openPage(Bun.pathToFileURL(file).href);
  const cells = `(() => {
    document.body.style.width = "320px";
    for (const one of document.querySelectorAll("details")) one.open = true;
    return Math.min(...Array.from(document.querySelectorAll("#decisions td:not(.n), #rounds tbody td"), (cell) => cell.getBoundingClientRect().width));
  })()`;
  // Six characters and more, so that words are not set letter below letter.
  expect(await browser.value(cells)).toBeGreaterThan(60);
  const wide = `Array.from(document.querySelectorAll("body *")).filter((one) => one.closest(".scroll *, pre, .skip") === null
    && one.getBoundingClientRect().right > document.body.getBoundingClientRect().right).map((one) => one.outerHTML.slice(0, 80))`;
  expect(await browser.value(wide)).toEqual([]);
});

test.skipIf(CHROMIUM === null)("in a browser, words differ enough from the paper", async () => {
  await using browser = await openPage(Bun.pathToFileURL(file).href);
  const contrasts = `(() => {
    const light = (color) => {
      const [red, green, blue] = color.match(/\\d+/g).map((part) => part / 255).map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const paper = light(getComputedStyle(document.body).backgroundColor) + 0.05;
    return ["td.in", ".soft", "a", "body"].map((query) => light(getComputedStyle(document.querySelector(query)).color) + 0.05)
      .map((ink) => Math.max(ink, paper) / Math.min(ink, paper));
  })()`;
  const found = await browser.value(contrasts);
  expect(found).toBeArrayOfSize(4);
  expect(Array.isArray(found) ? Math.min(...found.map(Number)) : 0).toBeGreaterThanOrEqual(4.5);
});

test.skipIf(CHROMIUM === null)("in a browser, a package of 500 files opens and responds", async () => {
  const { package: found, record } = await readSource();
  const copies = Array.from({ length: 500 }, (_, at) => at);
  const [one] = found.files;
  if (one === undefined) throw new Error("the package has no file");
  const large = {
    ...found,
    files: copies.map((at) => ({ ...one, path: `copy/part_${at}.py`, relevance_rank: at + 1 })),
    dependency_edges: copies.slice(1).map((at): [string, string] => [`copy/part_${at}.py`, `copy/part_${at >> 1}.py`]),
  };
  const path = join(folder.path, "large.html");
  writeFileSync(path, reportPage({ package: large, round: 2, record }));
  await using browser = await openPage(Bun.pathToFileURL(path).href);
  expect(await browser.value('document.querySelectorAll("details.file").length')).toBe(500);
  expect(await browser.value('document.querySelectorAll(".node").length')).toBe(48);
  const opened = `(() => { location.hash = "#file-499"; return new Promise((done) => setTimeout(() => done(document.getElementById("file-499").open))); })()`;
  expect(await browser.value(opened)).toBe(true);
  expect(browser.complaints).toEqual([]);
});
