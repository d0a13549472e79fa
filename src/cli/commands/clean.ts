/** `cra clean`: shows disk use; removes only what an option names. */
import { basename } from "node:path";
import type { Cleaned, DiskUse, FreedBy } from "../../app/upkeep/storage.ts";
import { bytesText } from "../../present/amounts.ts";
import { table } from "../../present/layout.ts";
import { counted } from "../../text/counted.ts";
import { confirmLoss } from "../input/input.ts";
import { locationText } from "../requests/app-request.ts";
import type { Command, Context } from "../syntax/command.ts";
import type { Values } from "../syntax/typed-values.ts";
import { withApp } from "../with-app.ts";

export const CLEAN: Command = {
  name: "clean",
  summary: "show disk use, and remove what you name",
  arguments: [],
  options: [
    { flag: "--cache", summary: "remove cached parse results; the index stays" },
    { flag: "--set-aside", summary: "remove damaged files that were moved aside, and leftovers of killed runs" },
    { flag: "--index", summary: "remove the index; cra index rebuilds it" },
    {
      flag: "--vectors",
      summary: "remove the vectors of definitions and commits; cra recall --embed-all recreates them",
    },
    { flag: "--all", summary: "remove all four of these" },
    { flag: "--log", summary: "remove the log of runs and the archived sessions; this cannot be undone" },
    { flag: "--sessions", summary: "remove the sessions of tasks; this cannot be undone" },
    { flag: "--dry-run", summary: "only show what would be removed" },
    { flag: "--yes", summary: "do not ask before removing the log or sessions" },
  ],
  examples: [
    { line: "cra clean", does: "show disk use, remove nothing" },
    { line: "cra clean --cache --set-aside", does: "remove what is safe to remove" },
  ],
  run,
};

async function run(context: Context): Promise<number> {
  const { values, output } = context;
  const named = namedUses(values);
  const dryRun = values.switch("--dry-run") || named.size === 0;
  return await withApp(context, async (app) => {
    const { dataDir, uses } = await app.disk();
    const preview = await app.clean(named, { dryRun: true });
    if (!dryRun && !(await isConfirmed(context, preview))) {
      await output.say("cra: nothing was removed");
      return 1;
    }
    const cleaned = dryRun ? preview : await app.clean(named, { dryRun: false });
    const location = locationText(values);
    await output.result({
      json: () => reportJson(dataDir, uses, cleaned, { dryRun, location }),
      text: () => (named.size === 0 ? usesText(dataDir, uses, location) : cleanedText(cleaned, dryRun)),
    });
    for (const task of cleaned.inUse) await output.say(`cra: note: the session of task ${task} is in use and was kept`);
    return 0;
  });
}

function namedUses(values: Values): ReadonlySet<FreedBy> {
  const all = values.switch("--all");
  const safe = (["cache", "vectors", "set-aside", "index"] as const).filter(
    (name) => all || values.switch(`--${name}`),
  );
  return new Set<FreedBy>([...safe, ...(["log", "sessions"] as const).filter((name) => values.switch(`--${name}`))]);
}

/** Asks before the log or sessions are removed; everything else can be made again. */
async function isConfirmed(context: Context, { removed }: Cleaned): Promise<boolean> {
  const lost = removed.filter(({ freedBy }) => freedBy === "log" || freedBy === "sessions");
  const what = lost.map(({ name, bytes }) => `the ${name} (${bytesText(bytes)})`).join(" and ");
  return lost.length === 0 || (await confirmLoss(context, "Remove", what));
}

const removal = (what: FreedBy, location: string): string => `cra clean${location} --${what}`;

function usesText(dataDir: string, uses: readonly DiskUse[], location: string): string {
  if (uses.length === 0) return `nothing is stored in ${dataDir}\n`;
  const rows = uses.map(({ name, freedBy, files, bytes }) => [
    name,
    bytesText(bytes),
    files.length,
    freedBy === null ? "" : removal(freedBy, location),
    files.length > FILES_NAMED_MAX ? "" : files.map(({ path }) => basename(path)).join(" "),
  ]);
  const total = bytesText(uses.reduce((sum, { bytes }) => sum + bytes, 0));
  return `${dataDir}: ${total}\n${table(["what", "size", "files", "removed by", "names"], rows)}`;
}

/** With more files than this, only their number is shown. */
const FILES_NAMED_MAX = 6;

function cleanedText({ removed, bytes }: Cleaned, dryRun: boolean): string {
  const rows = removed.map(({ name, bytes, files }) => [name, bytesText(bytes), counted(files.length, "file")]);
  const total = `${dryRun ? "would free" : "freed"} ${bytesText(bytes)}`;
  return `${table([dryRun ? "would remove" : "removed", "size", "files"], rows)}${total}\n`;
}

function reportJson(
  dataDir: string,
  uses: readonly DiskUse[],
  { removed, bytes, inUse }: Cleaned,
  { dryRun, location }: { readonly dryRun: boolean; readonly location: string },
) {
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
      removed_by: freedBy === null ? null : removal(freedBy, location),
      files: files.map((file) => ({ path: file.path, bytes: file.bytes, removed: isRemoved(removed, file.path) })),
    })),
  };
}

const isRemoved = (uses: readonly DiskUse[], path: string): boolean =>
  uses.some(({ files }) => files.some((file) => file.path === path));
