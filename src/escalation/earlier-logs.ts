/**
 * Which files of a run are logs of earlier attempts of one phase, told by their names.
 *
 * A log of attempt 2 of phase_001 is `phase_001_attempt_2.log`, in whatever folder; more may follow the number, as in
 * `phase_001_attempt_2.stderr.log`. The phase is taken letter by letter, so no sign in it matches anything but itself.
 */
import type { ListedFile } from "../source/walk/sandboxed-reader.ts";
import { inOrder } from "../text/order.ts";

/** More logs are not looked at. */
const LOGS_MAX = 10;
/** So much of each log is looked at, from its beginning. */
export const LOG_BYTES_MAX = 1024 * 1024;

const NUMBER = /^(\d{1,15})(?:[._-]|$)/;

/** The newest logs of attempts before this one, the newest first; of the same time, the later attempt's. */
export function earlierLogs(files: readonly ListedFile[], phase: string, attempt: number): readonly ListedFile[] {
  const prefix = `${phase}_attempt_`;
  return files
    .flatMap((file) => {
      const name = file.path.slice(file.path.lastIndexOf("/") + 1);
      const number = name.startsWith(prefix) ? NUMBER.exec(name.slice(prefix.length))?.[1] : undefined;
      const of = Number(number);
      return number !== undefined && of < attempt ? [{ file, of }] : [];
    })
    .sort((a, b) => b.file.modifiedMs - a.file.modifiedMs || b.of - a.of || inOrder(a.file.path, b.file.path))
    .slice(0, LOGS_MAX)
    .map(({ file }) => file);
}
