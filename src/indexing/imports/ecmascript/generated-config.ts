/**
 * Configurations that a framework writes while it runs and that git ignores, as far as they say where imports lead: those of
 * SvelteKit and Nuxt by default. Projects extend or reference them.
 */

const SVELTEKIT = { $lib: ["../src/lib"], "$lib/*": ["../src/lib/*"] };

/** The source folder is `app`, and before Nuxt 4 the folder of the project. */
const NUXT = {
  ...Object.fromEntries(["~", "@"].map((sign) => [`${sign}/*`, ["../app/*", "../*"]])),
  ...Object.fromEntries(["~~", "@@"].map((sign) => [`${sign}/*`, ["../*"]])),
  "#shared": ["../shared"],
  "#shared/*": ["../shared/*"],
  "#server/*": ["../server/*"],
};

const PATHS: ReadonlyMap<string, object> = new Map<string, object>([
  [".svelte-kit/tsconfig.json", SVELTEKIT],
  [".nuxt/tsconfig.json", NUXT],
  [".nuxt/tsconfig.app.json", NUXT],
]);

/** The text of a configuration that is not in the repository; null for one that nothing is known to write. */
export function generatedConfig(path: string): string | null {
  const paths = PATHS.get(path.split("/").slice(-2).join("/"));
  return paths === undefined ? null : JSON.stringify({ include: ["../**/*"], compilerOptions: { paths } });
}
