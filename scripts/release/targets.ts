/**
 * The machines that a release is built for.
 *
 * Not here: where their runtimes come from (`runtimes.ts`), and whether a binary can be tried here (`try-out.ts`).
 */

/** `name` is in the names of archives and is what the install script finds by looking at a machine. */
export type Target = {
  readonly name: string;
  readonly bun: Bun.Build.CompileTarget;
  /** The npm package that holds Bun's executable for it. */
  readonly runtime: `@oven/bun-${string}`;
  readonly system: "linux" | "darwin" | "win32";
};

export const TARGETS: readonly Target[] = [
  { name: "linux-x64", bun: "bun-linux-x64", runtime: "@oven/bun-linux-x64", system: "linux" },
  { name: "linux-x64-musl", bun: "bun-linux-x64-musl", runtime: "@oven/bun-linux-x64-musl", system: "linux" },
  { name: "linux-arm64", bun: "bun-linux-arm64", runtime: "@oven/bun-linux-aarch64", system: "linux" },
  { name: "linux-arm64-musl", bun: "bun-linux-arm64-musl", runtime: "@oven/bun-linux-aarch64-musl", system: "linux" },
  { name: "darwin-x64", bun: "bun-darwin-x64", runtime: "@oven/bun-darwin-x64", system: "darwin" },
  { name: "darwin-arm64", bun: "bun-darwin-arm64", runtime: "@oven/bun-darwin-aarch64", system: "darwin" },
  { name: "windows-x64", bun: "bun-windows-x64", runtime: "@oven/bun-windows-x64", system: "win32" },
];

/** The name of the program on that system. */
export const programOf = ({ system }: Target): string => (system === "win32" ? "cra.exe" : "cra");
