/** What tests of a team's store share: an empty store, and a repository to push. */

import type { Postgres } from "./postgres.ts";
import { type TempRepo, tempRepo } from "./repo.ts";
import { runHere } from "./run-here.ts";

/** The address of a new store. */
export async function newStore(postgres: Pick<Postgres, "createDatabase">): Promise<string> {
  const address = await postgres.createDatabase();
  await runHere(["store", "init", "--at", address], { cwd: "/" });
  return address;
}

/** A commit of so many files, each of which calls the next one's function. */
export function chainRepo(files: number): TempRepo {
  const chain = Array.from({ length: files }, (_, at) => [
    `pkg/m${at}.py`,
    `def f${at}(x):\n    """Does ${at}."""\n    return f${(at + 1) % files}(x) + ${at}\n`,
  ]);
  return tempRepo(Object.fromEntries(chain), { git: true });
}
