/** `cra doctor --self`: whether all that is inside of this program works on this machine. */
import type { SelfCheck } from "../../app/self-check.ts";
import { counted, pairs } from "../../present/layout.ts";
import { VERSION } from "../../version.ts";
import { checkTerminal } from "../output/terminal-check.ts";
import { buildOf } from "../output/version-text.ts";
import type { Runner } from "../syntax/command.ts";

export const run: Runner = async ({ output, signal, device, environment }) => {
  const { checkSelf } = await import("../../app/self-check.ts");
  const { SIZE_MIN } = await import("../../tui/state/state.ts");
  const checks = [...(await checkSelf(signal)), checkTerminal(device, environment.variables, SIZE_MIN)];
  const failed = checks.filter(({ ok }) => !ok).length;
  if (output.look.json) await output.json(reportJson(checks));
  else
    await output.data(
      pairs([
        ["cra", `${VERSION.version} (${buildOf(VERSION)})`],
        ...checks.map(({ name, ok, what }): [string, string] => [name, `${ok ? "ok" : "WRONG"}: ${what}`]),
        ["verdict", failed === 0 ? "nothing is wrong" : `${counted(failed, "thing")} of ${checks.length} wrong`],
      ]),
    );
  return failed === 0 ? 0 : 1;
};

function reportJson(checks: readonly SelfCheck[]) {
  return {
    schema_version: 1,
    version: VERSION.version,
    commit: VERSION.commit,
    released: VERSION.released,
    ok: checks.every(({ ok }) => ok),
    checks: checks.map(({ name, ok, what }) => ({ name, ok, message: what })),
  };
}
