/** The shop repository, indexed once. Each run uses a copy of its data without cached answers. */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { indexIn } from "./index-in.ts";
import type { TempRepo } from "./repo.ts";
import { type CraRun, runCra } from "./run-cra.ts";
import type { RunsCra } from "./run-here.ts";
import { SHOP_TASK, shopRepo } from "./shop.ts";
import { STAND_IN_MODEL } from "./stand-in-ollama.ts";

export type JudgedShop = Disposable & {
  readonly repo: TempRepo;
  /** A copy of the data of the indexed shop. */
  fresh(): string;
  /** Runs `cra` on the data in `dataDir`. */
  run(dataDir: string, args: readonly string[], env?: Readonly<Record<string, string>>): Promise<CraRun>;
  /** Retrieves the shop's task unless another is given. */
  retrieve(
    dataDir: string,
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
    task?: string,
  ): Promise<CraRun>;
};

/**
 * Indexes a repository, by default the shop; disposing removes it. Later runs go through `runs`: the compiled binary or
 * this process.
 */
export async function judgedShop(runs: RunsCra = runCra, repo: TempRepo = shopRepo()): Promise<JudgedShop> {
  const folder = mkdtempSync(join(tmpdir(), "cra-judged-"));
  const indexed = join(folder, "indexed");
  await indexIn(repo, indexed);
  let copies = 0;
  const run: JudgedShop["run"] = (dataDir, args, env = {}) =>
    runs([...args, "--data-dir", dataDir], { cwd: repo.path, env: { CRA_TOKENIZER: "approximate", ...env } });
  return {
    repo,
    fresh() {
      copies += 1;
      const copy = join(folder, `copy-${copies}`);
      cpSync(indexed, copy, { recursive: true });
      return copy;
    },
    run,
    retrieve: (dataDir, args, env, task = SHOP_TASK) => run(dataDir, ["retrieve", task, "--no-refresh", ...args], env),
    [Symbol.dispose]() {
      repo[Symbol.dispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Arguments that select the stand-in model at `url`. */
export const asking = (url: string): readonly string[] => ["--model", STAND_IN_MODEL, "--base-url", url];

/** The further arguments that `--strict` requires. */
export const STRICTLY = ["--strict", "--stages", "scope,precision", "--budget", "8000"] as const;
