/** `cra doctor`: what is wrong with what is stored, and the command that mends it; with `--self`, of the program. */
import { relative } from "node:path";
import type { Checkup } from "../../app/doctor.ts";
import type { Finding, Severity } from "../../db/check/diagnostic.ts";
import { EXIT } from "../../failure.ts";
import { bytesText, counted, pairs } from "../../present/layout.ts";
import { shellWord } from "../../text/shell-word.ts";
import { appRequest } from "../requests/app-request.ts";
import type { Context, Runner } from "../syntax/command.ts";
import { withApp } from "../with-app.ts";

export const run: Runner = async (context) =>
  context.values.switch("--self") ? await (await import("./self-check.ts")).run(context) : await examined(context);

const examined: Runner = async (context) =>
  await withApp(context, appRequest(context), async (app) => {
    const { output, signal } = context;
    const progress = output.progress(app.nowMs);
    const checkup = await app.examine(progress.update, signal).finally(progress.clear);
    const findings = checkup.findings.map((finding) => ({ ...finding, mend: mendHere(context, finding.mend) }));
    const found = { ...checkup, findings };
    if (output.look.json) await output.json(reportJson(app.root, found));
    else await output.data(reportText(app.root, found, mendHere(context, "cra index") ?? ""));
    if (findings.some(({ severity }) => severity !== "note")) return 1;
    return checkup.indexed ? 0 : EXIT["not-indexed"];
  });

/** The command as it must be typed for this repository and data folder. */
function mendHere({ values }: Context, mend: string | null): string | null {
  if (!mend?.startsWith("cra ")) return mend;
  const repo = values.text("--repo");
  const dataDir = values.flags.get("data_dir")?.typed;
  return [
    mend,
    ...(repo === undefined ? [] : [`--repo ${shellWord(repo)}`]),
    ...(typeof dataDir === "string" ? [`--data-dir ${shellWord(dataDir)}`] : []),
  ].join(" ");
}

function reportText(root: string, { dataDir, indexed, files, bytes, findings }: Checkup, index: string): string {
  const lines = findings.flatMap(({ severity, where, what, mend }): [string, string][] => [
    [severity, `${placeOf(dataDir, where)}: ${what}`],
    ...(mend === null ? [] : [["", `mend it: ${mend}`] satisfies [string, string]]),
  ]);
  const rows: [string, string][] = [
    ["repository", root],
    ["data", files === 0 ? `${dataDir} (empty)` : `${dataDir} (${counted(files, "file")}, ${bytesText(bytes)})`],
    ...(indexed ? [] : [["index", `none; run: ${index}`] satisfies [string, string]]),
    ...lines,
    ["verdict", verdict(findings)],
  ];
  return pairs(rows);
}

/** Inside of the data folder names are enough. */
function placeOf(dataDir: string, where: string): string {
  const inside = relative(dataDir, where);
  return inside === "" || inside.startsWith("..") ? where : inside;
}

function verdict(findings: readonly Finding[]): string {
  const of = (severity: Severity): number => findings.filter((finding) => finding.severity === severity).length;
  const parts = (["error", "warning"] as const).flatMap((severity) =>
    of(severity) === 0 ? [] : [counted(of(severity), severity)],
  );
  return parts.length === 0 ? "nothing is wrong" : parts.join(", ");
}

function reportJson(root: string, { dataDir, indexed, files, bytes, findings }: Checkup) {
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
  };
}
