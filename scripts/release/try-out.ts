/**
 * Decides whether this machine can run a target's binary, and with which emulator.
 *
 * Linux runs binaries of another processor in QEMU, which finds their libraries where Debian's cross packages put them, or through
 * `QEMU_LD_PREFIX`. musl binaries need musl and its C++ library. `scripts/platforms.ts` tries more.
 */
import { existsSync } from "node:fs";
import type { Target } from "./targets.ts";

/** What this decision needs to know about a machine. */
export type Here = {
  readonly system: string;
  readonly processor: string;
  /** The path of a program on the PATH, null if there is none. */
  which(name: string): string | null;
  exists(path: string): boolean;
};

export const HERE: Here = {
  system: process.platform,
  processor: process.arch,
  which: (name) => Bun.which(name),
  exists: existsSync,
};

/** The command prefix that runs the program here (empty for a native one), or the reason why it cannot run. */
export function runnerOf({ name, system }: Target, here: Here): readonly string[] | string {
  if (system !== here.system) return `it is for ${system === "win32" ? "Windows" : "macOS"}`;
  const processor = name.includes("arm64") ? "arm64" : "x64";
  const emulator = processor === "arm64" ? "qemu-aarch64" : "qemu-x86_64";
  const isOwn = processor === here.processor;
  const runner = isOwn
    ? []
    : [emulator, `${emulator}-static`].flatMap((program) => here.which(program) ?? []).slice(0, 1);
  if (!isOwn && runner.length === 0) return `it needs ${emulator}`;
  const libraries = `/usr/${processor === "arm64" ? "aarch64" : "x86_64"}-linux-gnu`;
  if (!isOwn && !name.endsWith("-musl") && here.exists(`${libraries}/lib/libc.so.6`))
    return [...runner, "-L", libraries];
  if (!name.endsWith("-musl")) return runner;
  const loader = `/lib/ld-musl-${processor === "arm64" ? "aarch64" : "x86_64"}.so.1`;
  if (!isOwn) return "it needs a machine with musl";
  if (!here.exists(loader)) return `it needs ${loader}`;
  return here.exists("/etc/alpine-release") ? runner : "it needs musl's libstdc++";
}
