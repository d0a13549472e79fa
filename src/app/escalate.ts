/**
 * Hands escalation its edges: the run's folder, the repository's documents, what is remembered, and the clock.
 *
 * Nothing is opened for writing, no index is needed and none is brought up to date. Paths are checked here: the run's
 * folder is the one that the user names, links followed; below it, and below the repository's root, no link is.
 * Not here: deciding and choosing (`escalation/`), reading (`source/walk/sandboxed-reader.ts`).
 */
import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Config } from "../config/settings.ts";
import { type Evidence, escalate } from "../escalation/escalate.ts";
import type { EscalationDecision, RetrievalBundle } from "../escalation/escalation-schema.ts";
import { Failed } from "../failure.ts";
import type { Redactor } from "../secrets/redactor.ts";
import { ABSENT, listedFileReader, listFiles } from "../source/walk/sandboxed-reader.ts";
import { isSecretPath } from "../source/walk/secret-paths.ts";
import { skipByPath, skipByText } from "../source/walk/skip.ts";
import { systemErrorWords } from "../text/system-errors.ts";
import type { Environment, EscalateRequest } from "./app-types.ts";
import type { EscalationMemory } from "./escalate-memory.ts";

type EscalationWorld = {
  /** The repository's root, a real path. */
  readonly root: string;
  readonly dataDir: string;
  readonly config: Config;
  readonly environment: Environment;
  readonly memory: EscalationMemory;
  readonly redactor: Redactor;
};

/** Throws a usage failure for a run's folder that is none, and for a phase that cannot be part of a file's name. */
export async function runEscalation(
  { root, dataDir, config, environment, memory, redactor }: EscalationWorld,
  { runDir, ...request }: EscalateRequest,
  signal: AbortSignal,
): Promise<EscalationDecision | RetrievalBundle> {
  checkPhase(request.phase);
  const run = realFolder(runDir, environment.cwd);
  const deps = {
    run: runEvidence(run),
    documents: documentEvidence(root, config, { without: [run, dataDir], environment }),
    isWorthShowing: (path: string, text: string) => skipByText(path, text) === null,
    documentBytesMax: config.settings["index.max_file_size"],
    ...memory,
    redactor,
    nowMs: () => Date.now(),
  };
  return escalate(deps, request, signal);
}

/** The run's own files, whatever is ignored around them; secrets, empty files and what is no text by its name are left out. */
function runEvidence(folder: string): Evidence {
  const isWanted = (path: string, sizeBytes: number): boolean => {
    const reason = skipByPath(path, sizeBytes, { bytesMax: Number.POSITIVE_INFINITY, vendoredIsMain: true });
    return sizeBytes > 0 && !isSecretPath(path) && reason !== "binary";
  };
  return {
    list: (signal) => listFiles(folder, { under: [""], ignore: null, without: [], isWanted, signal }),
    read: listedFileReader(folder),
  };
}

/** Files of the configured folders that would be indexed, but for empty ones. */
function documentEvidence(
  root: string,
  { settings, explained }: Config,
  { without, environment }: { readonly without: readonly string[]; readonly environment: Environment },
): Evidence {
  const limits = { bytesMax: settings["index.max_file_size"], vendoredIsMain: false };
  const isDefault = explained.every(({ key, kind }) => key !== "escalate.docs" || kind === "default");
  const under = settings["escalate.docs"].map((folder) => (folder === "." ? "" : folder.replace(/\/$/, "")));
  return {
    async list(signal) {
      const listing = await listFiles(root, {
        under,
        ignore: { patterns: settings["index.ignore"], variables: environment.variables },
        without,
        isWanted: (path, sizeBytes) => sizeBytes > 0 && skipByPath(path, sizeBytes, limits) === null,
        signal,
      });
      // Few repositories have all folders that are looked for unasked.
      const absent = listing.problems.filter(({ path, why }) => under.includes(path) && why === ABSENT);
      const isMissed = !isDefault || absent.length === under.length;
      return isMissed ? listing : { ...listing, problems: listing.problems.filter((one) => !absent.includes(one)) };
    },
    read: listedFileReader(root),
  };
}

function realFolder(typed: string, cwd: string): string {
  const refused = (why: string): Failed =>
    new Failed({
      code: "usage",
      message: `--run-dir: ${typed === "" ? "it is empty" : `${typed}: ${why}`}`,
      next: "name the folder that the run left its logs in",
    });
  if (typed === "" || typed.includes("\0")) throw refused("it is no path");
  try {
    const real = realpathSync(resolve(cwd, typed));
    if (statSync(real).isDirectory()) return real;
  } catch (error) {
    throw refused(systemErrorWords(error));
  }
  throw refused("it is not a folder");
}

/** Longer names of files are not allowed by any system. */
const PHASE_CHARS_MAX = 200;

function checkPhase(phase: string): void {
  const why =
    phase === ""
      ? "it is empty"
      : phase.length > PHASE_CHARS_MAX
        ? `it has more than ${PHASE_CHARS_MAX} characters`
        : /[/\\\p{Cc}]/u.test(phase) || !phase.isWellFormed() || /^\.{1,2}$/.test(phase)
          ? "it cannot be part of a file's name"
          : null;
  if (why === null) return;
  const next = "name the phase as its logs do, such as phase_001";
  throw new Failed({ code: "usage", message: `--phase: ${why}`, next });
}
