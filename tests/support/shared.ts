/** What all tests of a file share: made once, when the file is loaded. */
import { afterAll } from "bun:test";

/** Disposes of a resource after the last test of the file that calls this at its top level. */
export function shared<T extends Disposable | AsyncDisposable>(resource: T): T {
  afterAll(async () => {
    await using _ = resource;
  });
  return resource;
}
