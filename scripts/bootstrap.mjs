/**
 * Prepares a fresh checkout, then runs a script: `node scripts/bootstrap.mjs check`.
 *
 * Installs missing dependencies and nothing else. Runs on Node 20 or newer with npm, or on Bun alone, so it is plain
 * JavaScript without dependencies. Every failure is one line that says what to do. The scripts run under the Bun that
 * package-lock.json pins.
 */

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const NODE_MIN = 20;
const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
const MODULES = join(ROOT, "node_modules");
const BUN = join(MODULES, "bun", "bin", "bun.exe");

const LOCK = join(ROOT, "package-lock.json");

/** Stores the hash of the package-lock.json that was installed. */
const STAMP = join(MODULES, ".cra-lock");

/** What installers print when the network is the problem. */
const OFFLINE =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ConnectionRefused|FailedToOpenSocket|DNSResolveFailed/;

try {
  main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`bootstrap: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

function main([script, ...args]) {
  const major = Number(process.versions.node.split(".")[0]);
  if (!process.versions.bun && major < NODE_MIN) {
    throw new Error(`Node ${process.versions.node} is too old; install Node ${NODE_MIN} or newer (nodejs.org)`);
  }
  if (!isInstalled()) install();
  if (!bunWorks()) repairBun();
  if (script === undefined) return;
  const path = join(ROOT, "scripts", `${script}.ts`);
  if (!existsSync(path)) throw new Error(`there is no scripts/${script}.ts`);
  const { status, signal } = spawnSync(BUN, [path, ...args], { cwd: ROOT, stdio: "inherit" });
  if (signal) throw new Error(`scripts/${script}.ts was stopped by ${signal}`);
  process.exitCode = status ?? 1;
}

/** Whether node_modules matches package-lock.json: by the stamp, else by npm's own record. */
function isInstalled() {
  if (!existsSync(MODULES) || !existsSync(LOCK)) return false;
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === lockHash()) return true;
  const record = join(MODULES, ".package-lock.json");
  if (!existsSync(record)) return false;
  const installed = JSON.parse(readFileSync(record, "utf8")).packages;
  const wanted = Object.entries(JSON.parse(readFileSync(LOCK, "utf8")).packages);
  const same = wanted.every(
    ([path, { version, optional }]) =>
      path === "" || (installed[path]?.version ?? (optional ? version : "")) === version,
  );
  if (same) writeFileSync(STAMP, lockHash());
  return same;
}

function lockHash() {
  return createHash("sha256").update(readFileSync(LOCK)).digest("hex");
}

/** Installs exactly what package-lock.json pins; neither installer writes a lock file. */
function install() {
  if (!existsSync(LOCK))
    throw new Error("package-lock.json is missing; restore it with: git checkout package-lock.json");
  const [program, args] = installer();
  process.stderr.write(`bootstrap: installing (${program} ${args.join(" ")})\n`);
  const { status, stdout, stderr, error } = run(program, args);
  if (status === 0) {
    writeFileSync(STAMP, lockHash());
    return;
  }
  const output = `${error ?? ""}\n${stderr ?? ""}\n${stdout ?? ""}`;
  if (OFFLINE.test(output)) {
    throw new Error(
      "the package registry cannot be reached; connect to the network (or set the npm registry) and run again",
    );
  }
  const lines = output.split("\n").map((line) => line.replace(/^npm error( code \S+)?/, "error:").trim());
  const reason = lines.find((line) => /^error: ?\S/.test(line)) ?? `exit ${status}`;
  throw new Error(`${program} ${args.join(" ")} failed: ${reason.replace(/^error: ?/, "")}`);
}

function installer() {
  const withBun = ["install", "--frozen-lockfile"];
  if (process.versions.bun) return [process.execPath, withBun];
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  if (onPath(npm)) return [npm, ["ci", "--no-audit", "--no-fund", "--loglevel=error"]];
  if (onPath("bun")) return ["bun", withBun];
  throw new Error("neither npm nor bun is on the PATH; install Node 20 or newer (nodejs.org)");
}

function onPath(name) {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => folder !== "" && existsSync(join(folder, name)));
}

function bunWorks() {
  return existsSync(BUN) && run(BUN, ["--version"]).status === 0;
}

/** If npm skips install scripts, Bun is only a placeholder; Bun's own script replaces it. */
function repairBun() {
  const script = join(MODULES, "bun", "install.js");
  if (existsSync(script)) run(process.execPath, [script], dirname(script));
  if (bunWorks()) return;
  rmSync(STAMP, { force: true });
  throw new Error("Bun did not install for this machine; delete node_modules and run again with the network on");
}

function run(program, args, cwd = ROOT) {
  return spawnSync(program, args, {
    cwd,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    shell: program.endsWith(".cmd"),
  });
}
