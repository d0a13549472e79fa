/**
 * Hands retrieval its edges, and renders what it returns in the format that was asked for.
 */
import type { RetrieveRequest, RetrieveResult } from "./app.ts";
import { budgetTokens } from "./config.ts";
import type { KnowledgeBase } from "./db/curated.ts";
import type { DataPaths } from "./db/paths.ts";
import { openRawLog } from "./db/raw-log.ts";
import { openSession } from "./db/session.ts";
import type { Notice } from "./failure.ts";
import { SAFETY_MARGIN_DEFAULT } from "./retrieval/budget.ts";
import type { PipelineEvent } from "./retrieval/events.ts";
import { type BundleLinks, symbolId, toBundle } from "./retrieval/render-bundle.ts";
import { renderMarkdown } from "./retrieval/render-markdown.ts";
import { DEFAULT_TEMPLATE, parseTemplate, renderPrompt, type Template } from "./retrieval/render-prompt.ts";
import { type RetrieveResult as PipelineResult, retrieve } from "./retrieval/retrieve.ts";
import { stagesNamed } from "./retrieval/stages.ts";
import { describeIntent } from "./task/intent.ts";
import { openTokenCounter } from "./text/tokens.ts";
import { VERSION } from "./version.ts";

/** Runs the pipeline on an open index. `inputsSkipped` and `notices` are what refreshing it has found. */
export async function* runRetrieval(
  world: {
    readonly kb: KnowledgeBase;
    readonly paths: DataPaths;
    readonly notices: readonly Notice[];
    readonly inputsSkipped: number;
  },
  { task, settings, hintPaths, hintSymbols, template }: RetrieveRequest,
  signal: AbortSignal,
): AsyncGenerator<PipelineEvent, RetrieveResult> {
  const { kb, paths } = world;
  const margin = settings.safety_margin ?? SAFETY_MARGIN_DEFAULT;
  const places = parseTemplate(template?.text ?? DEFAULT_TEMPLATE, template?.path ?? "the built-in template");
  const log = openRawLog(paths.raw);
  try {
    const result = yield* retrieve(
      {
        kb,
        log,
        openSession: (taskId) => openSession(paths.sessions, taskId),
        counter: await openTokenCounter(settings.tokenizer, { margin }),
        now: () => Date.now(),
        craVersion: VERSION.version,
      },
      {
        command: "retrieve",
        task,
        given: { paths: hintPaths, symbols: hintSymbols, languages: settings.hint_language },
        budget: {
          tokens: budgetTokens(settings),
          maxLines: settings.max_lines,
          contextWindow: settings.context_window,
          reservedTokens: settings.reserved_tokens,
        },
        stages: stagesNamed(settings.stages),
        scope: {
          scopeSize: settings.scope_size,
          depth: settings.depth === 3 ? 3 : settings.depth === 2 ? 2 : 1,
          include: settings.include,
          exclude: settings.exclude,
        },
        weights: settings.weights,
        safetyMargin: settings.tokenizer === "approximate" ? margin : null,
        template: places,
        notices: world.notices,
      },
      signal,
    );
    return {
      package: result.pkg,
      rendered: rendered(kb, result, settings.format, places),
      scores: [...result.selection.files]
        .sort((a, b) => b.score.total - a.score.total || (a.file.path < b.file.path ? -1 : 1))
        .map(({ file, tier, score }) => ({
          path: file.path,
          tier,
          score: score.total,
          terms: score.terms.map(({ signal: name, value, weight }) => ({ signal: name, share: value * weight })),
        })),
      inputsSkipped: world.inputsSkipped,
    };
  } finally {
    log.close();
  }
}

function rendered(
  kb: KnowledgeBase,
  result: PipelineResult,
  format: RetrieveRequest["settings"]["format"],
  template: Template,
): string {
  switch (format) {
    case "markdown":
      return renderMarkdown(result.pkg);
    case "prompt":
      return renderPrompt(result.pkg, template);
    case "json":
      return `${JSON.stringify(result.pkg, null, 2)}\n`;
    case "bundle":
      return `${JSON.stringify(toBundle(result.pkg, describeIntent(result.task), linksOf(kb, result)), null, 2)}\n`;
  }
}

/** Which shown symbols are exported, and which use which. */
function linksOf(kb: KnowledgeBase, { packed }: PipelineResult): BundleLinks {
  const shown = packed.fit.shown.flatMap(({ item }) => (item.symbol ? [{ path: item.path, symbol: item.symbol }] : []));
  const ids = new Map(
    shown.map(({ path, symbol }) => [
      symbol.id,
      symbolId({ path }, { qualified_name: symbol.qualifiedName, start_line: symbol.startLine }),
    ]),
  );
  const references = kb.referencesFrom([...ids.keys()]).flatMap(({ caller, callee }) => {
    const from = ids.get(caller);
    const to = ids.get(callee);
    return from !== undefined && to !== undefined ? [[from, to] as const] : [];
  });
  return {
    exported: new Set(shown.flatMap(({ symbol }) => (symbol.exported ? [ids.get(symbol.id) ?? ""] : []))),
    references: references.sort(([a, b], [c, d]) => (a < c ? -1 : a > c ? 1 : b < d ? -1 : b > d ? 1 : 0)),
  };
}
