/** `cra clean`: what takes disk, and removes what is named. */
import { basename } from "node:path";
import type { Cleaned } from "../../app/clean.ts";
import type { DiskUse, FreedBy } from "../../app/storage.ts";
import { Failed } from "../../failure.ts";
import { bytesText, counted, table } from "../../present/layout.ts";
import { appRequest } from "../requests/app-request.ts";
import type { Context, Runner } from "../syntax/command.ts";
import type { Values } from "../syntax/typed-values.ts";
import { withApp } from "../with-app.ts";

export const run: Runner = async (context) => {
  const { values, output } = context;
  const named = namedIn(values);
  const dryRun = values.switch("--dry-run") || named.size === 0;
  return await withApp(context, appRequest(context), async (app) => {
    const { dataDir, uses } = await app.disk();
    const would = await app.clean(named, { dryRun: true });
    if (!dryRun && !(await mayRemove(context, would))) {
      await output.say("cra: nothing was removed");
      return 1;
    }
    const cleaned = dryRun ? would : await app.clean(named, { dryRun: false });
    if (output.look.json) await output.json(reportJson(dataDir, uses, cleaned, dryRun));
    else await output.data(named.size === 0 ? usesText(dataDir, uses) : cleanedText(cleaned, dryRun));
    for (const task of cleaned.inUse) await output.say(`cra: note: the session of task ${task} is in use and stays`);
    return 0;
  });
};

function namedIn(values: Values): ReadonlySet<FreedBy> {
  const all = values.switch("--all");
  const safe = (["cache", "vectors", "set-aside", "index"] as const).filter(
    (name) => all || values.switch(`--${name}`),
  );
  return new Set<FreedBy>([...safe, ...(["log", "sessions"] as const).filter((name) => values.switch(`--${name}`))]);
}

/** What cannot be made again is removed only when somebody says so once more. */
async function mayRemove({ values, input, signal }: Context, { removed }: Cleaned): Promise<boolean> {
  const precious = removed.filter(({ freedBy }) => freedBy === "log" || freedBy === "sessions");
  if (precious.length === 0 || values.switch("--yes")) return true;
  const what = precious.map(({ name, bytes }) => `the ${name} (${bytesText(bytes)})`).join(" and ");
  if (!input.canAsk)
    throw new Failed({ code: "usage", message: `nothing brings back ${what}`, next: "add --yes to remove it" });
  const answer = await input.confirm(`Remove ${what}? Nothing brings it back.`);
  signal.throwIfAborted();
  return answer;
}

function usesText(dataDir: string, uses: readonly DiskUse[]): string {
  if (uses.length === 0) return `nothing is stored in ${dataDir}\n`;
  const rows = uses.map(({ name, freedBy, files, bytes }) => [
    name,
    bytesText(bytes),
    files.length,
    freedBy === null ? "" : `cra clean --${freedBy}`,
    files.length > FILES_NAMED_MAX ? "" : files.map(({ path }) => basename(path)).join(" "),
  ]);
  const total = bytesText(uses.reduce((sum, { bytes }) => sum + bytes, 0));
  return `${dataDir}: ${total}\n${table(["what", "size", "files", "removed by", "names"], rows)}`;
}

/** More names say less than their number. */
const FILES_NAMED_MAX = 6;

function cleanedText({ removed, bytes }: Cleaned, dryRun: boolean): string {
  const rows = removed.map(({ name, bytes, files }) => [name, bytesText(bytes), counted(files.length, "file")]);
  const total = `${dryRun ? "would free" : "freed"} ${bytesText(bytes)}`;
  return `${table([dryRun ? "would remove" : "removed", "size", "files"], rows)}${total}\n`;
}

function reportJson(dataDir: string, uses: readonly DiskUse[], { removed, bytes, inUse }: Cleaned, dryRun: boolean) {
  return {
    schema_version: 1,
    data_dir: dataDir,
    dry_run: dryRun,
    bytes: uses.reduce((sum, use) => sum + use.bytes, 0),
    freed_bytes: bytes,
    in_use: inUse,
    uses: uses.map(({ name, freedBy, files, bytes: size }) => ({
      name,
      bytes: size,
      removed_by: freedBy === null ? null : `cra clean --${freedBy}`,
      files: files.map((file) => ({ path: file.path, bytes: file.bytes, removed: isIn(removed, file.path) })),
    })),
  };
}

const isIn = (uses: readonly DiskUse[], path: string): boolean =>
  uses.some(({ files }) => files.some((file) => file.path === path));
