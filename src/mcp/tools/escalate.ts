/** The tool `escalate`: evidence of a failed run. Writes nothing. */
import { z } from "zod";
import { EscalationDecision, RetrievalBundle } from "../../escalation/escalation-schema.ts";
import { failureInLog } from "../../escalation/failure-log.ts";
import { type HandoffBundle, HandoffDocument, readHandoffBundle } from "../../escalation/handoff-bundle.ts";
import { Failed } from "../../failure.ts";
import { escalationText } from "../../present/escalation-report.ts";
import { placeInside } from "../path-sandbox.ts";
import { tool } from "./tool.ts";

const LOG_CHARS_MAX = 4_000_000;
const ATTEMPTS_MAX = 1_000_000;

export const ESCALATE = tool({
  name: "escalate",
  title: "Collect evidence of a failure",
  description:
    "Decides whether a failed attempt needs more evidence than it reported, and if so collects it: the run's logs, documents and source files of this repository, and similar earlier failures. Use it after an attempt has failed and its error alone does not explain why.",
  mention: "escalate for evidence of a failed run",
  writes: false,
  isIdempotent: true,
  less: "ask with check, which only decides",
  input: z.strictObject({
    run_dir: z
      .string()
      .min(1)
      .max(4_000)
      .describe("the folder with the run's logs, relative to the repository's root and inside it"),
    phase: z.string().min(1).max(200).describe("the phase that failed; its logs are <phase>_attempt_<number>.log"),
    attempt: z.int().min(1).max(ATTEMPTS_MAX).optional().describe("number of this attempt, 1 by default"),
    handoff: HandoffDocument.optional().describe("handoff bundle of the attempt"),
    trace: z.string().max(LOG_CHARS_MAX).optional().describe("log or stack trace of the attempt, instead of handoff"),
    check: z.boolean().optional().describe("only decide; collect nothing"),
    force: z.boolean().optional().describe("collect evidence even if no trigger fires"),
    adaptive_caps: z.boolean().optional().describe("collect more for a high priority and less for a low one"),
  }),
  output: z.union([RetrievalBundle, EscalationDecision]),
  async answer({ run_dir, phase, attempt = 1, handoff, trace, check, force, adaptive_caps }, call) {
    const { app, signal } = call;
    const place = placeInside(app.root, run_dir, "run_dir");
    const found = await app.escalate(
      {
        handoff: handedOn(handoff, trace),
        runDir: `${app.root}/${place}`,
        phase,
        attempt,
        check: check ?? false,
        force: force ?? false,
        adaptiveCaps: adaptive_caps ?? false,
      },
      signal,
    );
    return { text: escalationText(found), structured: found };
  },
});

function handedOn(handoff: z.infer<typeof HandoffDocument> | undefined, trace: string | undefined): HandoffBundle {
  if (handoff !== undefined && trace !== undefined)
    throw new Failed({ code: "usage", message: "handoff and trace cannot be combined", next: "give one of them" });
  if (handoff !== undefined) return readHandoffBundle(JSON.stringify(handoff), "handoff");
  const failure = trace === undefined ? null : failureInLog(trace);
  if (failure !== null) return failure;
  const message = trace === undefined ? "handoff is missing" : "trace: it is empty";
  throw new Failed({ code: "usage", message, next: "give the handoff bundle of the attempt, or its log as trace" });
}
