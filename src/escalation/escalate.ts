/**
 * Bounded deep retrieval for a failure: decides by the triggers, then gathers what the run, the repository and memory
 * have to say, each within its caps.
 *
 * It reads through what it is handed and writes nothing. The result depends on the files, the bundle and the time alone;
 * of the time, only `timestamp` and what is within 24 hours.
 */
import { Failed } from "../failure.ts";
import type { Redactor } from "../secrets/redactor.ts";
import type { FileListing, ListedFile, Part, PartialRead } from "../source/walk/sandboxed-reader.ts";
import { isAscii } from "../text/terms/normalize.ts";
import { capsFor } from "./caps.ts";
import { earlierLogs, LOG_BYTES_MAX } from "./earlier-logs.ts";
import type { EscalationDecision, RetrievalBundle } from "./escalation-schema.ts";
import type { HandoffBundle } from "./handoff-bundle.ts";
import { keywordsOf } from "./keywords.ts";
import { entrySize, failureQuery, type SimilarFailures, withinCaps } from "./memory-entries.ts";
import { foldedBytes, shownText, textOf } from "./part-text.ts";
import { relevanceCounter } from "./relevance.ts";
import { runArtifacts } from "./run-artifacts.ts";
import { type RankByMeaning, type SotReader, sotFiles } from "./source-of-truth-files.ts";
import { isoTime } from "./time.ts";
import { type Decision, decide } from "./triggers.ts";

/** Files of one folder, or of several of one root. */
export type Evidence = {
  list(signal: AbortSignal): Promise<FileListing>;
  read(file: ListedFile, part: Part): PartialRead;
};

export type EscalationDeps = {
  readonly run: Evidence;
  readonly documents: Evidence;
  /** Whether a document is worth showing, by its text. */
  isWorthShowing(path: string, text: string): boolean;
  /** Documents are read up to this size; `documents` lists no larger ones. */
  readonly documentBytesMax: number;
  readonly similarFailures: SimilarFailures;
  readonly rankByMeaning: RankByMeaning | null;
  /** Takes secrets out of texts before anything is cut off them. */
  readonly redactor: Redactor;
  nowMs(): number;
};

export type EscalationRequest = {
  readonly handoff: HandoffBundle;
  readonly phase: string;
  /** Counted from 1. */
  readonly attempt: number;
  /** Retrieve although no trigger fires. */
  readonly force: boolean;
  /** Decide, and retrieve nothing. */
  readonly check: boolean;
  readonly adaptiveCaps: boolean;
};

/** Of an artefact that is larger, both ends are read. */
const ARTIFACT_BYTES_MAX = 1024 * 1024;
/** So much is read of all artefacts together, whatever turns out to be no text. */
const ARTIFACTS_BYTES_MAX = 32 * 1024 * 1024;

/** The decision, or the bundle when it is retrieved. */
export async function escalate(
  deps: EscalationDeps,
  request: EscalationRequest,
  signal: AbortSignal,
): Promise<EscalationDecision | RetrievalBundle> {
  const { phase, attempt, force, check } = request;
  const run = opened(await deps.run.list(signal), deps.run);
  const decision = decideOn(run, request);
  if (!check && (force || decision.escalate)) return retrieve(deps, run, request, decision, signal);
  const { escalate, priority, triggers } = decision;
  return { escalate, phase_id: phase, attempt, priority, triggers, warnings: warningsOf(RUN, run), schema_version: 1 };
}

const RUN = "the run's folder";

/** A listing with a way to read what is in it; what cannot be read is a problem of the listing too. */
type Opened = FileListing & Pick<Evidence, "read">;

function opened({ files, problems, isCut }: FileListing, { read }: Evidence): Opened {
  const all = [...problems];
  return {
    files,
    problems: all,
    isCut,
    read(file, part) {
      const found = read(file, part);
      if (found.kind === "problem" && all.every(({ path }) => path !== file.path))
        all.push({ path: file.path, why: found.why });
      return found;
    },
  };
}

/** Only a further attempt has earlier logs to read. */
function decideOn(run: Opened, { handoff, phase, attempt }: EscalationRequest): Decision {
  const logs = earlierLogs(run.files, phase, attempt).flatMap((file) => {
    const text = textOf(run.read(file, { bytesMax: LOG_BYTES_MAX, of: "head" }));
    return text === null ? [] : [{ path: file.path, text }];
  });
  return decide({ bundle: handoff, attempt, earlierLogs: logs });
}

async function retrieve(
  deps: EscalationDeps,
  run: Opened,
  { handoff, phase, attempt, adaptiveCaps }: EscalationRequest,
  decision: Decision,
  signal: AbortSignal,
): Promise<RetrievalBundle> {
  const warnings: string[] = [];
  const { rankByMeaning, redactor } = deps;
  const nowMs = deps.nowMs();
  const caps = capsFor(decision.priority, { adaptive: adaptiveCaps });
  const [keywords, query] = [keywordsOf(handoff), failureQuery(redactor.value(handoff))];
  const artifacts = runArtifacts(
    run.files,
    { caps: caps.runArtifacts, nowMs, keywords },
    artifactReader(run, redactor),
  );
  const documents = opened(await deps.documents.list(signal), deps.documents);
  const { chosen, uncounted } = await sotFiles(
    documents.files,
    {
      caps: caps.sotFiles,
      keywords,
      rankByMeaning:
        rankByMeaning === null
          ? null
          : (texts) =>
              orWithout("ranking by meaning", () => rankByMeaning(query, texts, signal), null, warnings, signal),
    },
    documentReader(documents, keywords, deps),
    signal,
  );
  const similar = () => deps.similarFailures(query, caps.memoryEntries.entries, signal);
  const remembered = redactor.value(await orWithout("memory", similar, [], warnings, signal));
  const memory = withinCaps(remembered, caps.memoryEntries);
  const notCounted = `${uncounted} documents were not looked through, the oldest: name fewer folders with --docs`;
  return {
    phase_id: phase,
    timestamp: isoTime(nowMs),
    priority: decision.priority,
    run_artifacts: artifacts,
    sot_files: chosen,
    memory_entries: memory,
    stats: {
      run_artifacts_count: artifacts.length,
      run_artifacts_size: sum(artifacts.map(({ size }) => size)),
      sot_files_count: chosen.length,
      sot_files_size: sum(chosen.map(({ size }) => size)),
      memory_entries_count: memory.length,
      memory_entries_size: sum(memory.map(entrySize)),
    },
    escalate: true,
    forced: !decision.escalate,
    attempt,
    triggers: decision.triggers,
    warnings: [
      ...warnings,
      ...warningsOf(RUN, run),
      ...warningsOf("the documents", documents),
      ...(uncounted > 0 ? [notCounted] : []),
    ],
    schema_version: 1,
  };
}

/** What a source gives, or what there is without it when it fails, with a warning. */
async function orWithout<T>(
  source: string,
  ask: () => Promise<T>,
  without: T,
  warnings: string[],
  signal: AbortSignal,
): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof Failed) || signal.aborted) throw error;
    warnings.push(`${source} was left out: ${error.message}`);
    return without;
  }
}

/** Reads artefacts up to a bound on all of them together. */
function artifactReader(run: Opened, redactor: Redactor): (file: ListedFile) => string | null {
  let left = ARTIFACTS_BYTES_MAX;
  return (file) => {
    const part: Part = { bytesMax: Math.min(ARTIFACT_BYTES_MAX, left), of: "ends" };
    if (part.bytesMax < Math.min(file.sizeBytes, ARTIFACT_BYTES_MAX)) return null;
    left -= Math.min(file.sizeBytes, part.bytesMax);
    return shownText(run.read(file, part), redactor);
  };
}

/** Counts in documents as they are, and shows them without secrets. */
function documentReader(
  documents: Opened,
  keywords: readonly string[],
  { documentBytesMax, redactor, isWorthShowing }: EscalationDeps,
): SotReader {
  const relevanceIn = relevanceCounter(keywords);
  const forAscii = keywords.every(isAscii);
  const whole: Part = { bytesMax: documentBytesMax, of: "head" };
  return {
    relevanceOf(file) {
      const text = foldedBytes(documents.read(file, whole), forAscii);
      return text === null ? null : relevanceIn(text);
    },
    shown(file) {
      const text = shownText(documents.read(file, whole), redactor);
      return text !== null && isWorthShowing(file.path, text) ? text : null;
    },
  };
}

/** What could not be looked at, in one line: a folder may have any number of such things. */
function warningsOf(where: string, { problems, isCut }: FileListing): readonly string[] {
  const [first, ...others] = problems;
  const more = others.length === 0 ? "" : ` (and ${others.length} more that could not be looked at)`;
  return [
    ...(first === undefined ? [] : [`${where}: ${first.path}: ${first.why}${more}`]),
    ...(isCut ? [`${where}: more files than are looked through; the rest was left out`] : []),
  ];
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
