/** The npm packages: from a registry by `npx`, and from the folder without any registry; and what the launcher costs. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { serveRegistry } from "./registry.ts";
import { run, runsAt, type Trial, type TrialPlace } from "./trial.ts";

/** Milliseconds that a start may take longer through the launcher. */
const LAUNCHER_MS_MAX = 60;
/** On a machine so slow or busy that Node alone needs that, what the launcher may add to Node. */
const ADDED_TO_NODE_MS_MAX = 10;
const STARTS = 31;

export const NPM: Trial = {
  name: "npm",
  needs: ["npm", "npx", "node"],
  ending: ".tgz",
  async run(place) {
    const { release, scratch } = place;
    using registry = serveRegistry(release);
    const { scope } = packagesOf(release);
    await runsAt(["npx", "--yes", "--registry", registry.url, `${scope}cra`], {
      cwd: scratch,
      env: environment(scratch),
    });
    const { command } = await install(place);
    await runsAt([command]);
    return "run by npx from a registry, installed from the folder without one and run";
  },
};

/** What a start through the launcher takes longer. */
export const LAUNCHER: Trial = {
  name: "npm launcher",
  needs: ["npm", "node"],
  ending: ".tgz",
  async run(place) {
    const { command, program } = await install(place);
    const commands = [
      [command, "--version"],
      [program, "--version"],
      ["node", "-e", "0"],
    ];
    const [through = 0, direct = 0, node = 0] = await fastest(commands);
    const cost = through - direct;
    const version = (await run(["node", "--version"])).trim();
    const spent = `${cost.toFixed(0)} ms of processor time, of which Node ${version} starts for ${node.toFixed(0)} ms`;
    const limit = Math.max(LAUNCHER_MS_MAX, node + ADDED_TO_NODE_MS_MAX);
    if (cost > limit) throw new Error(`a start costs ${spent}; the limit is ${limit.toFixed(0)} ms`);
    return `a start costs ${spent}`;
  },
};

/** The file of the launcher's package: its scope comes first, and may begin like it. */
const LAUNCHER_FILE = /^(?<launcher>(?:(?<owner>.+)-)?cra-\d.*)$/;

/** The package of the launcher and that of this machine's program, and their scope with its slash. */
function packagesOf(release: string): { readonly scope: string; readonly files: readonly string[] } {
  const names = readdirSync(release).filter((name) => name.endsWith(".tgz"));
  const found = names.map((name) => LAUNCHER_FILE.exec(name)?.groups).find((groups) => groups !== undefined);
  const { launcher, owner } = found ?? {};
  if (launcher === undefined) throw new Error("the release has no launcher package");
  const scope = owner === undefined ? "" : `@${owner}/`;
  const own = new RegExp(`cra-linux-${process.arch}-\\d`);
  return { scope, files: names.filter((name) => name === launcher || own.test(name)) };
}

/** Installs globally below the scratch folder, from files only. Returns the command and the program that it starts. */
async function install({ release, scratch }: TrialPlace): Promise<{ command: string; program: string }> {
  const { scope, files } = packagesOf(release);
  const prefix = join(scratch, "prefix");
  const options = ["--global", "--offline", "--no-audit", "--no-fund", "--prefix", prefix];
  const archives = files.map((name) => join(release, name));
  await run(["npm", "install", ...options, ...archives], { cwd: scratch, env: environment(scratch) });
  const modules = join(prefix, "lib/node_modules", scope);
  const folder = readdirSync(modules).find((name) => name.startsWith("cra-linux-"));
  if (folder === undefined) throw new Error(`${modules} has no package of a program`);
  return { command: join(prefix, "bin/cra"), program: join(modules, folder, "bin/cra") };
}

const environment = (home: string): Readonly<Record<string, string>> => ({
  HOME: home,
  npm_config_cache: join(home, "cache"),
  npm_config_update_notifier: "false",
});

/**
 * The processor time of the fastest start of each command in milliseconds: waiting for a busy machine does not count. They take turns, so
 * what slows the machine down slows all of them.
 */
async function fastest(commands: readonly (readonly string[])[]): Promise<readonly number[]> {
  const times = commands.map((): number[] => []);
  for (let start = 0; start < STARTS; start += 1)
    for (const [at, command] of commands.entries()) {
      const child = Bun.spawn([...command], { stdin: "ignore", stdout: "ignore", stderr: "ignore" });
      await child.exited;
      times[at]?.push(Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1000);
    }
  return times.map((of) => Math.min(...of));
}
