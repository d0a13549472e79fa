/**
 * The signals, by name. `weights.ts` says what each counts.
 *
 * The first six rank (measured on real issues); the others are of the first design, and by default
 * choose and order supporting material and do not vote.
 */
import type { SignalName } from "../../../config/keys.ts";
import { cochangeAffinity } from "./cochange-affinity.ts";
import { conceptOverlap } from "./concept-overlap.ts";
import { contentMatch } from "./content-match.ts";
import { definitionMatch } from "./definition-match.ts";
import { dependencyProximity } from "./dependency-proximity.ts";
import { domainMatch } from "./domain-match.ts";
import { entryPoint } from "./entry-point.ts";
import { fileSize } from "./file-size.ts";
import { historyMatch } from "./history-match.ts";
import { mention } from "./mention.ts";
import { pathMatch } from "./path-match.ts";
import { phraseMatch } from "./phrase-match.ts";
import { recency } from "./recency.ts";
import type { Signal } from "./signal.ts";
import { structuralCentrality } from "./structural-centrality.ts";
import { symbolMatch } from "./symbol-match.ts";
import { traceMatch } from "./trace-match.ts";

export const SIGNALS = {
  content_match: contentMatch,
  definition_match: definitionMatch,
  mention,
  trace_match: traceMatch,
  phrase_match: phraseMatch,
  history_match: historyMatch,
  path_match: pathMatch,
  symbol_match: symbolMatch,
  dependency_proximity: dependencyProximity,
  cochange_affinity: cochangeAffinity,
  recency,
  domain_match: domainMatch,
  concept_overlap: conceptOverlap,
  structural_centrality: structuralCentrality,
  entry_point: entryPoint,
  file_size: fileSize,
} as const satisfies Record<SignalName, Signal>;
