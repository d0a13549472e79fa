/**
 * The ranking signals. To add one, write its file, add its row here and its name to `SIGNAL_NAMES` in `config/keys.ts`.
 *
 * Terms of a score are listed in this order. Signals without a default weight are those of the first design: they count
 * under `--weights classic`, or where a setting gives them a weight.
 */
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

export const SIGNALS: readonly Signal[] = [
  contentMatch,
  definitionMatch,
  mention,
  traceMatch,
  phraseMatch,
  historyMatch,
  pathMatch,
  symbolMatch,
  dependencyProximity,
  cochangeAffinity,
  recency,
  domainMatch,
  conceptOverlap,
  structuralCentrality,
  entryPoint,
  fileSize,
];
