/** An index is pushed under the name of a commit, so it has to be of all its files. */
import { beforeAll, expect, test } from "bun:test";
import { postgresProblem, sharedPostgres } from "../../support/postgres.ts";
import { tempRepo } from "../../support/repo.ts";
import { runHere } from "../../support/run-here.ts";
import { newStore } from "../../support/team-store.ts";

const onPostgres = test.skipIf(postgresProblem !== null);

let postgres: Awaited<ReturnType<typeof sharedPostgres>>;
beforeAll(async () => {
  if (postgresProblem === null) postgres = await sharedPostgres();
});

onPostgres("a sparse checkout is not pushed as its commit", async () => {
  const address = await newStore(postgres);
  using repo = tempRepo({ "api/a.py": "def one():\n    return 1\n", "web/b.py": "two = 2\n" }, { git: true });
  const push = () => runHere(["push", "--to", address, "--name", "x", "--with-text"], { cwd: repo.path });
  repo.git("sparse-checkout", "set", "api");
  const sparse = await push();
  expect([sparse.exitCode, sparse.stderr]).toEqual([
    2,
    "cra: the checkout is sparse and lacks web/b.py; push from a whole clone\n",
  ]);
  expect(await postgres.query(address, "select 1 from cra.snapshots")).toEqual([]);
  repo.git("sparse-checkout", "disable");
  const whole = await push();
  expect([whole.exitCode, whole.stderr]).toEqual([0, ""]);
});
