/**
 * The folder that a client works in, for a server that was started in no repository: the first of its roots.
 */
import { fileURLToPath } from "node:url";
import type { Server } from "@modelcontextprotocol/server";

/** A client that does not answer has none. */
const PATIENCE_MS = 5_000;

/** Absolute; null where the client has no roots, or does not say. */
export async function rootFolder(server: Server, signal: AbortSignal): Promise<string | null> {
  if (server.getClientCapabilities()?.roots === undefined) return null;
  try {
    const { roots } = await server.listRoots(undefined, { signal, timeout: PATIENCE_MS });
    const uri = roots.map((root) => root.uri).find((one) => one.startsWith("file:"));
    return uri === undefined ? null : fileURLToPath(uri);
  } catch {
    signal.throwIfAborted();
    // A client that says it has roots and does not tell them is one without.
    return null;
  }
}
