/**
 * `cra hook`: answers an event of a session of Claude Code, Codex or Gemini CLI, a JSON object on standard input.
 *
 * A prompt gets a package, without what earlier prompts of the session were given, and a failed test gets a premortem. A failure is one
 * line on stderr and exit code 0, since code 2 would block the prompt. It never indexes and asks no model, because the prompt waits for it.
 */

import { z } from "zod";
import type { App } from "../../app/app.ts";
import { flagLayer } from "../../config/settings.ts";
import { Failed } from "../../failure.ts";
import { DOMAINS, type Domain } from "../../memory/vocabulary.ts";
import { parseJson } from "../../text/parse-json.ts";
import { STOP_WORDS } from "../../text/terms/stop-words.ts";
import { appRequest, locationText } from "../requests/app-request.ts";
import type { Command, Context } from "../syntax/command.ts";
import { withAppOf } from "../with-app.ts";

const SESSION_CHARS_MAX = 1_000;

/** The fields of an event that are read. */
const HookEvent = z.looseObject({
  hook_event_name: z.string(),
  session_id: z.string().min(1).max(SESSION_CHARS_MAX).optional().catch(undefined),
  prompt: z.string().optional(),
  tool_name: z.string().optional(),
  tool_input: z
    .looseObject({ command: z.string().optional().catch(undefined) })
    .optional()
    .catch(undefined),
  tool_response: z.unknown().optional(),
  error: z.unknown().optional(),
  is_interrupt: z.unknown().optional(),
});
type HookEvent = z.infer<typeof HookEvent>;

const EVENT_BYTES_MAX = 32 * 1024 * 1024;
/** Claude Code moves a longer context into a file and shows only its beginning. */
const CONTEXT_CHARS_MAX = 10_000;
const BUDGET_DEFAULT = 2_200;
const PREMORTEM = { limit: 5, maxTokens: 1_500 };

/** Prompts that are commands to Claude Code. Shorter ones than `TASK_WORDS_MIN` are answers, not tasks. */
const NO_TASK = /^\s*[/!#]/;
const TASK_WORDS_MIN = 4;
const TASK_CHARS_MAX = 100_000;

const RUNS_TESTS =
  /(?:^|[^\w])(?:tests?|pytest|unittest|tox|nox|jest|vitest|mocha|ava|rspec|minitest|phpunit|ctest|spec|check|verify)\b/i;
/** Programs that may name tests in their arguments but run none. */
const RUNS_NONE =
  /^\s*(?:awk|cat|cd|chmod|cp|diff|du|echo|fd|file|find|git|grep|head|jq|less|ls|mkdir|mv|pip3?|rg|rm|sed|sort|stat|tail|test|touch|tree|wc|which)\s/;
const runsTests = (command: string): boolean =>
  command.split(/&&|\|\|?|[;\n]/).some((part) => RUNS_TESTS.test(part) && !RUNS_NONE.test(part));

const HAS_FAILED =
  /\b[1-9]\d* (?:failed|failing|failures?|errors?)\b|^[ \t]*(?:FAIL(?:ED|URES?)?|not ok|--- FAIL)\b|Traceback \(most recent call last\)|\bpanicked at\b|\bAssertionError\b/m;

export const HOOK: Command = {
  name: "hook",
  summary: "run as a hook of an agent: a package for each prompt, a premortem after a failed test",
  arguments: [],
  options: [
    {
      flag: "--budget",
      value: "tokens",
      whole: { least: 100, most: 100_000 },
      summary: `token budget of a package (default ${BUDGET_DEFAULT}, as Claude Code takes 10,000 characters)`,
    },
    {
      flag: "--domain",
      value: "domain",
      choices: DOMAINS,
      summary: `domain of the premortem: ${DOMAINS.join(", ")} (default debugging)`,
    },
  ],
  examples: [{ line: "cra hook < event.json", does: "as an agent runs it; cra setup --hooks writes its settings" }],
  run,
};

/** What a hook takes from no settings: a model can take longer than agents wait for a hook. */
const withoutModels = () =>
  flagLayer(
    new Map([
      ["model", { flag: "cra hook", typed: "none" }],
      ["embedding_model", { flag: "cra hook", typed: "none" }],
      ["llm_assist", { flag: "cra hook", typed: "false" }],
    ]),
  );

const withApp = <T>(context: Context, use: (app: App) => Promise<T>): Promise<T> =>
  withAppOf(context, appRequest(context, [withoutModels()]), use);

async function run(context: Context): Promise<number> {
  try {
    const event = await readEvent(context);
    await answerEvent(event, context, (text) => context.output.jsonLine(answer(event, text)));
  } catch (error) {
    if (!(error instanceof Failed) || error.failure.code === "cancelled") throw error;
    await context.output.say(`cra: ${error.message}`);
  }
  return 0;
}

async function readEvent({ input }: Context): Promise<HookEvent> {
  const text = await input.read(EVENT_BYTES_MAX);
  const event = HookEvent.safeParse(parseJson(text));
  if (event.success) return event.data;
  throw new Failed({
    code: "usage",
    message: "standard input is not an event of an agent",
    next: "set cra hook as the command of a hook in its settings",
  });
}

/** Adds a text to the context of the agent. */
type Give = (text: string) => Promise<void>;

async function answerEvent(event: HookEvent, context: Context, give: Give): Promise<void> {
  const { prompt = "", session_id: session } = event;
  switch (event.hook_event_name) {
    case "UserPromptSubmit":
    case "BeforeAgent":
      if (isTask(prompt)) await givePackage(prompt, session, context, give);
      break;
    case "SessionStart":
    case "PreCompact":
    case "PreCompress":
      if (session !== undefined) await beginContext(session, context);
      break;
    case "PostToolUse":
    case "PostToolUseFailure":
    case "AfterTool":
      if (isFailedTest(event)) await givePremortem(context, give);
      break;
  }
}

/** Words, and for scripts that put no blanks between words pairs of characters. */
const WORDS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{1,2}|[[\p{L}\p{N}_]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]]+/gv;

/** What agents are told between tasks: to go on, to commit, that it is well. Of these and `STOP_WORDS` alone, no prompt is about code. */
const BETWEEN_TASKS: ReadonlySet<string> = new Set(
  `ahead amend approved awesome branch changes commit commits continue cool create done everything excellent fine fix go going
  good great hello hey hi lgtm looks merge message nice next ok okay open perfect pr proceed pull push step steps sure
  tests thank yep yeah`.split(/\s+/),
);
/** A question, or a word that is written as code. */
const ASKS_ABOUT_CODE = /\b(?:how|where|why)\b|[`_]|[\p{L}\p{N}]\(|[\p{L}\p{N}][.:/\\][\p{L}\p{N}]/iu;

function isTask(prompt: string): boolean {
  const words = prompt.match(WORDS) ?? [];
  const isAboutCode = (word: string): boolean => !STOP_WORDS.has(word) && !BETWEEN_TASKS.has(word);
  return (
    !NO_TASK.test(prompt) &&
    words.length >= TASK_WORDS_MIN &&
    (ASKS_ABOUT_CODE.test(prompt) || words.some((word) => isAboutCode(word.toLowerCase())))
  );
}

/** What agents call their shell. */
const SHELLS: ReadonlySet<string> = new Set(["Bash", "run_shell_command"]);

/** Whether a command that runs tests failed, by its exit or by its output. */
function isFailedTest({
  hook_event_name,
  tool_name,
  tool_input,
  tool_response,
  error,
  is_interrupt,
}: HookEvent): boolean {
  if (!SHELLS.has(tool_name ?? "") || !runsTests(tool_input?.command ?? "") || is_interrupt === true) return false;
  if (hook_event_name === "PostToolUseFailure" || (error !== undefined && error !== null)) return true;
  const texts = typeof tool_response === "object" && tool_response !== null ? Object.values(tool_response) : [];
  return [tool_response, ...texts].some((text) => typeof text === "string" && HAS_FAILED.test(text));
}

/** A context begins, or is about to be shortened: nothing that its session was given counts as known any more. */
const beginContext = (session: string, context: Context): Promise<void> =>
  withApp(context, async (app) => {
    if (await isIndexed(app, context)) (await app.givenCode()).begin(session);
  });

async function isIndexed(app: App, { environment }: Context): Promise<boolean> {
  const repos = app.config.settings["workspace.repos"];
  if (repos.length === 0) return app.isIndexed();
  const { areIndexed } = await import("../../app/workspace/members.ts");
  return areIndexed(app.root, repos, environment);
}

async function givePackage(prompt: string, session: string | undefined, context: Context, give: Give): Promise<void> {
  const { values, output, signal } = context;
  const { retrieved } = await import("../../mcp/tools/retrieve.ts");
  const { following } = await import("../../mcp/progress.ts");
  await withApp(context, async (app) => {
    if (!(await isIndexed(app, context))) {
      await output.say(
        `cra: no package for this prompt: the repository is not indexed; run: cra index${locationText(values)}`,
      );
      return;
    }
    const code = await app.givenCode();
    const known = session === undefined ? null : code.read(session);
    const wanted = values.whole("--budget") ?? BUDGET_DEFAULT;
    const task = prompt.slice(0, TASK_CHARS_MAX);
    const ask = async (budget: number) => {
      const limits = { budgetDefault: budget, budgetMax: budget };
      const found = await retrieved({ task }, { app, signal, follow: following(app.nowMs, null), limits });
      const { markdown, tokens, given } = await found.answers.beside(known ?? []);
      const head = `cra found this code for the prompt (task ${found.package.task_id}; the repository may hold more):`;
      return { text: `${head}\n\n${markdown}`, tokens, given };
    };
    const first = await ask(wanted);
    // Tokens can be long, so ask for a smaller package rather than cut this one.
    const { text, given } =
      first.text.length <= CONTEXT_CHARS_MAX
        ? first
        : await ask(Math.floor((first.tokens * CONTEXT_CHARS_MAX * SAFE_SHARE) / first.text.length));
    if (text.length > CONTEXT_CHARS_MAX) return;
    await give(text);
    if (session !== undefined && known !== null) code.write(session, given);
  });
}

/** Headings do not shrink with the budget, so aim below the limit. */
const SAFE_SHARE = 0.9;

async function givePremortem(context: Context, give: Give): Promise<void> {
  const { values, signal } = context;
  const domain: Domain = DOMAINS.find((name) => name === values.text("--domain")) ?? "debugging";
  await withApp(context, async (app) => {
    const { items, markdown } = await app.premortem({ domain, strategy: null, ...PREMORTEM }, signal);
    const text = `A test failed. This went wrong before in such work here:\n\n${markdown}`;
    if (items.length > 0 && text.length <= CONTEXT_CHARS_MAX) await give(text);
  });
}

/** As Claude Code reads it. */
const answer = ({ hook_event_name: hookEventName }: HookEvent, additionalContext: string) => ({
  hookSpecificOutput: { hookEventName, additionalContext },
});
