/**
 * Reads a run's options back from the log, so that the run can be repeated. `task-id.ts` writes them.
 *
 * A log may be from another version or edited by hand: one invalid value makes all options unreadable.
 */
import { z } from "zod";
import { DEFAULT_SETTINGS, keySchema, type Settings } from "../../config/keys.ts";
import type { LoggedRun } from "../../db/raw-log/raw-log.ts";
import type { NamedFormerly } from "../../task/query.ts";
import { Reviewed } from "../model/review.ts";
import { TEMPLATE_PLACES, type Template } from "../render/prompt.ts";
import { Constraints, NO_CONSTRAINTS } from "../requests/refinement.ts";

const Former = z.strictObject({ named: z.string(), was: z.string(), commit: z.string(), now: z.string().nullable() });

const Options = z.looseObject({
  stages: keySchema("stages"),
  budget: keySchema("budget"),
  max_lines: keySchema("max_lines"),
  // A log of a version without it was packed to fill the budget.
  coverage: keySchema("coverage").catch(1),
  tokenizer: keySchema("tokenizer"),
  safety_margin: keySchema("safety_margin"),
  scope_size: keySchema("scope_size"),
  depth: keySchema("depth"),
  weights: keySchema("weights"),
  include: keySchema("include"),
  exclude: keySchema("exclude"),
  hint_paths: z.array(z.string()),
  hint_symbols: z.array(z.string()),
  hint_languages: keySchema("hint_language"),
  for: keySchema("for").optional().catch(undefined),
  template: z.array(z.union([z.string(), z.strictObject({ place: z.enum(TEMPLATE_PLACES) })])),
  former: z.array(Former).optional(),
  only: z.array(z.string()).optional(),
  repos: keySchema("workspace.repos").optional(),
  constraints: Constraints.optional(),
  dropped: z.literal(true).optional(),
  keep_shown: z.string().optional(),
  review: Reviewed.optional(),
  model: keySchema("model").optional(),
  llm_assist: z.boolean().optional(),
  memory: z.string().optional(),
  reasons: z.boolean().optional(),
  // A value that this version no longer accepts counts as not stored.
  llm_context_window: keySchema("llm.context_window").optional().catch(undefined),
});

/** The settings that determine the content of a run's package. */
export type SelectingSettings = Pick<
  Settings,
  | "budget"
  | "context_window"
  | "reserved_tokens"
  | "max_lines"
  | "coverage"
  | "tokenizer"
  | "safety_margin"
  | "scope_size"
  | "depth"
  | "stages"
  | "weights"
  | "include"
  | "exclude"
  | "hint_language"
  | "for"
  | "model"
  | "llm_assist"
  | "reasons"
  | "with_memory"
  | "llm.context_window"
  | "workspace.repos"
>;

export type StoredOptions = {
  readonly settings: SelectingSettings;
  readonly hintPaths: readonly string[];
  readonly hintSymbols: readonly string[];
  /** What history said of paths that no file has. */
  readonly former: readonly NamedFormerly[];
  /** Empty when candidates may be anywhere. */
  readonly only: readonly string[];
  readonly template: Template;
  readonly constraints: Constraints;
  /** The run dropped what earlier rounds had asked for. */
  readonly dropped: boolean;
  /** The round whose content it was told to keep, as `--keep-shown` names it; null when none was named. */
  readonly keepShown: string | null;
  /** What was compared; only of a review. */
  readonly reviewed?: Reviewed;
};

/** The options of a run, or null when they cannot be read. A context window comes back as a budget in tokens. */
export function storedOptions({ options }: Pick<LoggedRun, "options">): StoredOptions | null {
  const read = Options.safeParse(options);
  if (!read.success) return null;
  const {
    hint_paths,
    hint_symbols,
    hint_languages,
    only,
    repos,
    template,
    constraints,
    review,
    model,
    llm_assist,
    llm_context_window,
    ...stored
  } = read.data;
  return {
    settings: {
      budget: stored.budget,
      context_window: null,
      reserved_tokens: null,
      max_lines: stored.max_lines,
      coverage: stored.coverage,
      tokenizer: stored.tokenizer,
      safety_margin: stored.safety_margin,
      scope_size: stored.scope_size,
      depth: stored.depth,
      stages: stored.stages,
      weights: stored.weights,
      include: stored.include,
      exclude: stored.exclude,
      hint_language: hint_languages,
      for: stored.for ?? null,
      model: model ?? null,
      llm_assist: llm_assist ?? false,
      reasons: stored.reasons ?? true,
      with_memory: stored.memory !== undefined,
      "llm.context_window": llm_context_window ?? DEFAULT_SETTINGS["llm.context_window"],
      "workspace.repos": repos ?? [],
    },
    hintPaths: hint_paths,
    hintSymbols: hint_symbols,
    former: stored.former ?? [],
    only: only ?? [],
    template: template.map((part) => (typeof part === "string" ? { text: part } : part)),
    constraints: constraints ?? NO_CONSTRAINTS,
    dropped: stored.dropped ?? false,
    keepShown: stored.keep_shown ?? null,
    ...(review === undefined ? {} : { reviewed: review }),
  };
}
