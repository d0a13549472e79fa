/** `cra escalate` from arguments to output, on the stub app. */
import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { RetrievalBundle } from "../../../src/escalation/escalation-schema.ts";
import { ran, seen, watch } from "../stub-app.ts";
import { ESCALATED } from "../stub-results.ts";

watch();

const FLAGS = ["--handoff", "-", "--run-dir", "runs/7", "--phase", "phase_001"] as const;
const BUNDLE = { text: '{"error_message": "Error"}' };

describe("escalate", () => {
  test("prints the decision and the evidence, escaped for a terminal", async () => {
    expect(await ran(["escalate", ...FLAGS], {}, BUNDLE)).toEqual({
      out: `escalate           yes
priority           high
phase              phase_001, attempt 2
minimal_bundle     fires: the bundle is empty
repeated_failures  -: no earlier attempt left a log
run artifacts      1 file, 38 B
documents          1 file, 23 B
memory             1 entry, 137 B

run artifact phase_001_attempt_1\\x1b[2J.log, 38 B, 2024-01-15T10:25:00Z, within 24 hours
    ERROR: Test failure
    FAILED to complete

document docs/error_handling.md, 23 B, 5 keyword hits
    # Error Handling

    This

memory phase_042, similarity 0.85
    FileNotFoundError: config.yaml
    Created missing config file
`,
      err: "cra: note: the documents: docs/x\\x1b[2J: permission denied\n",
      code: 0,
    });
  });
  test("with --json prints a bundle that matches its schema", async () => {
    const { out, code } = await ran(["escalate", ...FLAGS, "--json"], {}, BUNDLE);
    expect([RetrievalBundle.parse(JSON.parse(out)), code]).toEqual([ESCALATED, 0]);
  });
  test("passes on the arguments", async () => {
    await ran(["escalate", ...FLAGS, "--attempt", "3", "--force", "--adaptive-caps"], {}, BUNDLE);
    writeFileSync(join(seen.folder, "f.json"), BUNDLE.text);
    await ran(["escalate", "--check", "--handoff", "f.json", ...FLAGS.slice(2)]);
    const both = { runDir: "runs/7", phase: "phase_001", handoff: { error_message: "Error", root_cause: "" } };
    expect(seen.escalations).toMatchObject([
      { ...both, attempt: 3, force: true, check: false, adaptiveCaps: true },
      { ...both, attempt: 1, force: false, check: true, adaptiveCaps: false },
    ]);
  });
  test.each(["--handoff", "--run-dir", "--phase"] as const)(
    "%s is needed, and nothing is done without it",
    async (flag) => {
      const at = FLAGS.indexOf(flag);
      const run = await ran(["escalate", ...FLAGS.toSpliced(at, 2)], {}, BUNDLE);
      expect(run).toMatchObject({
        code: 2,
        err: expect.stringMatching(new RegExp(`^cra: ${flag} is missing; name .*see: cra escalate --help\n$`)),
      });
      expect(seen.escalations).toEqual([]);
    },
  );
  test("names all missing options at once", async () => {
    expect((await ran(["escalate", "--attempt", "2"])).err).toBe(
      "cra: --handoff, --run-dir and --phase are missing; name the handoff of the attempt (or its log with --trace), the folder with the logs of the run and the phase that failed; see: cra escalate --help\n",
    );
    expect((await ran(["escalate", "--trace", "x", "--phase", "p"])).err).toStartWith("cra: --run-dir is missing; ");
  });
  test.each([
    [["--attempt", "0"]],
    [["--attempt", "1.5"]],
    [["--check", "--force"]],
    [["--docs", ".."]],
    [["--docs", "/etc"]],
    [["--docs", "docs/../.."]],
    [["--docs", "C:\\x"]],
    [["--docs", ""]],
  ])("%j is refused", async (words) => {
    const run = await ran(["escalate", ...FLAGS, ...words], {}, BUNDLE);
    expect([run.code, run.out, seen.escalations]).toEqual([2, "", []]);
    expect(run.err).toContain(words[0] ?? "");
  });
  test.each(["a", "a/b/", ".", "..a", "...", "./a", "a/."])("folders of documentation: %p", async (folder) => {
    const { code } = await ran(["escalate", ...FLAGS, "--docs", folder], {}, BUNDLE);
    expect(code).toBe(["./a", "a/."].includes(folder) ? 2 : 0);
  });
});
