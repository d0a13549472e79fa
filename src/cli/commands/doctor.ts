/** `cra doctor`: exit code 1 when something is wrong. Changes nothing. */
import { relative } from "node:path";
import type { Checkup, FolderCheckup } from "../../app/upkeep/doctor.ts";
import type { SelfCheck } from "../../app/upkeep/self-check.ts";
import type { Diagnostic, Severity } from "../../db/check/diagnostic.ts";
import { EXIT, Failed } from "../../failure.ts";
import { bytesText } from "../../present/amounts.ts";
import { pairs } from "../../present/layout.ts";
import { counted } from "../../text/counted.ts";
import { shellWord } from "../../text/shell-word.ts";
import { VERSION } from "../../version.ts";
import { MODEL, SERVER_OPTIONS } from "../options/model-options.ts";
import { completed } from "../output/suggested-commands.ts";
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
    const here = locationWords(context.values);
    const { checkAgents } = await import("../setup/check-agents.ts");
    const found: Found = {
      ...withRepairs(checkup, here),
      members: checkup.members.map((member) => withRepairs(member, ["--repo", member.root])),
      asksOthers: app.config.settings["workspace.repos"].length > 0,
      agents: checkAgents(app.root, context.environment).map((agent) =>
        agent.scope === "user" ? agent : { ...agent, what: completed(agent.what, context) },
      ),
    };
    await output.result({
      json: () => reportJson(app.root, found),
      text: () => reportText(app.root, found, repairOf("cra index", here) ?? ""),
    });
    if (!isSound(allFindings(found))) return 1;
    return isIndexed(found) ? 0 : EXIT["not-indexed"];
  });
}

/** The findings with repair commands that name a repository and data folder, by the options in `words`. */
const withRepairs = <Checked extends FolderCheckup>(checkup: Checked, words: readonly string[]): Checked => ({
  ...checkup,
  findings: checkup.findings.map((finding) => ({ ...finding, mend: repairOf(finding.mend, words) })),
});

function repairOf(mend: string | null, words: readonly string[]): string | null {
  if (!mend?.startsWith("cra ")) return mend;
  return [mend, ...words.map((word) => (word.startsWith("--") ? word : shellWord(word)))].join(" ");
}

/** `asksOthers`: questions are asked of other repositories instead of this one. */
type Found = Checkup & { readonly asksOthers: boolean; readonly agents: readonly AgentCheck[] };

const isIndexed = ({ asksOthers, members, indexed }: Found): boolean =>
  asksOthers ? members.every((member) => member.indexed) : indexed;

const allFindings = ({ findings, members }: Checkup): readonly Diagnostic[] => [
  ...members.flatMap((member) => member.findings),
  ...findings,
];

const isSound = (findings: readonly Diagnostic[]): boolean => findings.every(({ severity }) => severity === "note");

type Row = readonly [string, string];

/** Of several repositories a block each, then the one where they are asked. */
function reportText(root: string, found: Found, index: string): string {
  const { asksOthers, members, agents } = found;
  const blocks = members.map((member) => [[member.name, member.root] satisfies Row, ...folderRows(member, index)]);
  const rows: Row[] = [
    [asksOthers ? "asked from" : "repository", root],
    ...folderRows(asksOthers ? { ...found, indexed: true } : found, index),
    ...agents.map(({ agent, scope, what }): Row => ["agent", `${agent}, for this ${scope}: ${what}`]),
    ["verdict", verdict(allFindings(found))],
  ];
  return [...blocks, rows].map(pairs).join("\n");
}

const folderRows = ({ dataDir, indexed, files, bytes, findings }: FolderCheckup, index: string): readonly Row[] => [
  ["data", files === 0 ? `${dataDir} (empty)` : `${dataDir} (${counted(files, "file")}, ${bytesText(bytes)})`],
  ...(indexed ? [] : [["index", `none; run: ${index}`] satisfies Row]),
  ...findings.flatMap(({ severity, where, what, mend }): Row[] => [
    [severity, `${shortPath(dataDir, where)}: ${what}`],
    ...(mend === null ? [] : [["", `repair it: ${mend}`] satisfies Row]),
  ]),
];

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

function reportJson(root: string, found: Found) {
  const { members, agents } = found;
  return {
    schema_version: 1,
    ...folderJson(root, found),
    indexed: isIndexed(found),
    ok: isSound(allFindings(found)),
    repositories: members.map((member) => ({ name: member.name, ...folderJson(member.root, member) })),
    agents: agents.map(({ agent, scope, ok, what }) => ({ agent, scope, ok, message: what })),
  };
}

const folderJson = (root: string, { dataDir, indexed, files, bytes, findings }: FolderCheckup) => ({
  repository: root,
  data_dir: dataDir,
  indexed,
  ok: isSound(findings),
  files,
  bytes,
  findings: findings.map(({ severity, code, where, what, mend }) => ({
    severity,
    code,
    path: where,
    message: what,
    mend,
  })),
});

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
