/**
 * Indexes a commit for a team, without a checkout: clones the repository to a temporary folder, begins with what the store has of it, and pushes
 * what that makes.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "../../config/read-files.ts";
import type { Layer } from "../../config/settings.ts";
import { Failed } from "../../failure.ts";
import { checkOut } from "../../source/git/clone.ts";
import { mirrorRepository } from "../../source/git/mirror.ts";
import type { JobCommit } from "../../store/jobs.ts";
import type { StoreName } from "../indexing/index-repository.ts";
import type { Environment } from "../workspace/environment.ts";
import { openWorkspace } from "../workspace/workspace.ts";
import { indexFromStore } from "./index-from.ts";
import { push } from "./push.ts";

/** Where commits come from and go to, and settings. `clone` has `*` in the place of a repository's name. */
type Places = { readonly store: StoreName; readonly clone: string; readonly flags: readonly Layer[] };

const onProgress = (): void => undefined;

/** Returns how many contents were parsed. Throws what cloning, indexing and pushing throw, and the signal's reason. */
export async function indexCommit(
  environment: Environment,
  { store, clone, flags }: Places,
  { repository: name, commit, branch, withTexts }: JobCommit,
  signal: AbortSignal,
): Promise<number> {
  const notCloned = (message: string): Failed =>
    new Failed({ code: "io", message, where: `${name} at ${commit.slice(0, 12)}`, next: "check --clone" });
  const folder = mkdtempSync(join(tmpdir(), "cra-work-"));
  try {
    const [mirror, root] = [join(folder, "mirror"), join(folder, "repo")];
    const { variables } = environment;
    const problem = await mirrorRepository(
      clone.replaceAll("*", () => name),
      mirror,
      variables,
      signal,
    );
    signal.throwIfAborted();
    if (problem !== null) throw notCloned(problem);
    const done = await checkOut({ from: mirror, commit, folder: root, environment: variables, signal });
    signal.throwIfAborted();
    if (done.kind === "problem") throw notCloned(done.why);
    if (done.missing > 0) throw notCloned(`${done.missing} files are missing`);
    const { settings, ...config } = loadConfig({ flags, variables: environment.variables, root });
    const workspace = await openWorkspace(root, { ...config, settings: { ...settings, data_dir: null } }, environment);
    try {
      const asked = { failFast: false, rebuild: false, onProgress };
      const { parsed } = await indexFromStore(workspace, asked, { store, name }, signal);
      await push(workspace, { store, name, branch, withTexts, onProgress }, signal);
      return parsed;
    } finally {
      workspace.index.close();
      workspace.log.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
