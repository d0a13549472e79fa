/**
 * The faults that `faults.ts` injects, one row each, and the code that runs one trial.
 *
 * strace makes a system call fail, counting the calls of each thread separately; prlimit and a small file system create
 * real limits.
 */
import { rmSync } from "node:fs";
import {
  type Beginning,
  type FaultSubject,
  ON_ONE_THREAD,
  type Seen,
  wordsOf,
} from "../../tests/support/fault-subject.ts";
import { type CraRun, runShell } from "../../tests/support/run-cra.ts";

/** Where a fault occurs, as a prefix of the command. */
type Place = { readonly name: string; readonly prefix: string };

export type FaultKind = {
  readonly name: string;
  readonly places: readonly Place[];
  /** Exit codes that a faulted run may have. */
  readonly endings: readonly number[];
  /** A damaged database may have been moved aside. */
  readonly mayMoveAside?: true;
  /** Why this fault cannot be injected on this machine; null if it can. */
  missing(): string | null;
};

export type Trial = {
  readonly place: string;
  readonly ending: string;
  /** Whether the fault occurred before the run had ended. */
  readonly struck: boolean;
  readonly message: string;
  readonly seen: Seen;
  readonly breaches: readonly string[];
};

const FOUND = { strace: Bun.which("strace"), prlimit: Bun.which("prlimit"), unshare: Bun.which("unshare") } as const;
const needs = (tool: keyof typeof FOUND) => (): string | null =>
  FOUND[tool] === null ? `${tool} is not on the PATH` : null;

/** A sequence that looks random and is always the same (a linear congruential generator). */
function numbers(count: number, low: number, high: number, start: number): readonly number[] {
  let state = start;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return low + Math.floor((state / 0x8000_0000) * (high - low));
  });
}

const upTo = (last: number, step = 1): readonly number[] =>
  Array.from({ length: Math.ceil(last / step) }, (_, n) => 1 + n * step);

/** Only calls on these files. */
const IN_DATABASES = [
  "curated.sqlite",
  "curated.sqlite-wal",
  "parse-cache.sqlite",
  "parse-cache.sqlite-wal",
  "raw.sqlite",
]
  .map((file) => `-P "$DATA/${file}"`)
  .join(" ");

/** Makes the n-th `call` of a thread fail. Words after the call select which ones count. */
const injected = (name: string, call: string, what: string, whens: readonly (number | string)[]): FaultKind => ({
  name,
  places: whens.map((when) => ({
    name: `call ${when}`,
    prefix: `strace -f -qq -o "$TRACE" -e trace=${call} -e inject=${call.split(" ", 1)[0]}:${what}:when=${when}`,
  })),
  endings: DISK,
  missing: needs("strace"),
});

/** Success; a disk error; or an unusable index, because an error can look like damage to SQLite. */
const DISK = [0, 74, 12] as const;

export const FAULTS: readonly FaultKind[] = [
  injected("the disk is full at the n-th write", "pwrite64", "error=ENOSPC", upTo(200, 12)),
  injected(
    "the disk is full from the n-th write on",
    "pwrite64",
    "error=ENOSPC",
    upTo(200, 20).map((n) => `${n}+`),
  ),
  injected("an I/O error at the n-th write", "pwrite64", "error=EIO", upTo(200, 12)),
  {
    ...injected("an I/O error at the n-th read of a database", `pread64 ${IN_DATABASES}`, "error=EIO", upTo(90, 6)),
    // A read error looks like damage, so the index is rebuilt.
    mayMoveAside: true,
  },
  injected("an I/O error at the n-th flush", "fsync,fdatasync", "error=EIO", upTo(10)),
  injected("an I/O error at the n-th truncation of a file", "ftruncate", "error=EIO", upTo(6)),
  {
    name: "too many open files at the n-th open in the data folder",
    places: upTo(3).flatMap((n) =>
      ["curated.sqlite", "parse-cache.sqlite", "raw.sqlite", "lock.sqlite"].map((file) => ({
        name: `open ${n} of ${file}`,
        prefix: `strace -f -qq -o "$TRACE" -e trace=openat -P "$DATA/${file}" -P "$DATA/${file}-wal" -P "$DATA/${file}-shm" -e inject=openat:error=EMFILE:when=${n}`,
      })),
    ),
    endings: DISK,
    missing: needs("strace"),
  },
  {
    name: "a file size limit of n bytes",
    places: numbers(16, 1_000, 400_000, 5).map((n) => ({ name: `${n} bytes`, prefix: `prlimit --fsize=${n}` })),
    endings: [0, 74],
    missing: needs("prlimit"),
  },
  {
    name: "a disk of n KiB",
    places: [64, 96, 128, 192, 256, 320, 384, 448, 512, 640, 768, 1024, 1536, 2048, 3072].map((n) => ({
      name: `${n} KiB`,
      prefix: `on-disk-of ${n}`,
    })),
    endings: [0, 74],
    missing: () => {
      const tried = FOUND.unshare === null ? null : Bun.spawnSync(["unshare", "-m", "true"]);
      return tried?.success ? null : "this user cannot mount";
    },
  },
];

/**
 * Copies the index to the small disk and back, because the disk disappears with the run. A data folder that does not
 * fit before the run is not a trial of cra, so the run then starts empty.
 */
const ON_DISK_OF = `on-disk-of() {
  size=$1; shift
  mkdir -p "$DISK" && unshare -m sh -c '
    mount -t tmpfs -o size='"$size"'k cra "$DISK" && { cp -a "$DATA/." "$DISK/" 2>/dev/null || find "$DISK" -mindepth 1 -delete; }
    "$@"; code=$?
    find "$DATA" -mindepth 1 -delete; cp -a "$DISK/." "$DATA/"; exit $code' sh "$@"
}
`;

/** Odd trials start from the index of an older state, even ones without an index. */
export async function trialOf(kind: FaultKind, place: Place, number: number, subject: FaultSubject): Promise<Trial> {
  const beginning: Beginning = number % 2 === 0 ? "nothing" : "first state";
  const dataDir = subject.begin(beginning);
  const trace = `${dataDir}.trace`;
  const run = await faulted(place.prefix, dataDir, trace, subject);
  const struck = await hasStruck(trace, run);
  rmSync(trace, { force: true });
  const after = await subject.after(dataDir);
  const message = run.stderr.trim().replaceAll(`${dataDir}.disk`, "<data>").replaceAll(dataDir, "<data>");
  return {
    place: `${place.name}, from ${number % 2 === 0 ? "nothing" : "an older state"}`,
    ending: String(run.exitCode ?? run.signal),
    struck,
    message,
    seen: after.seen,
    breaches: [
      ...after.breaches.filter((breach) => !kind.mayMoveAside || !breach.startsWith("moved aside")),
      ...breachesOf(kind, run),
    ],
  };
}

/** A faulted run prints one line with the error, and exits with the code of that error. */
function breachesOf({ endings }: FaultKind, run: CraRun): readonly string[] {
  const { exitCode: code } = run;
  const breaches: string[] = [];
  if (code === null || !endings.includes(code)) breaches.push(`the faulted run: ${wordsOf(run)}`);
  if (code !== null && code !== 0 && !/^cra: [^\n]+; [^\n]+\n$/.test(run.stderr))
    breaches.push(`it printed: ${run.stderr}`);
  return breaches;
}

async function faulted(prefix: string, dataDir: string, trace: string, { repo }: FaultSubject): Promise<CraRun> {
  const onDisk = prefix.startsWith("on-disk-of");
  const target = onDisk ? '"$DISK"' : '"$DATA"';
  return await runShell(`${onDisk ? ON_DISK_OF : ""}${prefix} "$CRA" index -q --data-dir ${target}`, {
    cwd: repo.path,
    env: { ...ON_ONE_THREAD, DATA: dataDir, DISK: `${dataDir}.disk`, TRACE: trace },
    timeoutMs: 120_000,
  });
}

async function hasStruck(trace: string, { exitCode, signal }: CraRun): Promise<boolean> {
  if (signal !== null || exitCode !== 0) return true;
  const file = Bun.file(trace);
  return (await file.exists()) && (await file.text()).includes("(INJECTED)");
}
