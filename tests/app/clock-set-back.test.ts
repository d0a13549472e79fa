/** A system clock that is set back during runs: no duration is negative, and the log stays sound. */
import { expect, spyOn, test } from "bun:test";
import { z } from "zod";
import { tempRepo } from "../support/repo.ts";
import { runHere } from "../support/run-here.ts";

const Indexed = z.object({ ms: z.number() });
const Round = z.object({ ms: z.number(), stages: z.array(z.object({ ms: z.number() })).min(1) });
const Log = z.object({ rounds: z.array(Round).length(1) });

/** Sets the clock back by an hour each time it is read. */
function clockRunningBack(): Disposable {
  let now = Date.now();
  const read = spyOn(Date, "now").mockImplementation(() => {
    now -= 3_600_000;
    return now;
  });
  return { [Symbol.dispose]: () => read.mockRestore() };
}

test("durations of runs are not negative when the clock is set back, and cra doctor finds nothing", async () => {
  using repo = tempRepo({ "login.py": "def login():\n    return 1\n" });
  const cra = async (...args: string[]): Promise<string> => {
    const { exitCode, stdout } = await runHere(args, { cwd: repo.path });
    expect(exitCode).toBe(0);
    return stdout;
  };
  {
    using _ = clockRunningBack();
    const { ms } = Indexed.parse(JSON.parse(await cra("index", "--json")));
    expect(ms).toBeGreaterThanOrEqual(0);
    await cra("retrieve", "fix the login", "-q");
  }
  const [id = ""] = /[0-9a-f]{12}/.exec(await cra("sessions")) ?? [];
  const { rounds } = Log.parse(JSON.parse(await cra("log", id, "--json")));
  const took = rounds.flatMap(({ ms, stages }) => [ms, ...stages.map((stage) => stage.ms)]);
  expect(Math.min(...took)).toBeGreaterThanOrEqual(0);
  expect(await cra("doctor")).toContain("nothing is wrong");
});
