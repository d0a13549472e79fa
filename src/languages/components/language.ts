/** Vue, Svelte and Astro: files of markup whose script blocks are JavaScript or TypeScript. */
import { ECMASCRIPT } from "../ecmascript/language.ts";
import type { Language } from "../language.ts";

export const ASTRO = {
  ...ECMASCRIPT,
  endings: "astro",
  parsing: {
    kind: "embedding",
    load: async () => (await import("./syntax.ts")).COMPONENTS_BELOW_FENCE,
    sample: { text: "---\nfunction greet(): number {\n  return 1;\n}\n---\n<p>{greet()}</p>\n", finds: "greet" },
  },
} satisfies Language;

export const SVELTE = {
  ...ECMASCRIPT,
  endings: "svelte",
  parsing: {
    kind: "embedding",
    load: async () => (await import("./syntax.ts")).COMPONENTS,
    sample: { text: "<script>\n  function greet() {\n    return 1;\n  }\n</script>\n", finds: "greet" },
  },
} satisfies Language;

export const VUE = {
  ...ECMASCRIPT,
  endings: "vue",
  parsing: {
    kind: "embedding",
    load: async () => (await import("./syntax.ts")).COMPONENTS,
    sample: { text: '<script lang="ts">\nfunction greet(): number {\n  return 1;\n}\n</script>\n', finds: "greet" },
  },
} satisfies Language;
