/**
 * Serves a folder, read-only, as a file system that takes names as macOS and Windows do: `bun folding-server.ts FOLDER MOUNT KIND`.
 *
 * `case`: names match whatever their case. `decomposed`: names match however their characters are composed, and are listed decomposed, as on
 * HFS+. It speaks the kernel's own protocol (linux/fuse.h), so that no library is needed; it prints `ready` once mounted and ends when
 * unmounted.
 */
import { dlopen, FFIType, ptr } from "bun:ffi";
import { closeSync, lstatSync, openSync, readdirSync, readlinkSync, readSync, type Stats, writeSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";

const [folder = "", mount = "", kind = ""] = process.argv.slice(2);

/** Requests of linux/fuse.h. */
const OP = {
  lookup: 1,
  forget: 2,
  getattr: 3,
  readlink: 5,
  open: 14,
  read: 15,
  statfs: 17,
  release: 18,
  flush: 25,
  init: 26,
  opendir: 27,
  readdir: 28,
  releasedir: 29,
  access: 34,
  interrupt: 36,
  destroy: 38,
  batchForget: 42,
} as const;
const { ENOENT, ENOSYS, EROFS } = constants.errno;
const REQUEST_BYTES_MAX = 1024 * 1024 + 4096;
const HEADER_BYTES = 40;
const REPLY_HEADER_BYTES = 16;
/** Seconds that the kernel may keep a name or a stat. */
const VALID_S = 60n;
const WRITES = 0b11;

const keyOf = (name: string): string => (kind === "case" ? name.toLowerCase() : name.normalize("NFC"));
const listedAs = (name: string): string => (kind === "case" ? name : name.normalize("NFD"));

/** Paths by node, relative to the folder; the root is 1. The same file always has the same node. */
const paths = new Map<bigint, string>([[1n, ""]]);
const nodes = new Map<string, bigint>([["", 1n]]);
const handles = new Map<bigint, number>();
let handlesGiven = 0n;

function nodeOf(path: string): bigint {
  const node = nodes.get(path) ?? BigInt(nodes.size + 1);
  nodes.set(path, node);
  paths.set(node, path);
  return node;
}

const pathOf = (node: bigint): string => join(folder, paths.get(node) ?? "");

/** The path of an entry of a folder, under its stored name; null if there is none. */
function childOf(node: bigint, name: string): string | null {
  const stored = readdirSync(pathOf(node)).find((one) => keyOf(one) === keyOf(name));
  return stored === undefined ? null : join(paths.get(node) ?? "", stored);
}

function attributes(node: bigint, stat: Stats): Uint8Array {
  const view = new DataView(new ArrayBuffer(88));
  for (const [at, value] of [
    [0, node],
    [8, BigInt(stat.size)],
    [16, BigInt(Math.ceil(stat.size / 512))],
    [24, BigInt(Math.floor(stat.atimeMs / 1000))],
    [32, BigInt(Math.floor(stat.mtimeMs / 1000))],
    [40, BigInt(Math.floor(stat.ctimeMs / 1000))],
  ] as const)
    view.setBigUint64(at, value, true);
  const fraction = (ms: number): number => Math.floor((ms % 1000) * 1e6);
  for (const [at, value] of [
    [48, fraction(stat.atimeMs)],
    [52, fraction(stat.mtimeMs)],
    [56, fraction(stat.ctimeMs)],
    [60, stat.mode],
    [64, stat.nlink],
    [68, stat.uid],
    [72, stat.gid],
    [80, 4096],
  ] as const)
    view.setUint32(at, value, true);
  return new Uint8Array(view.buffer);
}

function numbers(...values: readonly bigint[]): Uint8Array {
  return new Uint8Array(new BigUint64Array(values).buffer);
}

/** The kernel's page of a folder from entry `from` on, at most `bytesMax`. */
function listing(node: bigint, from: number, bytesMax: number): Uint8Array {
  const names = [".", "..", ...readdirSync(pathOf(node)).map(listedAs).sort()];
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for (const [at, name] of names.entries()) {
    if (at < from) continue;
    const text = Buffer.from(name);
    const entry = Buffer.alloc(24 + Math.ceil(text.length / 8) * 8);
    entry.writeBigUInt64LE(BigInt(at + 1), 0);
    entry.writeBigUInt64LE(BigInt(at + 1), 8);
    entry.writeUInt32LE(text.length, 16);
    text.copy(entry, 24);
    if (bytes + entry.length > bytesMax) break;
    bytes += entry.length;
    parts.push(entry);
  }
  return Buffer.concat(parts);
}

/** The answer to a request; a number is an error, null none at all. */
function answer(op: number, node: bigint, body: Buffer): Uint8Array | number | null {
  switch (op) {
    case OP.init: {
      const reply = Buffer.alloc(64);
      reply.writeUInt32LE(7, 0);
      reply.writeUInt32LE(31, 4);
      reply.writeUInt32LE(body.readUInt32LE(8), 8);
      reply.writeUInt32LE(1024 * 1024, 20);
      return reply;
    }
    case OP.lookup: {
      const path = childOf(node, body.subarray(0, body.indexOf(0)).toString());
      if (path === null) return ENOENT;
      const child = nodeOf(path);
      return Buffer.concat([
        numbers(child, 0n, VALID_S, VALID_S, 0n),
        attributes(child, lstatSync(join(folder, path))),
      ]);
    }
    case OP.getattr:
      return Buffer.concat([numbers(VALID_S, 0n), attributes(node, lstatSync(pathOf(node)))]);
    case OP.readlink:
      return Buffer.from(readlinkSync(pathOf(node)));
    case OP.open: {
      if ((body.readUInt32LE(0) & WRITES) !== 0) return EROFS;
      handles.set(++handlesGiven, openSync(pathOf(node), "r"));
      return numbers(handlesGiven, 0n);
    }
    case OP.read: {
      const bytes = Buffer.alloc(body.readUInt32LE(16));
      const at = Number(body.readBigUInt64LE(8));
      return bytes.subarray(0, readSync(handles.get(body.readBigUInt64LE(0)) ?? -1, bytes, 0, bytes.length, at));
    }
    case OP.release:
      closeSync(handles.get(body.readBigUInt64LE(0)) ?? -1);
      handles.delete(body.readBigUInt64LE(0));
      return new Uint8Array();
    case OP.opendir:
      return numbers(0n, 0n);
    case OP.readdir:
      return listing(node, Number(body.readBigUInt64LE(8)), body.readUInt32LE(16));
    case OP.statfs:
      return new Uint8Array(80);
    case OP.releasedir:
    case OP.flush:
    case OP.access:
    case OP.destroy:
      return new Uint8Array();
    case OP.forget:
    case OP.batchForget:
    case OP.interrupt:
      return null;
    default:
      return ENOSYS;
  }
}

function errorOf(error: unknown): number {
  return error instanceof Error && "errno" in error ? Math.abs(Number(error.errno)) : constants.errno.EIO;
}

const libc = dlopen("libc.so.6", {
  mount: { args: [FFIType.ptr, FFIType.ptr, FFIType.ptr, FFIType.u64, FFIType.ptr], returns: FFIType.i32 },
});
const text = (value: string): Buffer => Buffer.from(`${value}\0`);
const device = openSync("/dev/fuse", "r+");
const uid = process.getuid?.() ?? 0;
const options = `fd=${device},rootmode=40000,user_id=${uid},group_id=${uid},allow_other`;
const READ_ONLY_NO_SUID_NO_DEV = 1n | 2n | 4n;
const [source, target, type, data] = [text("cra-folding"), text(mount), text("fuse"), text(options)];
if (libc.symbols.mount(ptr(source), ptr(target), ptr(type), READ_ONLY_NO_SUID_NO_DEV, ptr(data)) !== 0) {
  process.stdout.write("refused\n");
  process.exit(1);
}
process.stdout.write("ready\n");

const request = Buffer.alloc(REQUEST_BYTES_MAX);
for (;;) {
  let length = 0;
  try {
    length = readSync(device, request, 0, request.length, null);
  } catch (error) {
    const code = errorOf(error);
    if (code === constants.errno.ENODEV) break;
    if (code === ENOENT || code === constants.errno.EINTR || code === constants.errno.EAGAIN) continue;
    throw error;
  }
  if (length < HEADER_BYTES) break;
  const [op, unique, node] = [request.readUInt32LE(4), request.readBigUInt64LE(8), request.readBigUInt64LE(16)];
  let reply: Uint8Array | number | null;
  try {
    reply = answer(op, node, request.subarray(HEADER_BYTES, length));
  } catch (error) {
    reply = errorOf(error);
  }
  if (reply === null) continue;
  const content = typeof reply === "number" ? new Uint8Array() : reply;
  const header = Buffer.alloc(REPLY_HEADER_BYTES);
  header.writeUInt32LE(REPLY_HEADER_BYTES + content.length, 0);
  header.writeInt32LE(typeof reply === "number" ? -reply : 0, 4);
  header.writeBigUInt64LE(unique, 8);
  try {
    writeSync(device, Buffer.concat([header, content]));
  } catch {
    // The program that asked is gone.
  }
}
process.exit(0);
