#!/usr/bin/env node
// Starts the program that npm installed for this machine in a package of its own.
// Loads as little as possible: what this file does is time that every start of cra takes longer.
"use strict";

const { existsSync } = require("node:fs");

const { platform, arch } = process;
const system = platform === "win32" ? "windows" : platform;
const file = `bin/cra${platform === "win32" ? ".exe" : ""}`;
const program = programBeside() ?? programElsewhere();
if (program === null) process.exitCode = 1;
else start(program, process.argv.slice(2));

/** Where installers put the package: inside this one or beside it. Null unless exactly one that may fit is there. */
function programBeside() {
  const [, scope] = /[\\/](@[^\\/]+)[\\/][^\\/]+$/.exec(__dirname) ?? [];
  const inside = `${__dirname}/node_modules/${scope === undefined ? "" : `${scope}/`}`;
  const names = [`cra-${system}-${arch}`, ...(platform === "linux" ? [`cra-linux-${arch}-musl`] : [])];
  const paths = [inside, `${__dirname}/../`].flatMap((folder) => names.map((name) => `${folder}${name}/${file}`));
  const found = paths.filter((path) => existsSync(path));
  return found.length === 1 ? found[0] : null;
}

/** By the rules of Node, and by the C library of this machine if there are programs for both. */
function programElsewhere() {
  const names = candidates();
  for (const name of names) {
    try {
      return require.resolve(`${name}/${file}`);
    } catch {
      // The package of another C library may be there.
    }
  }
  const known = Object.keys(require("./package.json").optionalDependencies);
  const reason = known.includes(names[0])
    ? `the package ${names[0]} is not installed; install again with: npm install --include=optional`
    : `there is no program for ${platform} on ${arch}`;
  process.stderr.write(`cra: ${reason}\n`);
  return null;
}

/** The packages that may fit, the likeliest first. */
function candidates() {
  const scope = require("./package.json").name.replace(/cra$/, "");
  const name = `${scope}cra-${system}-${arch}`;
  if (platform !== "linux") return [name];
  const musl =
    existsSync("/etc/alpine-release") || existsSync(`/lib/ld-musl-${arch === "x64" ? "x86_64" : "aarch64"}.so.1`);
  const glibc = existsSync(arch === "x64" ? "/lib64/ld-linux-x86-64.so.2" : "/lib/ld-linux-aarch64.so.1");
  return musl && !glibc ? [`${name}-musl`, name] : [name, `${name}-musl`];
}

function start(program, args) {
  if (platform !== "win32" && process.execve !== undefined) {
    // Becomes the program, which then gets signals and the terminal itself. Node warns that this is new.
    process.emitWarning = () => undefined;
    try {
      process.execve(program, [program, ...args], process.env);
    } catch {
      // It may not be allowed; then the program is a child.
    }
  }
  let child;
  // A terminal sends the first two to the program itself; a second one would mean "at once".
  for (const signal of ["SIGINT", "SIGQUIT"])
    process.on(signal, () => void (child.isTerminal(0) || child.kill(signal)));
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => void child.kill(signal));
  child =
    (process.version.startsWith("v20.") && platform !== "win32" && startBare(program, args)) ||
    startWhole(program, args);
}

/**
 * Node 20 has no execve, and gets no changes any more. So what its node:child_process is made of can be used alone there: loading all
 * of it takes a tenth of a start. Null if that fails.
 */
function startBare(program, args) {
  try {
    const { Process } = process.binding("process_wrap");
    const handle = new Process();
    handle.onexit = (code, signal) => (signal ? ended(code, signal) : process.reallyExit(code));
    const stdio = [0, 1, 2].map((fd) => ({ type: "inherit", fd }));
    // Without an environment the program gets that of this process.
    if (handle.spawn({ file: program, args: [program, ...args], stdio })) return null;
    return {
      kill: (signal) => handle.kill(process.binding("constants").os.signals[signal]),
      isTerminal: (fd) => process.binding("tty_wrap").isTTY(fd),
    };
  } catch {
    return null;
  }
}

/** By the documented interface, which also says what is wrong. */
function startWhole(program, args) {
  const child = require("node:child_process").spawn(program, args, { stdio: "inherit", windowsHide: false });
  child.on("error", (error) => {
    process.stderr.write(`cra: cannot start ${program}: ${error.message}\n`);
    process.exitCode = 126;
  });
  child.on("exit", ended);
  return { kill: (signal) => child.kill(signal), isTerminal: require("node:tty").isatty };
}

/** Ends as the program did. */
function ended(code, signal) {
  if (!signal) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}
