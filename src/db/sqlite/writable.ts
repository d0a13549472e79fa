/** Whether a file or folder may be written. */
import { accessSync, constants } from "node:fs";

export function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false; // Whatever the reason, another folder is used.
  }
}
