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

/** Lets jobs of a store that failed be due again at once. */
export async function withoutPauses({ query }: Pick<Postgres, "query">, address: string): Promise<void> {
  const due = "begin if new.state = 'waiting' then new.leased_until := 0; end if; return new; end";
  await query(address, `create function due() returns trigger language plpgsql as $$${due}$$`);
  await query(address, "create trigger due before update on cra.jobs for each row execute function due()");
}
