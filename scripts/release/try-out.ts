/**
 * Whether a binary for some machine can be tried on this one, and with what.
 *
 * Its own machine runs it; Linux runs programs of another processor in QEMU (its `QEMU_LD_PREFIX` says where that
 * machine's libraries lie), and those of musl where musl is installed with its C++ library. Not here: what is tried
 * (`smoke.ts`).
 */
import { existsSync } from "node:fs";
import type { Target } from "./targets.ts";

/** What there is to run programs with. */
export type Here = {
  readonly system: string;
  readonly processor: string;
  /** The path of a program on the PATH, or null. */
  which(name: string): string | null;
  exists(path: string): boolean;
};

/** This machine. */
export const HERE: Here = {
  system: process.platform,
  processor: process.arch,
  which: (name) => Bun.which(name),
  exists: existsSync,
};

/** The words before a program's path that run it here (none for one of this machine), or why it cannot be run. */
export function runnerOf({ name, system }: Target, here: Here): readonly string[] | string {
  if (system !== here.system) return `it is for ${system === "win32" ? "Windows" : "macOS"}`;
  const processor = name.includes("arm64") ? "arm64" : "x64";
  const emulator = processor === "arm64" ? "qemu-aarch64" : "qemu-x86_64";
  const isOwn = processor === here.processor;
  const runner = isOwn
    ? []
    : [emulator, `${emulator}-static`].flatMap((program) => here.which(program) ?? []).slice(0, 1);
  if (!isOwn && runner.length === 0) return `it needs ${emulator}`;
  if (!name.endsWith("-musl")) return runner;
  const loader = `/lib/ld-musl-${processor === "arm64" ? "aarch64" : "x86_64"}.so.1`;
  if (!isOwn) return "it needs a machine with musl";
  if (!here.exists(loader)) return `it needs ${loader}`;
  return here.exists("/etc/alpine-release") ? runner : "it needs musl's libstdc++";
}
