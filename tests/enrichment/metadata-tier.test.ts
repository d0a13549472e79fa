/** What was promoted brings files into scope that no word of the task leads to, and is part of a run's identity. */
import { expect, test } from "bun:test";
import type { Metadata } from "../../src/db/curated/write/file-metadata.ts";
import { indexed } from "../support/indexed.ts";

const FILES = {
  "src/ledger.py": "def post(entry):\n    return entry\n",
  "src/window.py": "def draw(shape):\n    return shape\n",
  "src/billing.py": "def invoice(order):\n    return order\n",
};
const TASK = "Bookkeeping rounds to whole euros";
const ABOUT: Readonly<Record<string, Metadata>> = {
  "src/ledger.py": {
    purpose: "Keeps accounts.",
    module: "ledger",
    domain: "finance",
    concepts: ["bookkeeping", "double entry"],
    publicApiSurface: ["post"],
    complexityNotes: null,
  },
};

test("a promoted concept brings its file into scope in the metadata tier", async () => {
  using without = await indexed(FILES);
  const before = await without.run(TASK, { scopeSize: 1 });
  expect(before.task.concepts).toEqual([]);
  expect(before.notices.map(({ code }) => code)).toContain("enrichment-missing");
  expect(before.selection.files.filter(({ tier }) => tier === "metadata")).toEqual([]);
  using here = await indexed(FILES, { promoted: ABOUT });
  const after = await here.run(TASK, { scopeSize: 1 });
  expect(after.task.concepts).toEqual(["bookkeeping"]);
  expect(after.notices.map(({ code }) => code)).not.toContain("enrichment-missing");
  const found = after.selection.files.find(({ file }) => file.path === "src/ledger.py");
  expect([found?.tier, found?.relation]).toEqual(["metadata", "its metadata shares bookkeeping with the task"]);
  expect(here.kb.fileMetadata()).toMatchObject([{ purpose: "Keeps accounts.", domain: "finance" }]);
});

test("its signals count with metadata, and are absent without", async () => {
  const weights = { domain_match: 1, concept_overlap: 1 };
  const terms = async (promoted: typeof ABOUT) => {
    using here = await indexed(FILES, { promoted });
    const { selection } = await here.run("Finance: bookkeeping rounds", { weights });
    const ledger = selection.files.find(({ file }) => file.path === "src/ledger.py");
    return (ledger?.score.terms ?? []).flatMap(({ signal, value }) => (signal in weights && value > 0 ? [signal] : []));
  };
  expect((await terms(ABOUT)).toSorted()).toEqual(["concept_overlap", "domain_match"]);
  expect(await terms({})).toEqual([]);
});

test("the id of a task depends on the promoted metadata and on its file, not on the folder", async () => {
  const idWith = async (promoted: typeof ABOUT): Promise<string> => {
    using here = await indexed(FILES, { promoted });
    return (await here.run(TASK)).taskId;
  };
  const id = await idWith(ABOUT);
  expect(await idWith(ABOUT)).toBe(id);
  const moved = Object.fromEntries(Object.values(ABOUT).map((metadata) => ["src/window.py", metadata]));
  expect(new Set([id, await idWith({}), await idWith(moved)]).size).toBe(3);
});
