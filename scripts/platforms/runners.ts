/** How this machine runs a program of each platform: natively, in an emulator, or not. */
import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** `command` goes before the program's path; `how` is for a reader. */
export type Runner = { readonly command: readonly string[]; readonly how: string };

/** Each gives the runner, or the reason why there is none. */
export type FindRunner = (workshop: string) => Runner | string;

const native: FindRunner = () =>
  process.arch === "x64" ? { command: [], how: "natively" } : "it needs an x64 machine";

/** The oldest processor that is tried: Intel's of 2008, without AVX. */
const oldProcessor: FindRunner = () => {
  const qemu = Bun.which("qemu-x86_64-static");
  if (qemu === null) return "it needs qemu-x86_64-static (of qemu-user-static)";
  return { command: [qemu, "-cpu", "Nehalem"], how: "QEMU, a processor of 2008 without AVX" };
};

const arm: FindRunner = () => {
  const qemu = Bun.which("qemu-aarch64-static");
  const libraries = "/usr/aarch64-linux-gnu";
  if (qemu === null) return "it needs qemu-aarch64-static (of qemu-user-static)";
  if (!existsSync(join(libraries, "lib/libc.so.6"))) return "it needs glibc for arm64 (of libc6-arm64-cross)";
  return { command: [qemu, "-L", libraries], how: "QEMU, with Debian's glibc" };
};

/**
 * Runs in QEMU with the loader of Debian 13's musl, older ones lack a kind of relocation, and the C++ library that numpy's wheel for
 * musl carries. Both come from their registries.
 */
const musl =
  (processor: "x86_64" | "aarch64"): FindRunner =>
  (workshop) => {
    const qemu = Bun.which(`qemu-${processor}-static`);
    if (qemu === null) return `it needs qemu-${processor}-static (of qemu-user-static)`;
    const missing = ["apt-get", "dpkg-deb", "pip", "unzip"].filter((name) => Bun.which(name) === null);
    if (missing.length > 0) return `it needs ${missing.join(", ")} to fetch musl`;
    const root = join(workshop, `musl-${processor}`);
    try {
      if (!existsSync(root)) fetchMusl(processor, root, workshop);
    } catch (error) {
      return `musl could not be fetched: ${error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error)}`;
    }
    return {
      command: [qemu, "-L", root, "-E", "LD_LIBRARY_PATH=/usr/lib"],
      how: "QEMU, with Debian 13's musl and numpy's libstdc++",
    };
  };

function fetchMusl(processor: "x86_64" | "aarch64", root: string, workshop: string): void {
  const apt = join(workshop, "apt");
  const folder = join(workshop, `fetched-${processor}`);
  for (const path of ["lists/partial", "cache/archives/partial"]) mkdirSync(join(apt, path), { recursive: true });
  mkdirSync(folder, { recursive: true });
  const list = join(apt, "sources.list");
  const keys = "/usr/share/keyrings/debian-archive-keyring.gpg";
  writeFileSync(list, `deb [signed-by=${keys}] http://deb.debian.org/debian trixie main\n`);
  const options = [
    `Dir::Etc::sourcelist=${list}`,
    "Dir::Etc::sourceparts=-",
    `Dir::State::lists=${join(apt, "lists")}`,
    `Dir::Cache=${join(apt, "cache")}`,
    "APT::Architectures::=amd64",
    "APT::Architectures::=arm64",
    "APT::Sandbox::User=root",
  ].flatMap((option) => ["-o", option]);
  if (readdirSync(join(apt, "lists")).length < 2) run(["apt-get", ...options, "update"], folder);
  run(["apt-get", ...options, "download", `musl:${processor === "aarch64" ? "arm64" : "amd64"}`], folder);
  const wheel = ["--no-deps", "--only-binary=:all:", "--platform", `musllinux_1_2_${processor}`];
  run(["pip", "download", "--quiet", ...wheel, "--python-version", "3.12", "numpy"], folder);
  const names = readdirSync(folder);
  const named = (ending: string): string => names.find((name) => name.endsWith(ending)) ?? `no ${ending}`;
  run(["dpkg-deb", "-x", named(".deb"), "musl"], folder);
  const libraries = join(root, "usr/lib");
  for (const path of [join(root, "lib"), libraries]) mkdirSync(path, { recursive: true });
  run(["unzip", "-qoj", named(".whl"), "numpy.libs/libstdc++*", "numpy.libs/libgcc_s*", "-d", libraries], folder);
  for (const name of readdirSync(libraries)) {
    const plain = name.startsWith("libstdc++") ? "libstdc++.so.6" : "libgcc_s.so.1";
    copyFileSync(join(libraries, name), join(libraries, plain));
  }
  const loader = join(folder, `musl/usr/lib/${processor}-linux-musl/libc.so`);
  copyFileSync(loader, join(root, `lib/ld-musl-${processor}.so.1`));
  copyFileSync(loader, join(libraries, `libc.musl-${processor}.so.1`));
}

/** Runs in Wine with a prefix of its own. Wine 8 lacks one library with one function, which is compiled into the prefix. */
const wine: FindRunner = (workshop) => {
  const program = [Bun.which("wine64"), "/usr/lib/wine/wine64"].find((path) => path !== null && existsSync(path));
  const compiler = Bun.which("x86_64-w64-mingw32-gcc");
  if (typeof program !== "string") return "it needs wine64";
  if (compiler === null) return "it needs x86_64-w64-mingw32-gcc (of gcc-mingw-w64-x86-64)";
  const prefix = join(workshop, "wine");
  const command = ["env", `WINEPREFIX=${prefix}`, "WINEDEBUG=-all", program];
  const library = join(prefix, "drive_c/windows/system32/bcryptprimitives.dll");
  if (!existsSync(library)) {
    mkdirSync(prefix, { recursive: true });
    run([...command, "wineboot", "--init"], workshop);
    const source = join(import.meta.dir, "bcryptprimitives.c");
    run([compiler, "-shared", "-O2", "-o", library, source, "-ladvapi32"], workshop);
  }
  const version = Bun.spawnSync([program, "--version"]).stdout.toString().trim().replace(/ .*/, "");
  return { command, how: `Wine (${version}), with a bcryptprimitives.dll of one function` };
};

const mac: FindRunner = () => "it needs a Mac; its signature, pages and load commands are checked instead";

/** The rows of the table: a target, and who it is run for. */
export const ROWS: readonly { readonly target: string; readonly find: FindRunner }[] = [
  { target: "linux-x64", find: native },
  { target: "linux-x64", find: oldProcessor },
  { target: "linux-x64-musl", find: musl("x86_64") },
  { target: "linux-arm64", find: arm },
  { target: "linux-arm64-musl", find: musl("aarch64") },
  { target: "windows-x64", find: wine },
  { target: "darwin-arm64", find: mac },
  { target: "darwin-x64", find: mac },
];

function run(command: readonly string[], cwd: string): void {
  const { success, stderr } = Bun.spawnSync([...command], { cwd, stdin: "ignore", stdout: "ignore", stderr: "pipe" });
  if (!success) throw new Error(`${command[0]}: ${stderr.toString().trim()}`);
}
