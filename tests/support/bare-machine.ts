/**
 * An empty machine: a root folder with only the binary, its C library, a repository, /proc, /dev/null and /dev/urandom.
 * It has no shell, git, Node, network or other processes.
 *
 * Uses user namespaces (`unshare`), so it needs no privileges where the system allows these.
 */
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { binary } from "./binary.ts";
import { type TempFolder, tempFolder } from "./folder.ts";
import { FOR_BRIEF_RUNS } from "./run-cra.ts";

/** Runs a command in namespaces of its own. */
const APART = ["unshare", "--map-root-user", "--mount", "--pid", "--net", "--fork"] as const;
const CHROOT = Bun.which("chroot", { PATH: `${process.env.PATH ?? ""}:/usr/sbin:/sbin` });

const BRIEF = Object.entries(FOR_BRIEF_RUNS)
  .map(([name, value]) => `${name}=${value}`)
  .join(" ");

/** The first argument is the root. The mounts end with the process. */
const ENTER = `
  root=$1; shift
  for device in null urandom; do mount --bind "/dev/$device" "$root/dev/$device" || exit 99; done
  mount -t proc proc "$root/proc" || exit 99
  exec env -i HOME=/home TERM=xterm-256color LANG=C.UTF-8 CRA_INDEX_WORKERS=1 ${BRIEF} '${CHROOT}' "$root" /cra "$@"
`;

/** Whether this machine allows such a namespace. */
export const CAN_BE_BARE =
  CHROOT !== null &&
  ["unshare", "ldd"].every((name) => Bun.which(name) !== null) &&
  Bun.spawnSync([...APART, "sh", "-c", 'mount -t proc proc /proc && exec "$0" / true', CHROOT]).success;

export type BareMachine = Disposable & {
  /** The command that runs cra there; the repository is at `/repository`. */
  command(...args: readonly string[]): readonly [string, ...string[]];
};

/** Creates the machine with a copy of the repository at `repository`. */
export async function bareMachine(repository: string): Promise<BareMachine> {
  const folder: TempFolder = tempFolder();
  const root = folder.path;
  const program = await binary();
  for (const name of ["dev", "home", "proc", "tmp"]) mkdirSync(join(root, name));
  for (const name of ["null", "urandom"]) writeFileSync(join(root, "dev", name), "");
  cpSync(program, join(root, "cra"));
  cpSync(repository, join(root, "repository"), { recursive: true });
  const linked = Bun.spawnSync(["ldd", program]).stdout.toString();
  for (const [library] of linked.matchAll(/\/\S+/g)) {
    mkdirSync(join(root, dirname(library)), { recursive: true });
    cpSync(library, join(root, library), { dereference: true });
  }
  return {
    command: (...args) => [...APART, "sh", "-c", ENTER, "sh", root, ...args],
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}
