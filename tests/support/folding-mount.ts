/** Mounts a folder as a file system that folds names, for tests (see `folding-server.ts`). */
import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { tempFolder } from "./folder.ts";

const SERVER = join(import.meta.dir, "folding-server.ts");

/** What the file system takes for the same name. */
export type Folding = "case" | "decomposed";

/** Whether this machine and user can mount one: tried once, since containers have the device and refuse it. */
export const CAN_MOUNT: boolean = process.platform === "linux" && isOpen("/dev/fuse") && (await tried());

/** Mounts `folder`. Disposing unmounts it. Throws if it cannot be mounted. */
export async function foldingMount(
  folder: string,
  kind: Folding,
): Promise<AsyncDisposable & { readonly path: string }> {
  const place = tempFolder();
  const server = Bun.spawn([process.execPath, SERVER, folder, place.path, kind], { stdout: "pipe", stderr: "inherit" });
  const { value } = await server.stdout.getReader().read();
  const said = new TextDecoder().decode(value);
  if (!said.startsWith("ready")) {
    place[Symbol.dispose]();
    throw new Error(`cannot mount: ${said}`);
  }
  return {
    path: place.path,
    async [Symbol.asyncDispose]() {
      await Bun.spawn(["umount", "--lazy", place.path]).exited;
      server.kill("SIGKILL");
      await server.exited;
      place[Symbol.dispose]();
    },
  };
}

async function tried(): Promise<boolean> {
  using folder = tempFolder();
  try {
    await using _mounted = await foldingMount(folder.path, "case");
    return true;
  } catch {
    return false;
  }
}

function isOpen(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
