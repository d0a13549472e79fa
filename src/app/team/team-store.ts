/** What the commands for a team's store share: which store, which repository in it, and which snapshots this build can use. */
import { createHash } from "node:crypto";
import { PORTABLE_VERSION } from "../../db/curated/portable/portable-schema.ts";
import { CURATED_SCHEMA } from "../../db/curated/schema.ts";
import { Failed } from "../../failure.ts";
import { type BuildVersions, buildVersionsOf } from "../../indexing/update/scan/compare.ts";
import type { Notice } from "../../notice.ts";
import { openStore, type Store } from "../../store/open-store.ts";
import { isRepositoryName } from "../../store/snapshots.ts";
import { VERSION } from "../../version.ts";
import type { StoreName } from "../indexing/index-repository.ts";
import { EXTRACTOR, LIGHT_RUN, optionsOf } from "../indexing/indexing-deps.ts";
import type { Environment } from "../workspace/environment.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** Opens a store for facts of this build. Throws what `openStore` does. */
export const openTeamStore = (
  { variables }: Pick<Environment, "variables">,
  name: StoreName & { readonly overwrites?: boolean },
  signal: AbortSignal,
): Promise<Store> => openStore({ ...name, variables }, EXTRACTOR, signal);

/** A warning when others could listen. */
export const transportNotices = ({ isPrivate, shown }: Store): readonly Notice[] =>
  isPrivate ? [] : [{ code: "store-open", host: shown }];

/** Everything besides content that decides how rows look, and one hash of it (`Snapshot.build`). */
export function buildOf(workspace: Workspace): BuildVersions & { readonly build: string } {
  const made = { craVersion: VERSION.version, extractorVersion: EXTRACTOR };
  const versions = buildVersionsOf(made, optionsOf(workspace, LIGHT_RUN));
  const { craVersion, extractorVersion, configHash } = versions;
  const all = [craVersion, extractorVersion, configHash, CURATED_SCHEMA.migrations.length, PORTABLE_VERSION];
  return { ...versions, build: createHash("sha256").update(JSON.stringify(all)).digest("hex").slice(0, 32) };
}

/**
 * The name of a repository in a store: as given, or the host and path of its remote, as in `github.com/pallets/flask`. Throws a usage
 * failure without either, or for a remote whose path is none.
 */
export function repositoryName(given: string | undefined, remoteUrl: string | null): string {
  const name = given ?? (remoteUrl === null ? null : nameOfRemote(remoteUrl));
  if (name !== null && isRepositoryName(name)) return name;
  throw new Failed({
    code: "usage",
    message: nameProblem(given, remoteUrl, name),
    next: "name it with --name, such as --name example.com/team/app",
  });
}

function nameProblem(given: string | undefined, remoteUrl: string | null, name: string | null): string {
  if (given !== undefined) return "--name: not a name for a repository";
  if (remoteUrl === null) return "the repository has no remote to take its name from";
  return `the address of the remote makes no name for a repository${name === null ? "" : `: ${name}`}`;
}

function nameOfRemote(url: string): string | null {
  const scp = /^(?:[^@/:]+@)?(?<host>[^/:]+):(?!\/\/)(?<path>.+)$/.exec(url)?.groups;
  const parsed = scp === undefined && URL.canParse(url) ? new URL(url) : null;
  const [host, path] =
    scp === undefined ? [parsed?.hostname ?? "", parsed?.pathname ?? ""] : [scp.host ?? "", scp.path ?? ""];
  const plain = path
    .split("/")
    .filter((part) => part !== "")
    .join("/")
    .replace(/\.git$/, "");
  return host === "" || plain === "" ? null : `${host.toLowerCase()}/${plain}`;
}
