/**
 * When a test counts as hanging. No test comes near this limit, even on a busy machine and with a build first;
 * `scripts/check.ts` gives it to every test, so a file names it only to run on its own with a plain `bun test`.
 */
export const HANG_MS = 600_000;
