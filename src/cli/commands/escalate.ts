/**
 * `cra escalate`: exit code 0 whether a trigger fires or not, since both are answers.
 *
 * `--json` prints the retrieval bundle, or the decision alone.
 */
import { Failed } from "../../failure.ts";
import { enumerated } from "../../text/listed.ts";
import { EMBEDDING_OPTIONS } from "../options/model-options.ts";
import { settingOption } from "../options/setting-option.ts";
import { FAILURE_OPTIONS } from "../options/work-options.ts";
import type { Command, Context } from "../syntax/command.ts";
import type { Values } from "../syntax/typed-values.ts";
import { withApp } from "../with-app.ts";

export const ESCALATE: Command = {
  name: "escalate",
  summary: "collect evidence for a failed attempt whose handoff says too little",
  arguments: [],
  options: [
    ...FAILURE_OPTIONS,
    { flag: "--run-dir", value: "folder", summary: "folder with the logs of the run", completes: "folder" },
    { flag: "--phase", value: "id", summary: "the phase that failed; its logs are <id>_attempt_<number>.log" },
    {
      flag: "--attempt",
      value: "number",
      whole: { least: 1, most: 1_000_000 },
      summary: "number of this attempt (default 1); triggers read the logs of earlier attempts",
    },
    { flag: "--check", summary: "only decide; the exit code is 0 either way", conflicts: ["--force"] },
    { flag: "--force", summary: "collect evidence even if no trigger fires" },
    { flag: "--adaptive-caps", summary: "collect more for a high priority and less for a low one" },
    settingOption("escalate.docs", "folder", { flag: "--docs", repeatable: true, completes: "folder" }),
    ...EMBEDDING_OPTIONS,
  ],
  examples: [
    {
      line: "cra escalate --handoff failure.json --run-dir runs/7 --phase phase_001 --attempt 2",
      does: "decide, and show the evidence if a trigger fires",
    },
    {
      line: "cra escalate --handoff - --run-dir runs/7 --phase phase_001 --json < failure.json",
      does: "the same for a program",
    },
    {
      line: "cra escalate --handoff failure.json --run-dir runs/7 --phase phase_001 --check",
      does: "only decide, and give the reasons",
    },
  ],
  run,
};

async function run(context: Context): Promise<number> {
  const { values, output, signal } = context;
  const { readHandoff } = await import("../input/handoff.ts");
  const { escalationText } = await import("../../present/escalation-report.ts");
  const [runDir, phase] = [values.text("--run-dir"), values.text("--phase")];
  if (runDir === undefined || phase === undefined) throw missing(values);
  const handoff = await readHandoff(context);
  if (handoff === null) throw missing(values);
  const request = {
    handoff,
    runDir,
    phase,
    attempt: values.whole("--attempt") ?? 1,
    force: values.switch("--force"),
    check: values.switch("--check"),
    adaptiveCaps: values.switch("--adaptive-caps"),
  };
  return await withApp(context, async (app) => {
    const found = await app.escalate(request, signal);
    await output.result({ json: () => found, text: () => escalationText(found) });
    await output.say(...found.warnings.map((warning) => `cra: note: ${warning}`));
    return 0;
  });
}

/** The options without which it cannot run, and what they name. */
const REQUIRED: readonly (readonly [flags: readonly string[], what: string])[] = [
  [["--handoff", "--trace"], "the handoff of the attempt (or its log with --trace)"],
  [["--run-dir"], "the folder with the logs of the run"],
  [["--phase"], "the phase that failed"],
];

/** Names all missing options at once. */
function missing(values: Values): Failed {
  const absent = REQUIRED.filter(([flags]) => flags.every((flag) => values.text(flag) === undefined));
  const names = enumerated(absent.flatMap(([[flag]]) => flag ?? []));
  const next = `name ${enumerated(absent.map(([, what]) => what))}; see: cra escalate --help`;
  return new Failed({ code: "usage", message: `${names} ${absent.length === 1 ? "is" : "are"} missing`, next });
}
