/**
 * The limit after which a test counts as hanging. `scripts/check.ts` applies it to every test; a file sets it only so
 * that it also runs with a plain `bun test`.
 */
export const HANG_MS = 600_000;
