import { expect, test } from "bun:test";
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fenceTokens } from "../../../src/app/workspace/fence-secret.ts";
import { openFence } from "../../../src/judgement/fence.ts";
import { tempFolder } from "../../support/folder.ts";

test("the fence of a task is the same in every run of a user, and another for other tasks and users", () => {
  using state = tempFolder();
  using other = tempFolder();
  const of = (path: string, task: string): string => fenceTokens({ XDG_STATE_HOME: path })(task);
  const token = of(state.path, "Fix the login.");
  expect(openFence(token).token).toBe(token);
  expect(of(state.path, "Fix the login.")).toBe(token);
  expect(of(state.path, "Fix the logout.")).not.toBe(token);
  expect(of(other.path, "Fix the login.")).not.toBe(token);
});

test("the secret is for the user alone, and no token tells it", () => {
  using state = tempFolder();
  const token = fenceTokens({ XDG_STATE_HOME: state.path })("Fix the login.");
  const path = join(state.path, "cra", "fence-secret");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readFileSync(path).length).toBe(32);
  expect(readFileSync(path).toString("hex")).not.toContain(token);
});

test("without a place for a secret, or with a broken one, tokens hold for the process alone", () => {
  using state = tempFolder();
  using piped = tempFolder();
  for (const { path } of [state, piped]) fenceTokens({ XDG_STATE_HOME: path });
  writeFileSync(join(state.path, "cra", "fence-secret"), "short");
  const pipe = join(piped.path, "cra", "fence-secret");
  rmSync(pipe);
  Bun.spawnSync(["mkfifo", pipe]);
  for (const env of [{}, { XDG_STATE_HOME: state.path }, { XDG_STATE_HOME: piped.path }]) {
    const tokens = fenceTokens(env);
    expect(tokens("a")).toBe(tokens("a"));
    expect(fenceTokens(env)("a")).not.toBe(tokens("a"));
  }
});
