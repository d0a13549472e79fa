/** The platforms that a release is built for. */

/** `name` is part of the archive names; the install script derives the same name from the machine. */
export type Target = {
  readonly name: string;
  readonly bun: Bun.Build.CompileTarget;
  /** The npm package that holds Bun's executable for it. */
  readonly runtime: `@oven/bun-${string}`;
  readonly system: "linux" | "darwin" | "win32";
  readonly processor: "x64" | "arm64";
};

export const TARGETS: readonly Target[] = [
  target("linux-x64", "bun-linux-x64", "linux-x64"),
  target("linux-x64-musl", "bun-linux-x64-musl", "linux-x64-musl"),
  target("linux-arm64", "bun-linux-arm64", "linux-aarch64"),
  target("linux-arm64-musl", "bun-linux-arm64-musl", "linux-aarch64-musl"),
  target("darwin-x64", "bun-darwin-x64", "darwin-x64"),
  target("darwin-arm64", "bun-darwin-arm64", "darwin-aarch64"),
  target("windows-x64", "bun-windows-x64", "windows-x64"),
];

function target(name: string, bun: Bun.Build.CompileTarget, runtime: string): Target {
  const system = name.startsWith("linux") ? "linux" : name.startsWith("darwin") ? "darwin" : "win32";
  return { name, bun, runtime: `@oven/bun-${runtime}`, system, processor: name.includes("arm64") ? "arm64" : "x64" };
}

/** The file name of the program on the target's system. */
export const programOf = ({ system }: Target): string => (system === "win32" ? "cra.exe" : "cra");

/** Whether the program needs musl instead of glibc. */
export const isMusl = ({ name }: Target): boolean => name.endsWith("-musl");
