/** A registry of npm on this machine that serves the packages of a release folder, and nothing else. */
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";
import { untar } from "../../bench/untar.ts";

const PackageManifest = z.looseObject({ name: z.string(), version: z.string() });

/** Serves until it is disposed; `url` ends with a slash. */
export function serveRegistry(release: string): Disposable & { readonly url: string } {
  const files = readdirSync(release).filter((name) => name.endsWith(".tgz"));
  const manifests = new Map(
    files.map((file) => {
      const manifest = manifestOf(join(release, file));
      return [manifest.name, { manifest, file }] as const;
    }),
  );
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request, { url }) {
      const path = decodeURIComponent(new URL(request.url).pathname.slice(1));
      if (files.includes(basename(path))) return new Response(Bun.file(join(release, basename(path))));
      const found = manifests.get(path);
      if (found === undefined) return new Response("not here", { status: 404 });
      const { name, version } = found.manifest;
      const dist = { tarball: `${url}${found.file}` };
      return Response.json({
        name,
        "dist-tags": { latest: version },
        versions: { [version]: { ...found.manifest, dist } },
      });
    },
  });
  return { url: server.url.href, [Symbol.dispose]: () => void server.stop(true) };
}

function manifestOf(archive: string): z.infer<typeof PackageManifest> {
  for (const { path, content } of untar(Bun.gunzipSync(readFileSync(archive))))
    if (path === "package/package.json") return PackageManifest.parse(JSON.parse(Buffer.from(content).toString()));
  throw new Error(`${archive} has no package.json`);
}
