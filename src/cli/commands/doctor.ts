/** `cra doctor`: exit code 1 when something is wrong. Changes nothing. */
import { relative } from "node:path";
import type { Checkup } from "../../app/upkeep/doctor.ts";
import type { SelfCheck } from "../../app/upkeep/self-check.ts";
import type { Diagnostic, Severity } from "../../db/check/diagnostic.ts";
import { EXIT, Failed } from "../../failure.ts";
import { bytesText, counted } from "../../present/amounts.ts";
import { pairs } from "../../present/layout.ts";
import { shellWord } from "../../text/shell-word.ts";
import { VERSION } from "../../version.ts";
import { MODEL, SERVER_OPTIONS } from "../options/model-options.ts";
import { checkTerminal } from "../output/terminal-check.ts";
import { buildOf } from "../output/version-text.ts";
import { appRequest, locationWords } from "../requests/app-request.ts";
import type { AgentCheck } from "../setup/check-agents.ts";
import type { Command, Context } from "../syntax/command.ts";
import { withApp, withProgress } from "../with-app.ts";

export const DOCTOR: Command = {
  name: "doctor",
  summary: "check every database and print the command that repairs it",
  arguments: [],
  options: [
    {
      flag: "--self",
      summary: "check the program itself on this machine; needs no repository",
      conflicts: ["--model"],
    },
    { ...MODEL, summary: "ask this model a made-up question: version, window, speed, and how long a judged run takes" },
    ...SERVER_OPTIONS,
  ],
  examples: [
    { line: "cra doctor", does: "check everything, change nothing; exits 1 if something is wrong" },
    {
      line: "cra doctor --model qwen3:4b",
      does: "see whether a model answers, how fast, and what this machine has memory for",
    },
    { line: "cra doctor --self", does: "check that database, grammars, tokenizers and terminal work here" },
  ],
  run: (context) =>
    context.values.switch("--self")
      ? checkProgram(context)
      : context.values.flags.has("model")
        ? checkModelOf(context)
        : checkDatabases(context),
};

async function checkDatabases(context: Context): Promise<number> {
  return await withApp(context, async (app) => {
    const { output, signal } = context;
    const checkup = await withProgress(context, app, ({ progress }) => app.examine(progress.update, signal));
    const findings = checkup.findings.map((finding) => ({ ...finding, mend: repairHere(context, finding.mend) }));
    const { checkAgents } = await import("../setup/check-agents.ts");
    const found = { ...checkup, findings, agents: checkAgents(app.root, context.environment) };
    await output.result({
      json: () => reportJson(app.root, found),
      text: () => reportText(app.root, found, repairHere(context, "cra index") ?? ""),
    });
    if (findings.some(({ severity }) => severity !== "note")) return 1;
    return checkup.indexed ? 0 : EXIT["not-indexed"];
  });
}

/** A repair command with the options that name this repository and data folder. */
function repairHere({ values }: Context, mend: string | null): string | null {
  if (!mend?.startsWith("cra ")) return mend;
  return [mend, ...locationWords(values).map((word) => (word.startsWith("--") ? word : shellWord(word)))].join(" ");
}

type Found = Checkup & { readonly agents: readonly AgentCheck[] };

function reportText(root: string, { dataDir, indexed, files, bytes, findings, agents }: Found, index: string): string {
  const lines = findings.flatMap(({ severity, where, what, mend }): [string, string][] => [
    [severity, `${shortPath(dataDir, where)}: ${what}`],
    ...(mend === null ? [] : [["", `repair it: ${mend}`] satisfies [string, string]]),
  ]);
  const rows: [string, string][] = [
    ["repository", root],
    ["data", files === 0 ? `${dataDir} (empty)` : `${dataDir} (${counted(files, "file")}, ${bytesText(bytes)})`],
    ...(indexed ? [] : [["index", `none; run: ${index}`] satisfies [string, string]]),
    ...lines,
    ...agents.map(({ agent, scope, what }): [string, string] => [
      "agent",
      `${agent}, for this ${scope}: ${what}${scope === "user" && what.includes("cra setup") ? " --user" : ""}`,
    ]),
    ["verdict", verdict(findings)],
  ];
  return pairs(rows);
}

/** A path relative to the data folder, if it is inside. */
function shortPath(dataDir: string, where: string): string {
  const inside = relative(dataDir, where);
  return inside === "" || inside.startsWith("..") ? where : inside;
}

function verdict(findings: readonly Diagnostic[]): string {
  const of = (severity: Severity): number => findings.filter((finding) => finding.severity === severity).length;
  const parts = (["error", "warning"] as const).flatMap((severity) =>
    of(severity) === 0 ? [] : [counted(of(severity), severity)],
  );
  return parts.length === 0 ? "nothing is wrong" : parts.join(", ");
}

function reportJson(root: string, { dataDir, indexed, files, bytes, findings, agents }: Found) {
  return {
    schema_version: 1,
    repository: root,
    data_dir: dataDir,
    indexed,
    ok: findings.every(({ severity }) => severity === "note"),
    files,
    bytes,
    findings: findings.map(({ severity, code, where, what, mend }) => ({
      severity,
      code,
      path: where,
      message: what,
      mend,
    })),
    agents: agents.map(({ agent, scope, ok, what }) => ({ agent, scope, ok, message: what })),
  };
}

async function checkModelOf(context: Context): Promise<number> {
  const { output, signal, environment, loadApp } = context;
  const { config } = await (await loadApp()).openConfig(appRequest(context));
  const { settings } = config;
  if (settings.model === null)
    throw new Failed({ code: "usage", message: "--model names no model", next: "name one: --model qwen3:4b" });
  const { checkModel } = await import("../../app/upkeep/model-check.ts");
  const found = await checkModel(settings.model, { settings, variables: environment.variables }, signal);
  const { modelCheckJson, modelCheckText } = await import("../../present/model-check-report.ts");
  await output.result({ json: () => modelCheckJson(found), text: () => modelCheckText(found) });
  return 0;
}

async function checkProgram({ output, signal, device, environment }: Context): Promise<number> {
  const { checkSelf } = await import("../../app/upkeep/self-check.ts");
  const { SIZE_MIN } = await import("../../tui/state/state.ts");
  const checks = [...(await checkSelf(signal)), checkTerminal(device, environment.variables, SIZE_MIN)];
  const failed = checks.filter(({ ok }) => !ok).length;
  await output.result({
    json: () => selfJson(checks),
    text: () =>
      pairs([
        ["cra", `${VERSION.version} (${buildOf(VERSION)})`],
        ...checks.map(({ name, ok, what }): [string, string] => [name, `${ok ? "ok" : "WRONG"}: ${what}`]),
        ["verdict", failed === 0 ? "nothing is wrong" : `${failed} of ${counted(checks.length, "check")} failed`],
      ]),
  });
  return failed === 0 ? 0 : 1;
}

function selfJson(checks: readonly SelfCheck[]) {
  return {
    schema_version: 1,
    version: VERSION.version,
    commit: VERSION.commit,
    released: VERSION.released,
    ok: checks.every(({ ok }) => ok),
    checks: checks.map(({ name, ok, what }) => ({ name, ok, message: what })),
  };
}
