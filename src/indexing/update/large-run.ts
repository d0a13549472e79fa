/**
 * What counts as a large run, in which memory matters more than time. A smaller one frees nothing before its end: collecting garbage and
 * ending threads takes a twenty-fifth of its time, for 50 MB.
 */

const FILES_MAX = 20_000;

/** Whether a run over this many files of a work tree is a large one. */
export const isLarge = (files: number): boolean => files > FILES_MAX;
