/** Requests for single symbols: in full, as a signature, or left out with all their lines. */
import { describe, expect, test } from "bun:test";
import { hiddenLines, withoutHidden } from "../../../src/retrieval/precision/symbol-lines.ts";
import {
  mergeConstraints,
  NO_CONSTRAINTS,
  type RefinementRequest,
} from "../../../src/retrieval/requests/refinement.ts";
import { idsIn, judgeOn, saying, type Told, toldModel } from "../../judgement/told-model.ts";
import { floorOf, indexed, type Run, type RunOptions } from "../../support/indexed.ts";
import { listsOf } from "../../support/judging-reply.ts";
import { shared } from "../../support/shared.ts";
import { SHOP } from "../retrieve-fixture.ts";

const LONG = `"""Boxes."""


class Box:
    """Holds things."""

    size = 3

    def put_thing(self, thing):
        """Puts a thing in."""
        # Kept in a list because order matters.
        self.things.append(thing)

        def inside_put():
            return "closure of put"

        return inside_put

    def take_thing(self):
        return self.things.pop()

    def tiny_thing(self): return 1

    def count_things(self):
        return len(self.things)


def box_maker():
    return Box()
`;
const BIG = `def big_ledger(rows):\n${Array.from({ length: 120 }, (_, at) => `    rows.append("entry number ${at} of the ledger")`).join("\n")}\n    return rows\n`;

const shop = shared(await indexed(SHOP));
const boxes = shared(
  await indexed({
    "box.py": LONG,
    "ledger.py": BIG,
    "guide.md": "# Guide\n\n## v1.2: what is new\n\nNothing is.\n\n## Other\n\nMore.\n",
    "test_box.py":
      "from box import Box\n\n\nclass TestBox:\n    def test_put_thing(self):\n        assert Box().put_thing(1) == 'put it'\n\n    def test_take_thing(self):\n        assert Box().take_thing() == 'took it'\n",
  }),
);

const TASK = "Box.put_thing loses a thing, see box.py";
const asked = (request: RefinementRequest, wishes: RunOptions = {}, task = TASK): Promise<Run> =>
  boxes.run(task, { ...wishes, constraints: mergeConstraints(NO_CONSTRAINTS, request) });
const rowOf = ({ pkg }: Run, name: string) => pkg.provenance.symbols.find((row) => row.qualified_name === name);
const reasonFor = (run: Run, name: string) =>
  boxes.log.decisions(run.taskId).find(({ stage, symbol }) => stage === "precision" && symbol === name)?.reason;

describe("in full", () => {
  test("a symbol comes first, even if its file is out of scope", async () => {
    const plain = await asked({}, { scopeSize: 1, depth: 1 });
    expect(plain.selection.files.map(({ file }) => file.path)).not.toContain("ledger.py");
    const run = await asked({ as_body: ["ledger.py:big_ledger"] }, { budget: 2_600, scopeSize: 1 });
    expect(rowOf(run, "big_ledger")).toMatchObject({ tier: "primary", detail: "body" });
    expect(rowOf(run, "big_ledger")?.why).toEndWith("asked for in full");
    const file = run.pkg.provenance.files.find(({ path }) => path === "ledger.py");
    expect([file?.tier, file?.relation]).toEqual(["ranked", "holds ledger.py:big_ledger, which was asked for"]);
    expect(run.pkg.warnings.join()).not.toContain("no room");
  });

  test("a body that does not fit is cut, and a warning within the budget names it", async () => {
    const cut = await asked({ as_body: ["ledger.py:big_ledger"] }, { budget: 900 });
    const said = 'there is no room for all of "ledger.py:big_ledger"; an excerpt is shown';
    expect(rowOf(cut, "big_ledger")?.detail).toBe("excerpt");
    expect(cut.pkg.warnings).toContain(said);
    expect(cut.events).toContainEqual({ event: "notice", code: "body-cut", message: said });
    expect(cut.pkg.token_count).toBeGreaterThan(700);
    expect(cut.pkg.token_count).toBeLessThanOrEqual(900);
    const floor = await floorOf(asked({ as_body: ["ledger.py:big_ledger"] }, { budget: 1 }));
    const least = await asked({ as_body: ["ledger.py:big_ledger"] }, { budget: floor });
    expect(rowOf(least, "big_ledger")?.detail).toBe("signature");
    expect(least.pkg.warnings.join()).toContain("its signature is shown");
  });

  test("a test, a heading, and a file that the globs exclude", async () => {
    const run = await asked(
      { as_body: ["test_box.py:TestBox.test_take_thing", "guide.md:Guide.v1.2: what is new"] },
      { exclude: ["*.md"], budget: 4_000 },
    );
    expect(rowOf(run, "TestBox.test_take_thing")).toMatchObject({ tier: "tests", detail: "body" });
    expect(rowOf(run, "Guide.v1.2: what is new")).toMatchObject({ tier: "primary", detail: "body" });
    expect(run.markdown).toContain("Nothing is.");
  });
});

describe("as a signature", () => {
  test("no line or comment of the body is shown, not even by the enclosing class", async () => {
    const plain = await asked({}, { budget: 4_000 });
    expect(plain.markdown).toContain("self.things.append(thing)");
    const run = await asked({ as_signature: ["box.py:Box.put_thing"] }, { budget: 4_000 });
    expect(rowOf(run, "Box.put_thing")?.detail).toBe("signature");
    expect(run.markdown).toContain("def put_thing(self, thing)");
    for (const text of [run.markdown, run.prompt, JSON.stringify(run.pkg.files)])
      for (const line of ["self.things.append", "order matters"]) expect(text).not.toContain(line);
    expect(rowOf(run, "Box.take_thing") ?? rowOf(run, "Box")).toBeDefined();
  });

  test("the methods of a class do not change", async () => {
    const run = await asked({ as_signature: ["box.py:Box"], as_body: ["box.py:Box.put_thing"] }, { budget: 4_000 });
    expect(rowOf(run, "Box")?.detail).toBe("signature");
    expect(rowOf(run, "Box.put_thing")?.detail).toBe("body");
    expect(run.markdown).toContain("self.things.append(thing)");
    expect(run.markdown).not.toContain("size = 3");
  });
});

describe("left out", () => {
  test("a symbol is hidden with its members, its lines in other items, and its assertions", async () => {
    const run = await asked(
      { left_out: ["box.py:Box.put_thing", "box.py:Box.tiny_thing", "test_box.py:TestBox.test_put_thing"] },
      { budget: 4_000 },
    );
    for (const name of ["Box.put_thing", "Box.put_thing.inside_put", "Box.tiny_thing"])
      expect([name, rowOf(run, name)]).toEqual([name, undefined]);
    for (const text of [run.markdown, run.prompt, JSON.stringify(run.pkg.files)])
      for (const line of ["def put_thing", "closure of put", "order matters", "tiny_thing", "put it"])
        expect(text).not.toContain(line);
    expect(run.markdown).toContain("class Box");
    expect(reasonFor(run, "Box.put_thing")).toBe("left out, as asked");
  });

  test("a member that is requested or missing itself stays", async () => {
    for (const kept of [{ as_body: ["box.py:Box.take_thing"] }, { missing_symbols: ["Box.take_thing"] }]) {
      const run = await asked({ left_out: ["box.py:Box"], ...kept }, { budget: 4_000 });
      expect(run.markdown).toContain("self.things.pop()");
      for (const line of ["self.things.append", "size = 3", "len(self.things)"])
        expect(run.markdown).not.toContain(line);
      expect(reasonFor(run, "Box.count_things")).toBe("left out with Box, as asked");
    }
  });

  test("it overrides a missing symbol, with a notice", async () => {
    const run = await asked({ left_out: ["box.py:box_maker"], missing_symbols: ["box_maker"] }, { budget: 4_000 });
    expect(rowOf(run, "box_maker")).toBeUndefined();
    expect(run.pkg.warnings).toContain('the symbol "box_maker" is named as missing and as left out; it is not shown');
  });

  test("an accepted file without any shown symbol is still named", async () => {
    const names = ["Box", "box_maker"].map((name) => `box.py:${name}`);
    const run = await asked({ accepted_files: ["box.py"], left_out: names }, { budget: 4_000 });
    expect(run.pkg.files.map(({ path }) => path)).toContain("box.py");
    for (const line of ["class Box", "def box_maker", "return Box()"]) expect(run.markdown).not.toContain(line);
  });

  test("in other files no other lines replace it", async () => {
    const task = "the letter: send_newsletter";
    const plain = await shop.run(task);
    const mine = (run: Run) => run.pkg.provenance.symbols.filter(({ path }) => path === "shop/legacy/report.py");
    const name = "shop/legacy/report.py:monthly_report";
    const run = await shop.run(task, { constraints: { ...NO_CONSTRAINTS, left_out: [name] } });
    expect(mine(run).length).toBeLessThanOrEqual(mine(plain).length);
    expect(run.markdown).not.toContain("def monthly_report");
  });
});

test("names are exact; unknown ones are reported, and rejected ones unless they are left out", async () => {
  const run = await asked({
    as_body: ["box.py:put_thing", "ox.py:Box", "ledger.py:big_ledger"],
    as_signature: ["gone.py:Box"],
    left_out: ["box.py:Nothing", "ledger.py:big_ledger"],
    rejected_files: ["ledger.py"],
  });
  expect(run.pkg.warnings.filter((line) => line.startsWith("the symbol "))).toEqual([
    'the symbol "box.py:put_thing" is not in the index; did you mean box.py:Box.put_thing?',
    'the symbol "ledger.py:big_ledger" is only in rejected files',
    'the symbol "ox.py:Box" is not in the index',
    'the symbol "gone.py:Box" is not in the index',
    'the symbol "box.py:Nothing" is not in the index',
  ]);
});

test("requests do not change the questions to a model, and its verdicts do not override them", async () => {
  const requests: string[] = [];
  const least: Told = (request, call) => {
    requests.push(...idsIn(request.prompt).map(String));
    return saying(listsOf(request.format).includes("relevant") ? "relevant" : "none")(request, call);
  };
  const judged = (): RunOptions => ({
    openJudge: ({ memory, onCall }) => ({
      judge: judgeOn({ ...toldModel(least), name: "least" }, { memory, onCall }).judge,
      sayFailure: () => ({ why: "", next: "" }),
    }),
    judging: { model: "least", assistOnly: false, strict: false },
  });
  const first = await boxes.run(TASK, judged());
  const calls = requests.length;
  expect(calls).toBeGreaterThan(0);
  const request = {
    as_body: ["box.py:Box.take_thing"],
    as_signature: ["box.py:Box.count_things"],
    left_out: ["box.py:Box.put_thing"],
  };
  const preview = await first.dryRun.preview({ request, budget: null }, new AbortController().signal);
  const run = await boxes.run(TASK, { ...judged(), refines: { taskId: first.taskId, request } });
  expect(requests.length).toBe(calls);
  expect(preview).toMatchObject({ kind: "package", exact: true });
  expect(JSON.stringify(preview.kind === "package" && preview.package)).toBe(JSON.stringify(run.pkg));
  expect(rowOf(run, "Box.take_thing")?.detail).toBe("body");
  expect(rowOf(run, "Box.count_things")?.detail).toBe("signature");
  expect(rowOf(run, "Box.put_thing")).toBeUndefined();
  const verdict = boxes.log
    .decisions(run.taskId)
    .find(({ stage, symbol }) => stage === "precision:judgement" && symbol === "Box.take_thing");
  expect(verdict?.reason).toBe("judged excluded by least");
  const other = await first.dryRun.preview(
    { request: { error_signatures: ["PutError: gone"] }, budget: null },
    new AbortController().signal,
  );
  expect(other).toMatchObject({ kind: "package", exact: false });
  expect(requests.length).toBe(calls);
});

test("hidden lines are removed from ranges", () => {
  const LINES = Array.from({ length: 20 }, () => "code");
  const range = (startLine: number, endLine: number) => ({ startLine, endLine });
  expect(withoutHidden([range(1, 9)], [], LINES)).toEqual([range(1, 9)]);
  expect(withoutHidden([range(1, 9), range(12, 14)], [range(3, 4), range(9, 12)], LINES)).toEqual([
    range(1, 2),
    range(5, 8),
    range(13, 14),
  ]);
  expect(withoutHidden([range(2, 3)], [range(1, 9)], LINES)).toEqual([]);
});

test("a symbol that starts on its holder's first line hides only the lines after it", async () => {
  const rows = boxes.kb.symbolsNamed(["Box", "put_thing"]);
  const [box, put] = [rows.find(({ name }) => name === "Box"), rows.find(({ name }) => name === "put_thing")];
  if (box === undefined || put === undefined) throw new Error("not indexed");
  expect(hiddenLines([put], box)).toEqual([{ startLine: put.docLine, endLine: put.endLine }]);
  expect(hiddenLines([box], put)).toEqual([]);
  expect(hiddenLines([box], box)).toEqual([]);
  const oneLine = { ...put, docLine: box.startLine, startLine: box.startLine, endLine: box.startLine };
  expect(hiddenLines([oneLine], box)).toEqual([]);
  expect(hiddenLines([oneLine], null)).toEqual([{ startLine: box.startLine, endLine: box.startLine }]);
});
