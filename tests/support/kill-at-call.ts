/**
 * A program that runs a command and kills it with SIGKILL at one of its system calls: `bun kill-at-call.ts POINT FOLDER command...`.
 *
 * A point is the beginning or the end of a call that changes a file in the folder, such as `3 pwrite a.sqlite-wal 32 begun`: the
 * third of this kind over all threads (strace counts each thread separately, so it cannot reach every state). Without a point
 * it kills nothing. It prints the kinds of points that the command has passed, as JSON. It uses ptrace(2) on Linux x64;
 * `killed-at-calls.ts` starts it.
 */
import { dlopen, FFIType, ptr } from "bun:ffi";
import { closeSync, openSync, readFileSync, readlinkSync, readSync } from "node:fs";
import { relative } from "node:path";

/** Requests and options of ptrace(2), and a flag of waitpid(2). */
const SEIZE = 0x4206;
const SYSCALL = 24;
const LISTEN = 0x4208;
const GET_SYSCALL_INFO = 0x420e;
const OPTIONS = { sysGood: 1, traceClone: 8, traceExec: 16, exitKill: 1 << 20 };
const WALL = 0x4000_0000;
/** Why a thread has stopped: at a system call, or for a reason that only concerns ptrace. */
const STOPPED = 0x7f;
const SIGTRAP_OF_CALL = 5 | 0x80;
const EVENT_EXEC = 4;
const EVENT_STOP = 128;
const STOPPING_SIGNALS: ReadonlySet<number> = new Set([19, 20, 21, 22]);
const ENTRY = 1;

/** A call that changes a file: which argument names the file, by path or by descriptor, and which is its size or its flags. */
type Call = {
  readonly name: string;
  readonly path?: number;
  readonly descriptor?: number;
  readonly size?: number;
  readonly flags?: number;
};

/** The calls by their number on x64 (unistd_64.h). */
const CALLS: ReadonlyMap<number, Call> = new Map([
  [1, { name: "write", descriptor: 0 }],
  [2, { name: "open", path: 0, flags: 1 }],
  [18, { name: "pwrite", descriptor: 0, size: 2 }],
  [20, { name: "writev", descriptor: 0 }],
  [76, { name: "truncate", path: 0 }],
  [77, { name: "ftruncate", descriptor: 0 }],
  [82, { name: "rename", path: 1 }],
  [83, { name: "mkdir", path: 0 }],
  [87, { name: "unlink", path: 0 }],
  [257, { name: "open", path: 1, flags: 2 }],
  [258, { name: "mkdir", path: 1 }],
  [263, { name: "unlink", path: 1 }],
  [264, { name: "rename", path: 3 }],
  [285, { name: "fallocate", descriptor: 0 }],
  [296, { name: "writev", descriptor: 0 }],
  [316, { name: "rename", path: 3 }],
]);
const CREATES = 0o100n;

const { symbols: system } = dlopen("libc.so.6", {
  ptrace: { args: [FFIType.i64, FFIType.i64, FFIType.u64, FFIType.u64], returns: FFIType.i64 },
  waitpid: { args: [FFIType.i32, FFIType.ptr, FFIType.i32], returns: FFIType.i32 },
});

/** Runs the command until its end or the point. Returns how many points of each kind it passed. */
function trace(words: readonly string[], folder: string, killAt: string): ReadonlyMap<string, number> {
  // A shell that waits until it is traced, and then becomes the command.
  const shell = ["sh", "-c", 'kill -STOP $$; exec "$@"', "sh", ...words];
  const { pid } = Bun.spawn(shell, { stdio: ["ignore", "ignore", "inherit"] });
  while (!/^State:\s+T/m.test(readFileSync(`/proc/${pid}/status`, "utf8"))) Bun.sleepSync(1);
  const options = OPTIONS.sysGood | OPTIONS.traceClone | OPTIONS.traceExec | OPTIONS.exitKill;
  if (Number(system.ptrace(SEIZE, pid, 0, options)) !== 0) throw new Error("this process may not trace others");
  process.kill(pid, "SIGCONT");
  const status = new Int32Array(1);
  const wait = (): number => system.waitpid(-1, ptr(status), WALL);
  const kindAt = kindsOf(pid, folder);
  const passed = new Map<string, number>();
  let hasBegun = false;
  for (let thread = wait(); thread > 0; thread = wait()) {
    const [state = 0] = status;
    if ((state & 0xff) !== STOPPED) {
      if (thread === pid) break;
      continue;
    }
    const signal = (state >> 8) & 0xff;
    const event = state >> 16;
    hasBegun ||= event === EVENT_EXEC;
    const kind = signal === SIGTRAP_OF_CALL && hasBegun ? kindAt(thread) : null;
    if (kind !== null) {
      const number = (passed.get(kind) ?? 0) + 1;
      passed.set(kind, number);
      if (killAt === `${number} ${kind}`) process.kill(pid, "SIGKILL");
    }
    const isHeld = event === EVENT_STOP && STOPPING_SIGNALS.has(signal);
    const isForCommand = event === 0 && signal !== SIGTRAP_OF_CALL;
    system.ptrace(isHeld ? LISTEN : SYSCALL, thread, 0, isForCommand ? signal : 0);
  }
  return passed;
}

/** Tells at which kind of point a thread has stopped; null if the call changes nothing in the folder. */
function kindsOf(pid: number, folder: string): (thread: number) => string | null {
  /** Threads within such a call. */
  const within = new Map<number, string>();
  return (thread) => {
    const info = new BigUint64Array(12);
    system.ptrace(GET_SYSCALL_INFO, thread, info.byteLength, ptr(info));
    const begun = within.get(thread);
    within.delete(thread);
    if (Number((info[0] ?? 0n) & 0xffn) !== ENTRY) return begun === undefined ? null : `${begun} done`;
    const call = CALLS.get(Number(info[3] ?? 0n));
    if (call === undefined) return null;
    const argument = (at: number): bigint => info[4 + at] ?? 0n;
    if (call.flags !== undefined && (argument(call.flags) & CREATES) === 0n) return null;
    const path =
      call.path === undefined
        ? pathOf(pid, Number(argument(call.descriptor ?? 0)))
        : textAt(pid, Number(argument(call.path)));
    if (!path.startsWith(`${folder}/`)) return null;
    const size = call.size === undefined ? "" : ` ${argument(call.size)}`;
    const kind = `${call.name} ${relative(folder, path)}${size}`;
    within.set(thread, kind);
    return `${kind} begun`;
  };
}

/** The path of an open file; "" for a descriptor that is none. */
function pathOf(pid: number, descriptor: number): string {
  try {
    return readlinkSync(`/proc/${pid}/fd/${descriptor}`);
  } catch {
    return "";
  }
}

/** A text in the memory of the command, up to its zero byte. */
function textAt(pid: number, address: number): string {
  const memory = openSync(`/proc/${pid}/mem`, "r");
  try {
    const bytes = Buffer.alloc(512);
    const length = readSync(memory, bytes, 0, bytes.length, address);
    const end = bytes.indexOf(0);
    return bytes.toString("utf8", 0, end < 0 ? length : end);
  } catch {
    return "";
  } finally {
    closeSync(memory);
  }
}

const [point = "", folder = "", ...command] = process.argv.slice(2);
process.stdout.write(`${JSON.stringify([...trace(command, folder, point)])}\n`);
// Also ends what the command has started.
process.exit(0);
