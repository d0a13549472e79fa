/** Widening and narrowing the package on a real terminal: what is promised, applied, undone, and found again. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { tempFolder } from "../support/folder.ts";
import { HANG_MS } from "../support/hang.ts";
import { tempRepo } from "../support/repo.ts";
import { runCra } from "../support/run-cra.ts";
import { shared } from "../support/shared.ts";
import { at, openTui } from "../support/terminal-user.ts";

const repo = shared(
  tempRepo(
    Object.fromEntries(
      Array.from({ length: 40 }, (_, part) => [
        `shop/part_${part}.py`,
        `def voucher_${part}(amount):\n${`    amount = amount - ${part}  # the voucher is applied\n`.repeat(4 + part)}    return amount\n`,
      ]),
    ),
  ),
);
const folder = shared(tempFolder());
const TASK = "the voucher is applied twice, see voucher_3";

test(
  "one key widens and one narrows; a round applies it, undo takes it back, and a draft keeps it",
  async () => {
    const env = { CRA_DATA_DIR: join(folder.path, "data"), CRA_COVERAGE: "0.5" };
    await using user = await openTui([TASK], { cwd: repo.path, env, columns: 120, rows: 40 });
    await user.until(at("review"));
    await user.until(/enough at [\d,]+ of 32,768 · next: voucher_\d+/);

    user.press("review", "coverage.widen");
    const promised = await user.until(/Coverage 0\.8: [\d,]+ of 32,768 tokens, [\d,]+ more\. In: \S+/);
    const tokens = /Coverage 0\.8: ([\d,]+) /.exec(promised)?.[1] ?? "";
    user.press("review", "package.refine");
    await user.until(at("changes"));
    expect(user.text()).toMatch(/\+ added +(?:shop|voucher)/);
    expect(user.text()).toContain("round 2");
    user.press("changes", "app.back");
    await user.until(at("review"));
    await user.until(`${tokens} of 32,768`);
    await user.until("coverage 0.8");

    user.press("review", "coverage.narrow");
    await user.until(/Coverage 0\.7: .* less\. Out: /);
    user.press("review", "mark.undo");
    await user.until("Coverage 0.8 again: the package of round 2");
    user.press("review", "mark.redo");
    await user.until(/Coverage 0\.7: .* less\. Out: /);
    user.press("review", "app.quit");
    expect(await user.ended).toEqual({ exitCode: 0, signal: null });

    const { stdout } = await runCra(["sessions", "--json"], { cwd: repo.path, env });
    const taskId: string = JSON.parse(stdout).sessions[0].task_id;
    await using again = await openTui(["--resume", taskId], { cwd: repo.path, env, columns: 120, rows: 40 });
    await again.until(at("review"));
    await again.until(/next round [\d,]+ of 32,768 · coverage 0\.7/);
    again.press("review", "command.open");
    await again.until(/--coverage 0\.8/);
    again.press("command", "app.back");
    await again.until(at("review"));
    again.press("review", "app.interrupt", "app.interrupt");
    await again.ended;
  },
  HANG_MS,
);
