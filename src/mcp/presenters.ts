/**
 * The words that commands print for what tools answer as well, handed in by the command line.
 */
import type { Status } from "../app/storage.ts";
import type { SearchHit } from "../db/curated/knowledge-base.ts";
import type { EscalationDecision, RetrievalBundle } from "../escalation/escalation-schema.ts";
import type { ExplainAnswer, SearchHitJson, StatusAnswer } from "../present/answers.ts";
import type { Explanation } from "../retrieval/explain/explain.ts";

/** Each as text, and as what `--json` prints. */
export type Wording = {
  readonly hitText: (hit: SearchHit) => string;
  readonly hitJson: (hit: SearchHit) => SearchHitJson;
  readonly explanationText: (explanation: Explanation) => string;
  readonly explanationJson: (explanation: Explanation) => ExplainAnswer;
  readonly statusText: (status: Status) => string;
  readonly statusJson: (status: Status) => StatusAnswer;
  readonly escalationText: (found: EscalationDecision | RetrievalBundle) => string;
};
