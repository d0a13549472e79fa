/** Writes the payload of an rpm: a reproducible `newc` cpio archive of regular files, their paths below `./`. */
import { MADE_AT, type Packed } from "../tar.ts";

const REGULAR = 0o100000;

/** The mode of a packed file with its kind. */
export const modeOf = ({ runs }: Packed): number => REGULAR | (runs ? 0o755 : 0o644);

/** Keeps the order of the files; inodes count from 1. */
export function cpio(files: readonly Packed[]): Uint8Array {
  const parts = files.flatMap((file, index) => entry(`./${file.path}`, file.content, modeOf(file), index + 1));
  return Buffer.concat([...parts, ...entry("TRAILER!!!", new Uint8Array(0), 0, 0)]);
}

function entry(path: string, content: Uint8Array, mode: number, inode: number): readonly Uint8Array[] {
  const name = Buffer.from(`${path}\0`);
  const time = inode === 0 ? 0 : MADE_AT.getTime() / 1000;
  const fields = [inode, mode, 0, 0, 1, time, content.length, 0, 0, 0, 0, name.length, 0];
  const header = Buffer.from(`070701${fields.map((field) => field.toString(16).padStart(8, "0")).join("")}`);
  return [header, name, padding(header.length + name.length), content, padding(content.length)];
}

const padding = (length: number): Uint8Array => new Uint8Array(-length & 3);
