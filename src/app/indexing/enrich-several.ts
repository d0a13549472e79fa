/** Asks a model about the files of each repository of a question, one after the other. Each keeps its own answers. */
import { Failed } from "../../failure.ts";
import { membersOf, openMember } from "../workspace/members.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { type EnrichProgress, type EnrichRequest, type EnrichSummary, enrich } from "./enrich.ts";

/**
 * The limit bounds the files of all of them. Throws `not-indexed` before any is asked about, and what `enrich` throws of one, after
 * which the rest are not asked about.
 */
export async function* enrichSeveral(
  workspace: Workspace,
  { limit, ...request }: EnrichRequest,
  signal: AbortSignal,
): AsyncGenerator<EnrichProgress, EnrichSummary> {
  const { root, config } = workspace;
  const members = membersOf(root, config.settings["workspace.repos"]);
  if (members.length === 0)
    throw new Failed({
      code: "usage",
      message: "all repositories of the question are of a store, whose files are not asked about",
      next: "run it in a checkout: cra enrich <repo>",
    });
  const opened: { readonly name: string; readonly inside: Workspace }[] = [];
  for (const member of members) {
    const inside = await openMember(member, workspace);
    if (!inside.index.exists()) throw new Failed({ code: "not-indexed", repo: member.root });
    inside.index.close();
    opened.push({ name: member.name, inside });
  }
  const done: EnrichSummary[] = [];
  for (const { name, inside } of opened) {
    const left = limit === null ? null : limit - total(done, askedAbout);
    const steps = enrich(inside, { ...request, limit: left }, signal);
    const placed = (path: string): string => `${name}/${path}`;
    let step = await steps.next();
    while (!step.done) {
      yield { ...step.value, path: placed(step.value.path) };
      step = await steps.next();
    }
    const { failed, ...summary } = step.value;
    done.push({ ...summary, failed: failed.map(({ path, why }) => ({ path: placed(path), why })) });
  }
  return {
    model: config.settings.model,
    files: total(done, ({ files }) => files),
    answeredBefore: total(done, ({ answeredBefore }) => answeredBefore),
    answered: total(done, ({ answered }) => answered),
    failed: done.flatMap(({ failed }) => failed),
    gone: total(done, ({ gone }) => gone),
    left: total(done, ({ left }) => left),
    promoted: request.promote
      ? {
          files: total(done, ({ promoted }) => promoted?.files ?? 0),
          changed: total(done, ({ promoted }) => promoted?.changed ?? 0),
        }
      : null,
  };
}

const total = (done: readonly EnrichSummary[], of: (summary: EnrichSummary) => number): number =>
  done.reduce((sum, summary) => sum + of(summary), 0);

const askedAbout = ({ answered, failed, gone }: EnrichSummary): number => answered + failed.length + gone;
