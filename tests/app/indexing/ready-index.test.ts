/** The index that an answer is from: the stored one, or one that is made for it. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { type App, openApp } from "../../../src/app/app.ts";
import type { IndexNeeds } from "../../../src/app/indexing/ready-index.ts";
import { dataPaths } from "../../../src/db/data-folder/paths.ts";
import { takeIndexLock } from "../../../src/db/sqlite/lock.ts";
import { environmentIn } from "../../support/environment.ts";
import { HANG_MS } from "../../support/hang.ts";
import { MANY_FILES } from "../../support/many-files.ts";
import { tempRepo } from "../../support/repo.ts";

const LOGIN = { "app/login.py": "def login_user(name):\n    return check_password(name)\n" };
const NEVER = new AbortController().signal;
const HOLDER = { pid: 4711, host: "elsewhere", startedAt: "2024-01-01T00:00:00.000Z" };

async function packageFrom(app: App, quick: NonNullable<IndexNeeds["quick"]>) {
  const { settings } = app.config;
  const given = { settings, hintPaths: [], hintSymbols: [], template: null, strict: false };
  const needs = { refresh: true, quick, onRefresh: () => undefined };
  const run = app.retrieve({ task: "login_user is slow", ...given, ...needs }, NEVER);
  for (;;) {
    const step = await run.next();
    if (step.done) return step.value.package;
  }
}

test(
  "while another process indexes, only an index that is far behind gives way to a first answer",
  async () => {
    using repo = tempRepo(LOGIN);
    const app = await openApp({ environment: environmentIn(repo.path, { HOME: "/none" }), repo: null, flags: [] });
    try {
      await app.index({ failFast: false, rebuild: false, onProgress: () => undefined }, NEVER);
      const { lock: path } = dataPaths(join(repo.path, ".cra"));
      const lock = await takeIndexLock(path, HOLDER, 0);
      try {
        repo.write({ "app/new.py": "def other():\n    return 1\n" });
        expect((await packageFrom(app, true)).provenance.provisional).toBeUndefined();
        repo.write(MANY_FILES);
        for (const quick of [true, "if-large"] as const)
          expect((await packageFrom(app, quick)).provenance.provisional).toMatchObject({ index: "behind" });
        expect((await packageFrom(app, false)).provenance.provisional).toBeUndefined();
      } finally {
        lock.release();
      }
    } finally {
      app.close();
    }
  },
  HANG_MS,
);

test(
  "a small repository is indexed before an answer that would otherwise be asked for twice",
  async () => {
    using repo = tempRepo(LOGIN);
    const app = await openApp({ environment: environmentIn(repo.path, { HOME: "/none" }), repo: null, flags: [] });
    try {
      expect((await packageFrom(app, true)).provenance.provisional).toMatchObject({ index: "none" });
      expect(app.isIndexed()).toBe(false);
      expect((await packageFrom(app, "if-large")).provenance.provisional).toBeUndefined();
      expect(app.isIndexed()).toBe(true);
    } finally {
      app.close();
    }
  },
  HANG_MS,
);
