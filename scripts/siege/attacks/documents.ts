/** Documents that other programs hand over: handoffs, refinements, hook events, entries, budgets, exports. */
import { readFileSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { z } from "zod";
import { dataPaths } from "../../../src/db/data-folder/paths.ts";
import { dumpCuratedFile } from "../../../tests/support/dump.ts";
import { attackOf } from "../attack.ts";
import { hostilePath, hostileTask } from "../hostile-files.ts";
import { runIn, smallWorld } from "../small-world.ts";

const KINDS = ["handoff", "refinement", "hook", "entry", "budget", "trace", "escalation"] as const;
const Cut = z.object({ at: z.number(), hex: z.string(), isCut: z.boolean() });
const Input = z.object({
  documents: z.array(z.object({ kind: z.enum(KINDS), text: z.string() })),
  exported: z.array(Cut),
});
type Input = z.infer<typeof Input>;

const KEYS =
  "error_message stack_trace root_cause recent_changes attempted_fixes task_id round accept reject missing_files missing_symbols reason hook_event_name prompt cwd session_id tool_name tool_input tool_response text category importance goal outcome context_window reserved_tokens safety_margin description problem_statement bundle tasks type __proto__".split(
    " ",
  );
const leaf = fc.oneof(
  hostileTask,
  hostilePath,
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom("UserPromptSubmit", "PostToolUse", "Bash"),
);
const value = fc.letrec((tie) => ({
  node: fc.oneof(
    { depthSize: "small" },
    leaf,
    fc.array(tie("node"), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...KEYS), tie("node"), { maxKeys: 6 }),
  ),
})).node;
const text = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.dictionary(fc.constantFrom(...KEYS), value, { maxKeys: 8 }).map((object) => JSON.stringify(object)),
  },
  { weight: 1, arbitrary: value.map((object) => JSON.stringify(object) ?? "") },
  {
    weight: 1,
    arbitrary: fc.tuple(value, fc.nat(60)).map(([object, cut]) => (JSON.stringify(object) ?? "").slice(0, cut)),
  },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 50_000 }).map((depth) => "[".repeat(depth)) },
  { weight: 2, arbitrary: fc.array(hostileTask, { maxLength: 12 }).map((lines) => lines.join("\n")) },
);

export const documents = attackOf<Input>({
  name: "documents",
  schema: Input,
  inputs: fc.record({
    documents: fc.array(fc.record({ kind: fc.constantFrom(...KINDS), text }), { minLength: 1, maxLength: 4 }),
    exported: fc.array(
      fc.record({
        at: fc.double({ min: 0, max: 1, noNaN: true }),
        hex: fc.uint8Array({ minLength: 1, maxLength: 16 }).map((bytes) => Buffer.from(bytes).toString("hex")),
        isCut: fc.boolean(),
      }),
      { maxLength: 3 },
    ),
  }),
  async trial({ documents: given, exported }, court) {
    using world = await smallWorld(court, "data");
    const retrieved = await runIn(court, world, "data", ["retrieve", "fix total3", "-q"]);
    const id = /\b[0-9a-f]{12}\b/.exec(retrieved.stderr + retrieved.stdout.toString())?.[0] ?? "0000";
    const commands = {
      handoff: ["retrieve", "--handoff", "-", "-q"],
      refinement: ["refine", id, "--request", "-", "-q"],
      hook: ["hook"],
      entry: ["remember", "--entry", "-"],
      budget: ["retrieve", "fix total3", "--budget-config", "-", "-q"],
      trace: ["retrieve", "--trace", "-", "-q"],
      escalation: ["escalate", "--handoff", "-", "-q"],
    } as const;
    for (const { kind, text: stdin } of given) await runIn(court, world, "data", commands[kind], { stdin });
    if (exported.length > 0) {
      const file = world.data("facts");
      await runIn(court, world, "data", ["index", "-q", "--export", file]);
      for (const { at, hex, isCut } of exported) damage(file, at, hex, isCut);
      const taken = await runIn(court, world, "taken", ["index", "-q", "--import", file]);
      if (taken.code === 0) {
        const [one, other] = ["data", "taken"].map((name) => dumpCuratedFile(dataPaths(world.data(name)).curated));
        court.holds("index equals fresh", one === other, () => "an index from an import differs");
      }
    }
    world.checkTraces(court);
  },
});

function damage(file: string, at: number, hex: string, isCut: boolean): void {
  const bytes = readFileSync(file);
  const from = Math.floor(Math.max(0, bytes.length - 1) * at);
  bytes.set(Buffer.from(hex, "hex").subarray(0, bytes.length - from), from);
  writeFileSync(file, isCut ? bytes.subarray(0, from) : bytes);
}
