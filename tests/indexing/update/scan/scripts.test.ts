/** Scripts without an ending are parsed as the language of their first line, which a new content can change. */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openKnowledgeBase } from "../../../../src/db/curated/open-knowledge-base.ts";
import { dumpCuratedFile } from "../../../support/dump.ts";
import { tempFolder } from "../../../support/folder.ts";
import { tempRepo } from "../../../support/repo.ts";
import { shared } from "../../../support/shared.ts";
import { onOneThread, runIndex, sharedPool, type World, world } from "../index-repo-world.ts";

const scratch = shared(tempFolder()).path;
const FILES = {
  "lib/cart.js": "exports.total = (items) => items.length;\n",
  "bin/tool":
    '#!/usr/bin/env node\nconst { total } = require("../lib/cart.js");\nfunction checkout() {\n  total([]);\n}\n',
  "bin/report": "#!/usr/bin/env -S python3 -u\ndef report_totals():\n    return 1\n",
  hooks: "#!/bin/sh\ninstall_hooks() {\n  echo done\n}\n",
  notes: "total of the cart\n",
};

/** Files with their languages, and the functions in them. */
function found({ paths }: World, root: string) {
  const kb = openKnowledgeBase(paths.curated, root);
  try {
    const files = kb.files();
    const functions = kb.symbolsIn(files.map(({ id }) => id)).filter(({ kind }) => kind === "function");
    const languages = Object.fromEntries(files.map(({ path, language }) => [path, language]));
    return { languages, functions: functions.map(({ name }) => name).sort() };
  } finally {
    kb.close();
  }
}

test("a script is parsed and linked, and stays so in runs that do not read it", async () => {
  using repo = tempRepo(FILES, { git: true });
  const here = onOneThread(world(repo.path, join(scratch, "a"), sharedPool()));
  await runIndex(here);
  const scripts = { "bin/report": "python", "bin/tool": "javascript", hooks: "bash" };
  const languages = { ...scripts, "lib/cart.js": "javascript", notes: "text" };
  expect(found(here, repo.path)).toMatchObject({ languages });
  expect(found(here, repo.path).functions).toEqual(
    expect.arrayContaining(["checkout", "install_hooks", "report_totals"]),
  );
  expect(dumpCuratedFile(here.paths.curated)).toMatch(/bin\/tool.*lib\/cart\.js/);

  writeFileSync(join(repo.path, "notes"), "none\n");
  const second = await runIndex(here);
  expect([second.files, second.parsed]).toEqual([{ added: 0, changed: 1, removed: 0, unchanged: 4 }, 1]);
  expect(found(here, repo.path)).toMatchObject({ languages });

  writeFileSync(join(repo.path, "hooks"), "#!/usr/bin/env ruby\ndef install_all\nend\n");
  await runIndex(here);
  expect(found(here, repo.path)).toMatchObject({ languages: { ...languages, hooks: "ruby" } });
  const fresh = onOneThread(world(repo.path, join(scratch, "b"), sharedPool()));
  await runIndex(fresh);
  expect(dumpCuratedFile(here.paths.curated)).toBe(dumpCuratedFile(fresh.paths.curated));
});
