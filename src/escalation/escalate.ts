/**
 * Bounded deep retrieval for a failure: the triggers decide, then artifacts, documents and memory are packed within caps.
 *
 * It writes nothing. The result depends on the files, the bundle and the time alone; of the time, only `timestamp` and the
 * 24-hour window.
 */
import { Failed } from "../failure.ts";
import type { Redactor } from "../secrets/redactor.ts";
import type { FileListing, ListedFile, Part, PartialRead } from "../source/walk/sandboxed-reader.ts";
import { isAscii } from "../text/terms/normalize.ts";
import { capsFor } from "./caps.ts";
import { type EscalationDecision, isoTime, type RetrievalBundle } from "./escalation-schema.ts";
import type { HandoffBundle } from "./handoff-bundle.ts";
import { keywordCounter, keywordsOf } from "./keywords.ts";
import { entrySize, failureQuery, packEntries, type SimilarFailures } from "./memory-entries.ts";
import { foldedBytes, shownText, textOf } from "./partial-text.ts";
import { runArtifacts } from "./run-artifacts.ts";
import { type DocumentReader, type RankByMeaning, sourceOfTruthFiles } from "./source-of-truth-files.ts";
import { type Decision, decide, EARLIER_LOG_BYTES_MAX, earlierLogs } from "./triggers.ts";

/** Files of one folder, or of several of one root. */
export type EvidenceFiles = {
  list(signal: AbortSignal): Promise<FileListing>;
  read(file: ListedFile, part: Part): PartialRead;
};

export type EscalationDeps = {
  readonly run: EvidenceFiles;
  readonly documents: EvidenceFiles;
  /** Why the text of a document is not worth showing; null if it is. */
  whyHidden(path: string, text: string): string | null;
  /** `documents` lists no files larger than this. */
  readonly documentBytesMax: number;
  readonly similarFailures: SimilarFailures;
  readonly rankByMeaning: RankByMeaning | null;
  /** Redacts secrets before texts are cut. */
  readonly redactor: Redactor;
  nowMs(): number;
};

export type EscalationRequest = {
  readonly handoff: HandoffBundle;
  readonly phase: string;
  /** Counted from 1. */
  readonly attempt: number;
  /** Retrieve even if no trigger fires. */
  readonly force: boolean;
  /** Decide only. */
  readonly check: boolean;
  readonly adaptiveCaps: boolean;
};

/** Of a larger artifact, both ends are read. */
const ARTIFACT_BYTES_MAX = 1024 * 1024;
/** The most that is read of all artifacts together, binary ones included. */
const ARTIFACTS_BYTES_MAX = 32 * 1024 * 1024;

/** The decision alone, or the bundle if something is retrieved. */
export async function escalate(
  deps: EscalationDeps,
  request: EscalationRequest,
  signal: AbortSignal,
): Promise<EscalationDecision | RetrievalBundle> {
  const { phase, attempt, force, check } = request;
  const run = trackProblems(await deps.run.list(signal), deps.run);
  const decision = decideOn(run, request);
  if (!check && (force || decision.escalate)) return retrieve(deps, run, request, decision, signal);
  const { escalate, priority, triggers } = decision;
  return { escalate, phase_id: phase, attempt, priority, triggers, warnings: warningsOf(RUN, run), schema_version: 1 };
}

const RUN = "the run's folder";

/** A listing that can read its files and adds those that cannot be read to its problems. */
type TrackedListing = FileListing & Pick<EvidenceFiles, "read">;

function trackProblems({ files, problems, isCut }: FileListing, { read }: EvidenceFiles): TrackedListing {
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

function decideOn(run: TrackedListing, { handoff, phase, attempt }: EscalationRequest): Decision {
  const logs = earlierLogs(run.files, phase, attempt).flatMap((file) => {
    const text = textOf(run.read(file, { bytesMax: EARLIER_LOG_BYTES_MAX, of: "head" }));
    return text === null ? [] : [{ path: file.path, text }];
  });
  return decide({ bundle: handoff, attempt, earlierLogs: logs });
}

async function retrieve(
  deps: EscalationDeps,
  run: TrackedListing,
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
  const documents = trackProblems(await deps.documents.list(signal), deps.documents);
  const hidden = new Map<string, string>();
  const { chosen, uncounted } = await sourceOfTruthFiles(
    documents.files,
    {
      caps: caps.sourceOfTruthFiles,
      keywords,
      rankByMeaning:
        rankByMeaning === null
          ? null
          : (texts) =>
              orWithout("ranking by meaning", () => rankByMeaning(query, texts, signal), null, warnings, signal),
    },
    documentReader(documents, keywords, deps, hidden),
    signal,
  );
  const similar = () => deps.similarFailures(query, caps.memoryEntries.entries, signal);
  const remembered = redactor.value(await orWithout("memory", similar, [], warnings, signal));
  const memory = packEntries(remembered, caps.memoryEntries);
  const notCounted = `the ${uncounted} oldest documents were not searched: name fewer folders with --docs`;
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
      ...hiddenWarning(hidden),
      ...(uncounted > 0 ? [notCounted] : []),
    ],
    schema_version: 1,
  };
}

/** Runs `ask`; if that fails, adds a warning and returns `without`. */
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

/** Reads artifacts up to `ARTIFACTS_BYTES_MAX` in total. */
function artifactReader(run: TrackedListing, redactor: Redactor): (file: ListedFile) => string | null {
  let left = ARTIFACTS_BYTES_MAX;
  return (file) => {
    const part: Part = { bytesMax: Math.min(ARTIFACT_BYTES_MAX, left), of: "ends" };
    if (part.bytesMax < Math.min(file.sizeBytes, ARTIFACT_BYTES_MAX)) return null;
    left -= Math.min(file.sizeBytes, part.bytesMax);
    return shownText(run.read(file, part), redactor);
  };
}

/** Counts keywords in documents as they are, and shows them without secrets. Adds those with keywords to `hidden`. */
function documentReader(
  documents: TrackedListing,
  keywords: readonly string[],
  { documentBytesMax, redactor, whyHidden }: EscalationDeps,
  hidden: Map<string, string>,
): DocumentReader {
  const relevanceIn = keywordCounter(keywords);
  const forAscii = keywords.every(isAscii);
  const whole: Part = { bytesMax: documentBytesMax, of: "head" };
  const relevant = new Set<string>();
  return {
    relevanceOf(file) {
      const text = foldedBytes(documents.read(file, whole), forAscii);
      const relevance = text === null ? null : relevanceIn(text);
      if (relevance !== null && relevance > 0) relevant.add(file.path);
      return relevance;
    },
    shown(file) {
      const text = shownText(documents.read(file, whole), redactor);
      const why = text === null ? null : whyHidden(file.path, text);
      if (why !== null && relevant.has(file.path)) hidden.set(file.path, why);
      return why === null ? text : null;
    },
  };
}

/** Documents that match the failure and are not shown, in one line. */
function hiddenWarning(hidden: ReadonlyMap<string, string>): readonly string[] {
  const [first] = hidden;
  const more = hidden.size > 1 ? ` (and ${hidden.size - 1} more)` : "";
  return first === undefined ? [] : [`the documents: ${first[0]} was left out: ${first[1]}${more}`];
}

/** What could not be read, in one line for each folder. */
function warningsOf(where: string, { problems, isCut }: FileListing): readonly string[] {
  const [first, ...others] = problems;
  const more = others.length === 0 ? "" : ` (and ${others.length} more that could not be read)`;
  return [
    ...(first === undefined ? [] : [`${where}: ${first.path}: ${first.why}${more}`]),
    ...(isCut ? [`${where}: too many files; the rest was left out`] : []),
  ];
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
