/**
 * Escalation with its real inputs: the run's folder, the repository's documents, the memory store, and the clock.
 *
 * Nothing is opened for writing and no index is needed. Only the run's folder, which the user names, may be a link; links
 * below it and below the repository's root are not followed.
 */
import { lstatSync, realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Config } from "../../config/settings.ts";
import {
  type EscalationDeps,
  type EscalationRequest,
  type EvidenceFiles,
  escalate,
} from "../../escalation/escalate.ts";
import type { EscalationDecision, RetrievalBundle } from "../../escalation/escalation-schema.ts";
import { Failed } from "../../failure.ts";
import { rankTexts, similarFailures } from "../../recall/search/similar-failures.ts";
import { ABSENT, listedFileReader, listFiles } from "../../source/walk/sandboxed-reader.ts";
import { isSecretPath } from "../../source/walk/secret-paths.ts";
import { skipByPath, skipByText } from "../../source/walk/skip.ts";
import { systemErrorWords } from "../../text/system-errors.ts";
import type { Environment } from "../workspace/environment.ts";
import { embeddingFailureWords, openEmbedder, sendingNotice } from "../workspace/open-model.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { openSearcher } from "./open-searcher.ts";

/** `runDir` is the folder that the failed run left, absolute or relative to the working folder. */
export type EscalateRequest = EscalationRequest & { readonly runDir: string };

/** Throws a usage failure for a run folder that does not exist, and for a phase that cannot be part of a file name. */
export async function runEscalation(
  workspace: Workspace,
  { runDir, ...request }: EscalateRequest,
  signal: AbortSignal,
): Promise<EscalationDecision | RetrievalBundle> {
  const { root, dataDir, config, environment, redactor } = workspace;
  checkPhase(request.phase);
  const run = realFolder(runDir, environment.cwd);
  const deps = {
    run: runEvidence(run),
    documents: documentEvidence(root, config, { without: [run, dataDir.path], environment }),
    whyHidden: skipByText,
    documentBytesMax: config.settings["index.max_file_size"],
    ...memoryDeps(workspace),
    redactor,
    nowMs: () => Date.now(),
  };
  return escalate(deps, request, signal);
}

/** Memory is only read: entries without a stored vector are found by their words. */
function memoryDeps(workspace: Workspace): Pick<EscalationDeps, "similarFailures" | "rankByMeaning"> {
  const { paths, config, onNotice } = workspace;
  const { embedding_model: name } = config.settings;
  // A model that fails for the documents would fail again, each time after the whole time limit.
  let isBroken = false;
  return {
    async similarFailures(query, limit, signal) {
      refuseUnfinished(paths.memory);
      const searched = isBroken ? withoutEmbeddings(workspace) : workspace;
      const { searcher, close } = await openSearcher(searched, { path: paths.memory, storesVectors: false }, signal);
      try {
        return await similarFailures(searcher, query, limit, signal);
      } finally {
        close();
      }
    },
    rankByMeaning:
      name === null
        ? null
        : async (query, texts, signal) => {
            const source = await openEmbedder(workspace, name);
            const sending = sendingNotice(config.settings);
            if (sending !== null) onNotice(sending);
            const embedder = await source.open(signal);
            const withPaths = texts.map(({ path, text }) => `${path}\n${text}`);
            const ranked = await rankTexts(embedder, query, withPaths, signal);
            if (ranked.ok) return ranked.scores;
            isBroken = true;
            const words = embeddingFailureWords(ranked.failure, embedder);
            throw new Failed({ code: "model-failed", stage: "embedding", ...words });
          },
  };
}

const withoutEmbeddings = (workspace: Workspace): Workspace => ({
  ...workspace,
  config: { ...workspace.config, settings: { ...workspace.config.settings, embedding_model: null } },
});

/** Opening a store that a killed writer left half written would roll back its work, which is a write. */
function refuseUnfinished(path: string): void {
  if ((lstatSync(`${path}-journal`, { throwIfNoEntry: false })?.size ?? 0) === 0) return;
  const message = "another process is writing it, or was stopped while writing";
  throw new Failed({ code: "io", message, where: path, next: "run any cra recall to repair it" });
}

/** The run's own files, ignored or not; files with secrets by their name, empty files and binary files are left out. */
function runEvidence(folder: string): EvidenceFiles {
  const isWanted = (path: string, sizeBytes: number): boolean => {
    const reason = skipByPath(path, sizeBytes, { bytesMax: Number.POSITIVE_INFINITY, vendoredIsMain: true });
    return sizeBytes > 0 && !isSecretPath(path) && reason !== "binary";
  };
  return {
    list: (signal) => listFiles(folder, { under: [""], ignore: null, without: [], isWanted, signal }),
    read: listedFileReader(folder),
  };
}

/** Files of the configured folders that would be indexed, except empty ones. */
function documentEvidence(
  root: string,
  { settings, explained }: Config,
  { without, environment }: { readonly without: readonly string[]; readonly environment: Environment },
): EvidenceFiles {
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
      // Few repositories have all of the default folders.
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
  if (typed === "" || typed.includes("\0")) throw refused("it is not a path");
  try {
    const real = realpathSync(resolve(cwd, typed));
    if (statSync(real).isDirectory()) return real;
  } catch (error) {
    throw refused(systemErrorWords(error));
  }
  throw refused("it is not a folder");
}

/** No system allows longer file names. */
const PHASE_CHARS_MAX = 200;

function checkPhase(phase: string): void {
  const why =
    phase === ""
      ? "it is empty"
      : phase.length > PHASE_CHARS_MAX
        ? `it has more than ${PHASE_CHARS_MAX} characters`
        : /[/\\\p{Cc}]/u.test(phase) || !phase.isWellFormed() || /^\.{1,2}$/.test(phase)
          ? "it cannot be part of a file name"
          : null;
  if (why === null) return;
  const next = "name the phase as its logs do, such as phase_001";
  throw new Failed({ code: "usage", message: `--phase: ${why}`, next });
}
