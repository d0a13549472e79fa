/**
 * Serves work trees of this machine. Their indexes live in the server's own data folder, so nothing is written into a work tree.
 *
 * An index is brought up to date when it is asked for, at most once in a while and for all who ask at that time.
 */
import { createHash } from "node:crypto";
import { join, resolve, sep } from "node:path";
import { userStateFolder } from "../../db/data-folder/paths.ts";
import { Failed } from "../../failure.ts";
import type { Notice } from "../../notice.ts";
import { noticeSentence } from "../../notice-sentence.ts";
import { openConfig } from "../app.ts";
import { index } from "../indexing/index-repository.ts";
import { refresh } from "../indexing/refresh-index.ts";
import type { Environment } from "../workspace/environment.ts";
import { type Member, membersOf } from "../workspace/members.ts";
import { openWorkspace, type Workspace } from "../workspace/workspace.ts";
import { expiringValue } from "./expiring-value.ts";
import type { Repositories } from "./repositories.ts";
import { servedConfig } from "./served-config.ts";

type LocalRequest = {
  readonly environment: Environment;
  /** Folders in repositories, as typed. */
  readonly folders: readonly string[];
  /** The server's data folder as typed; null for the user's state folder. */
  readonly dataDir: string | null;
  /** An index is not compared with the files again for this long. */
  readonly freshMs: number;
  /** Receives what is to be known of an index, and no client sees. */
  report(repository: string, message: string): void;
};

/** Throws `no-repository`, and a usage failure where the data folder is in a work tree or nowhere. */
export function openLocalRepositories(request: LocalRequest): Repositories {
  const { environment, folders, report } = request;
  const members = membersOf(environment.cwd, folders, "name a folder in a repository: cra serve ~/code/api");
  const dataFolder = dataFolderOf(request, members);
  const stop = new AbortController();
  const byName = new Map(
    members.map((member) => {
      const dataDir = join(dataFolder, createHash("sha256").update(member.root).digest("hex").slice(0, 32));
      return [member.name, served(member, dataDir, request, stop.signal)];
    }),
  );
  const names = [...byName.keys()].sort();
  return {
    names: async () => names,
    open: async (name, signal) => (await byName.get(name)?.open(signal)) ?? null,
    distrust: (name) => byName.get(name)?.distrust(),
    async missing() {
      const count = byName.values().reduce((sum, { isReady }) => sum + Number(!isReady()), 0);
      if (count === 0) return null;
      return names.length === 1
        ? "the repository is not indexed yet"
        : `${count} of ${names.length} repositories not indexed yet`;
    },
    async prepare(signal) {
      for (const name of names) {
        if (signal.aborted) return;
        try {
          await byName.get(name)?.open(signal);
        } catch (error) {
          if (signal.aborted) return;
          if (!(error instanceof Failed)) throw error;
          report(name, error.message);
        }
      }
    },
    async close() {
      stop.abort(new Failed({ code: "cancelled", signal: "SIGTERM" }));
      await Promise.all(byName.values().map(({ ended }) => ended()));
    },
  };
}

function dataFolderOf(
  { environment, dataDir }: Pick<LocalRequest, "environment" | "dataDir">,
  members: readonly Member[],
): string {
  const folder = dataDir === null ? userStateFolder(environment.variables) : resolve(environment.cwd, dataDir);
  if (folder === null)
    throw new Failed({
      code: "usage",
      message: "nowhere to store the indexes: HOME is not set",
      next: "choose a folder with --data-dir",
    });
  const holder = members.find(({ root }) => `${folder}${sep}`.startsWith(`${root}${sep}`));
  if (holder === undefined) return dataDir === null ? join(folder, "serve") : folder;
  throw new Failed({
    code: "usage",
    message: `the data folder ${folder} is inside of ${holder.root}, which the server never writes to`,
    next: "choose a folder outside of it with --data-dir",
  });
}

type Served = {
  open(signal: AbortSignal): Promise<Workspace>;
  distrust(): void;
  isReady(): boolean;
  ended(): Promise<void>;
};

/** Brings the index up to date. A damaged one is made anew: it is the server's own, and nobody else would. `isSuspect`: it is checked for damage. */
async function updated(
  workspace: Workspace,
  isSuspect: boolean,
  closing: AbortSignal,
): Promise<{ readonly notices: readonly Notice[] }> {
  const made = () => index(workspace, { failFast: false, rebuild: false, onProgress: () => {} }, closing);
  try {
    return !isSuspect && workspace.index.exists() ? await refresh(workspace, () => {}, closing) : await made();
  } catch (error) {
    if (!(error instanceof Failed) || error.failure.code !== "index-damaged") throw error;
    return await made();
  }
}

function served(
  { name, root }: Member,
  dataDir: string,
  { environment, freshMs, report }: LocalRequest,
  closing: AbortSignal,
): Served {
  let [isReady, isSuspect] = [false, false];
  const renew = async (): Promise<Workspace> => {
    const { config } = await openConfig({ environment, repo: root, flags: [] });
    const workspace = await openWorkspace(root, servedConfig(config, dataDir), environment);
    const checked = isSuspect;
    isSuspect = false;
    const { notices } = await updated(workspace, checked, closing);
    workspace.index.close();
    for (const notice of [...workspace.notices, ...notices]) report(name, noticeSentence(notice));
    return workspace;
  };
  const renewed = async (): Promise<Workspace> => {
    try {
      const workspace = await renew();
      isReady = true;
      return workspace;
    } catch (error) {
      isReady = false;
      throw error;
    }
  };
  const workspace = expiringValue(renewed, freshMs);
  const distrust = (): void => {
    isSuspect = true;
    workspace.expire();
  };
  return { open: workspace.get, distrust, isReady: () => isReady, ended: workspace.ended };
}
