/**
 * A repository of hostile files between folders that nobody may touch: its parent, a home, and a sibling with a text that must
 * not get out. What its git configuration would run leaves a trace.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { z } from "zod";
import { listing, tempFolder } from "../../tests/support/folder.ts";
import { gitConfig } from "../../tests/support/git-config.ts";
import { PLANTED_SECRETS } from "../../tests/support/planted-keys.ts";
import { type TempRepo, tempRepo } from "../../tests/support/repo.ts";
import { readings } from "../../tests/support/wrappings.ts";
import type { Court } from "./attack.ts";
import { bytesOf, type HostileFile, type Link } from "./hostile-files.ts";
import { textsIn } from "./stored-texts.ts";

/** A text of a file outside the repository, to which links lead. */
const OUTSIDE = "outside_of_everything_7391";

/** What a home may hold: the lock for asking a model server and the secret of fences, which all repositories of a user share. */
const OF_A_MODEL =
  /^\.local(?:\/state(?:\/cra(?:\/(?:server-[0-9a-f]{16}\.sqlite(?:\.holder\.json)?|fence-secret))?)?)? /;

export type World = Disposable & {
  readonly repo: TempRepo;
  /** Data folders, one per name. */
  data(name: string): string;
  readonly home: string;
  readonly environment: Readonly<{ [name: string]: string }>;
  /** Writes files over those that are there; leaves out those that clash with a folder. */
  write(files: readonly HostileFile[]): void;
  /** Checks that a text holds no secret and nothing of other folders. */
  checkText(court: Court, where: string, text: string | Uint8Array): void;
  /** Checks the folders around, and every byte that was stored. */
  checkTraces(court: Court): void;
};

type WorldParts = {
  readonly files: readonly HostileFile[];
  readonly links: readonly z.infer<typeof Link>[];
  readonly ignore: readonly string[];
  /** Messages of commits; without any there is no git. */
  readonly messages: readonly string[];
};

export function worldOf({ files, links, ignore, messages }: WorldParts): World {
  const base = tempFolder();
  const [home, outside, state] = ["home", "outside", "state"].map((name) => join(base.path, name));
  if (home === undefined || outside === undefined || state === undefined) throw new Error("no folders");
  for (const folder of [home, outside, state]) mkdirSync(folder);
  writeFileSync(join(outside, "private.py"), `def ${OUTSIDE}():\n    return 1\n`);
  const repo = tempRepo({});
  const write = (given: readonly HostileFile[]): void => {
    for (const file of given) attempt(() => repo.write({ [file.path]: bytesOf(file) }));
  };
  write(files);
  if (ignore.length > 0) attempt(() => repo.write({ ".gitignore": `${ignore.join("\n")}\n` }));
  for (const link of links) attempt(() => linkIn(repo, link, outside));
  if (messages.length > 0) withHistory(repo, messages, join(outside, "executed"));
  const before = listing(outside);
  let tree = listing(repo.path);
  return {
    repo,
    home,
    environment: { CRA_INDEX_WORKERS: "1" },
    data: (name) => join(state, name),
    write(given) {
      write(given);
      tree = listing(repo.path);
    },
    checkText(court, where, text) {
      court.holds("no secret", secretIn(text) === null, () => `${where} holds ${secretIn(text)}`);
    },
    checkTraces(court) {
      court.holds(
        "nothing executed",
        !existsSync(join(outside, "executed")) && !existsSync(join(repo.path, "executed")),
        () => readFileSync(join(outside, "executed"), "utf8"),
      );
      court.holds("nothing outside", same(listing(outside), before), () => `outside: ${listing(outside).join(", ")}`);
      const strange = listing(home).filter((line) => !OF_A_MODEL.test(line));
      court.holds("nothing outside", strange.length === 0, () => `home: ${strange.join(", ")}`);
      court.holds(
        "nothing outside",
        same(listing(repo.path), tree),
        () => `repository: ${changed(tree, listing(repo.path))}`,
      );
      for (const { where, bytes } of textsIn(state))
        court.holds("no secret", secretIn(bytes) === null, () => `${where} stores ${secretIn(bytes)}`);
    },
    [Symbol.dispose]() {
      repo[Symbol.dispose]();
      base[Symbol.dispose]();
    },
  };
}

/** The first key in a text, as it is and as each notation is read, or the text from outside; null if there is none. */
function secretIn(given: string | Uint8Array): string | null {
  const text = typeof given === "string" ? given : Buffer.from(given).toString("latin1");
  const read = readings(text);
  return [...PLANTED_SECRETS, OUTSIDE].find((secret) => read.some((one) => one.includes(secret))) ?? null;
}

const same = (a: readonly string[], b: readonly string[]): boolean => a.join("\n") === b.join("\n");
const changed = (before: readonly string[], after: readonly string[]): string =>
  [...after.filter((line) => !before.includes(line)), ...before.filter((line) => !after.includes(line))].join("; ");

/** Names can be impossible on a file system, or clash with a folder of the same name. */
function attempt(action: () => void): void {
  try {
    action();
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
  }
}

function linkIn(repo: TempRepo, { path, to }: z.infer<typeof Link>, outside: string): void {
  const at = join(repo.path, path);
  mkdirSync(dirname(at), { recursive: true });
  const targets = {
    outside,
    itself: at,
    above: "..",
    file: join(outside, "private.py"),
    device: "/dev/zero",
    git: join(repo.path, ".git"),
  };
  symlinkSync(targets[to], at);
}

/** Commits everything once per message, then plants programs that git would run. */
function withHistory(repo: TempRepo, messages: readonly string[], trace: string): void {
  repo.git("init", "--quiet", "--initial-branch=main");
  repo.git("config", "core.symlinks", "true");
  for (const [at, message] of messages.entries()) {
    if (at > 0) repo.write({ "changes.py": `def change_${at}():\n    return ${at}\n` });
    repo.commit(message);
  }
  const run = `touch ${trace}; cat`;
  const program = join(repo.path, ".git", "evil");
  writeFileSync(program, `#!/bin/sh\n${run}\n`, { mode: 0o755 });
  const settings = [
    ["core.fsmonitor", program],
    ["core.pager", run],
    ["core.sshCommand", run],
    ["core.hooksPath", join(repo.path, ".git")],
    ["filter.evil.clean", run],
    ["filter.evil.smudge", run],
    ["filter.evil.process", run],
    ["filter.evil.required", "true"],
    ["diff.external", program],
    ["diff.evil.textconv", program],
    ["diff.evil.command", program],
    ["gpg.program", program],
    ["log.showSignature", "true"],
    ["credential.helper", `!${run}`],
    ["alias.log", `!${run}`],
  ] as const;
  appendFileSync(join(repo.path, ".git/config"), gitConfig(settings));
}
