/**
 * Asks cases of several repositories at once: their own, at the commit of the case, and others as they are now.
 *
 * The others are indexed into the work folder, so nothing is written into them. Imports between repositories are not followed.
 */
import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import type { Layer } from "../../config/settings.ts";
import type { KnowledgeBase, OneRepository } from "../../db/curated/knowledge-base.ts";
import { openKnowledgeBase } from "../../db/curated/open-knowledge-base.ts";
import { unionIndex } from "../../db/curated/union/union-index.ts";
import { NO_LINKS } from "../../db/curated/union/union-rows.ts";
import { dataPaths } from "../../db/data-folder/paths.ts";
import type { ReadCase } from "../../evaluation/cases.ts";
import { openApp } from "../app.ts";
import type { Environment } from "../workspace/environment.ts";
import { inHome, membersOf } from "../workspace/members.ts";

/** What every run of cases is given: who asks, with which settings, of which other repositories, and where it may write. */
export type AmongRequest = {
  readonly environment: Environment;
  readonly flags: readonly Layer[];
  /** Folders of other repositories that every case is asked of too, as typed. */
  readonly among: readonly string[];
  /** The work folder, absolute. */
  readonly work: string;
};

/**
 * Indexes and opens the other repositories; `own` is the root of the one that the cases are about, which is no other. The
 * caller closes them. Throws `no-repository`, and what indexing throws.
 */
export async function openAmong(
  { environment, flags, among, work }: AmongRequest,
  own: string,
  signal: AbortSignal,
): Promise<readonly OneRepository[]> {
  const opened: OneRepository[] = [];
  try {
    const folders = among.map((folder) => inHome(folder, environment.variables));
    for (const { name, root } of membersOf(environment.cwd, folders, "correct --among")) {
      if (root === own) continue;
      const data = join(work, "among", createHash("sha256").update(root).digest("hex").slice(0, 16));
      const ownData: Layer = { kind: "flag", entries: new Map([["data_dir", { value: data, where: "--work" }]]) };
      const app = await openApp({ environment, repo: root, flags: [ownData, ...flags] });
      try {
        await app.index({ failFast: false, rebuild: false, onProgress: () => undefined }, signal);
      } finally {
        app.close();
      }
      opened.push({ name, kb: openKnowledgeBase(dataPaths(data).curated, root) });
    }
    return opened;
  } catch (error) {
    for (const { kb } of opened) kb.close();
    throw error;
  }
}

/** The case, and the index that it is asked of, with the paths of both among others. */
export function askedAmong(
  one: ReadCase,
  kb: KnowledgeBase,
  { own, others }: { readonly own: string; readonly others: readonly OneRepository[] },
): { readonly one: ReadCase; readonly kb: KnowledgeBase } {
  if (others.length === 0) return { one, kb };
  const name = basename(one.repo ?? own);
  const placed = (path: string): string => `${name}/${path}`;
  return {
    one: {
      ...one,
      expectedFiles: one.expectedFiles.map(placed),
      expectedTestFiles: one.expectedTestFiles.map(placed),
      expectedSymbols: one.expectedSymbols.map((symbol) => ({
        ...symbol,
        path: symbol.path === null ? null : placed(symbol.path),
      })),
      expectedLines: one.expectedLines?.map((lines) => ({ ...lines, path: placed(lines.path) })) ?? null,
    },
    kb: unionIndex([{ name, kb }, ...others], NO_LINKS, own),
  };
}
