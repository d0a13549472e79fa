/**
 * The global in which the runtime counts its work; the build adds it (`metered-runtime.ts`).
 *
 * Alone in its file, because the build reads it before there is a runtime to import.
 */
export const WORK_COUNTER = "cra_work";
