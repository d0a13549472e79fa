/** The platforms that a release is built for. */

/** `name` is part of the archive names; the install script derives the same name from the machine. */
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

/** The file name of the program on the target's system. */
export const programOf = ({ system }: Target): string => (system === "win32" ? "cra.exe" : "cra");
