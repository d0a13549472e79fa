/**
 * What is known of the configured model: its server and window, and how fast it answered in earlier runs.
 *
 * The model is asked nothing. Its server is asked about itself, if at all, and has a second to answer.
 */
import type { CallTotals } from "../../db/raw-log/raw-log.ts";
import { Failed } from "../../failure.ts";
import type { BaseUrl } from "../../llm/base-url.ts";
import { modelFailureWords } from "../../llm/model-failure.ts";
import type { ServerFacts } from "../../llm/server-facts.ts";
import { limitsIn, readServer } from "../workspace/open-model.ts";
import type { Workspace } from "../workspace/workspace.ts";

/**
 * `server` is null if its address may not be used. `facts` are null if the server was not asked or did not answer, which
 * `problem` says. `windowTokens` is what a call may take; `speed` is null before the first answer.
 */
export type ModelStatus = {
  readonly model: string;
  readonly server: string | null;
  readonly facts: ServerFacts | null;
  readonly problem: string | null;
  readonly windowTokens: number;
  readonly speed: CallTotals | null;
};

/** A server that is there says so at once, even while its model works. */
const SECONDS_MAX = 1;

/** Null without a configured model. `asks`: whether the server is asked. */
export async function modelStatus(
  workspace: Pick<Workspace, "config" | "log">,
  { asks }: { readonly asks: boolean },
  signal: AbortSignal,
): Promise<ModelStatus | null> {
  const { settings } = workspace.config;
  const { model } = settings;
  if (model === null) return null;
  const given = settings["llm.context_window"];
  const nothing = { model, server: null, facts: null, problem: null, windowTokens: given, speed: null };
  let baseUrl: BaseUrl;
  try {
    baseUrl = readServer(settings);
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    return { ...nothing, problem: `not asked: ${error.message}` };
  }
  const known = {
    ...{ ...nothing, server: baseUrl.url },
    speed: workspace.log.read()?.recentCalls(model, baseUrl.url) ?? null,
  };
  if (!asks) return known;
  const { serverFacts, usedWindow } = await import("../../llm/server-facts.ts");
  const deadline = AbortSignal.timeout(SECONDS_MAX * 1_000);
  try {
    const query = { name: model, baseUrl, limits: limitsIn(settings) };
    const found = await serverFacts(query, AbortSignal.any([signal, deadline]));
    if (found.ok) return { ...known, facts: found.facts, windowTokens: usedWindow(given, found.facts) };
    const { failure } = found;
    const { why } = modelFailureWords(failure, { name: model, baseUrl: baseUrl.url });
    return { ...known, problem: failure.kind === "unreachable" ? `not reachable (${failure.why})` : why };
  } catch (error) {
    signal.throwIfAborted();
    if (!deadline.aborted) throw error;
    return { ...known, problem: `not reachable within ${SECONDS_MAX} s` };
  }
}
