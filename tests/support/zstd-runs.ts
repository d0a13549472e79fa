/** Frames of zstd that are small and unpack to much: runs of one byte, of 128 KiB in four bytes each. */

const RUN_BYTES = 128 * 1024;

/** The blocks of so many runs. */
export const runBlocks = (count: number, byte: number): Buffer =>
  Buffer.concat(
    Array.from({ length: count }, (_, index) => {
      const header = (index === count - 1 ? 1 : 0) | (1 << 1) | (RUN_BYTES << 3);
      return Buffer.from([header & 255, (header >> 8) & 255, (header >> 16) & 255, byte]);
    }),
  );

/** A frame that names its size truly. */
export function zstdRuns(count: number, byte: number): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(count * RUN_BYTES);
  return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x80, 0x58]), size, runBlocks(count, byte)]);
}
