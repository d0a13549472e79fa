/** The name of a repository in a store, from its remote. */
import { expect, test } from "bun:test";
import { repositoryName } from "../../../src/app/team/team-store.ts";
import { failureLine } from "../../support/failure.ts";

test("a name is the host and path of the remote, however it is written, without what it holds of a user", () => {
  for (const [remote, name] of [
    ["https://github.com/pallets/flask.git", "github.com/pallets/flask"],
    ["https://me:secret@GitHub.com/pallets/flask/", "github.com/pallets/flask"],
    ["git@github.com:pallets/flask.git", "github.com/pallets/flask"],
    ["ssh://git@host.example:2222/team/app.git", "host.example/team/app"],
  ] as const)
    expect(repositoryName(undefined, remote)).toBe(name);
});

test("a remote whose address makes no name is not said to be missing, and its password is not shown", () => {
  const said = (remote: string | null): string => failureLine(() => repositoryName(undefined, remote));
  expect(said(null)).toStartWith("usage: the repository has no remote to take its name from");
  for (const [remote, shown] of [
    ["git@git.sr.ht:~me/app", "git.sr.ht/~me/app"],
    ["https://github.com/acme/.github", "github.com/acme/.github"],
    ["https://me:secret@dev.azure.com/acme/My%20Project/_git/app", "dev.azure.com/acme/My%20Project/_git/app"],
  ] as const)
    expect(said(remote)).toStartWith(
      `usage: the address of the remote makes no name for a repository: ${shown}; name it with --name`,
    );
  expect(said("file:///srv/app.git")).toStartWith(
    "usage: the address of the remote makes no name for a repository; name it",
  );
});
