import { describe } from "bun:test";
import { checkReferences } from "../references/references-check.ts";
import { checkEdges } from "./imports-check.ts";

describe("components", () => {
  checkEdges(
    "are imported by their full name, and import as scripts do",
    `
//- src/main.ts
import App from "./App.vue";
import { kind } from "@/Card.svelte";
import Missing from "./Missing.vue";
//- src/App.vue
<template><my-button /></template>
<script setup lang="ts">
import MyButton from "./MyButton.vue";
import type { Size } from "./sizes";
import { go } from "@/go.js";
import { ref } from "vue";
</script>
//- src/MyButton.vue
<script src="./my-button.js"></script>
//- src/Card.svelte
<script context="module">
  export const kind = "card";
</script>
<script>
  import Inner from "./Inner.svelte";
</script>
<Inner />
//- src/Inner.svelte
<p>No script.</p>
//- src/sizes.ts
//- src/go.ts
//- src/my-button.js
//- tsconfig.json
{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }
`,
    `
src/App.vue -> src/MyButton.vue
src/App.vue -> src/go.ts
src/App.vue -> src/sizes.ts (types)
src/Card.svelte -> src/Inner.svelte
src/main.ts -> src/App.vue
src/main.ts -> src/Card.svelte
`,
  );

  checkEdges(
    "of Astro import in their fence",
    `
//- src/pages/index.astro
---
import Layout from "../layouts/Layout.astro";
import { posts } from "../posts";
---
<Layout>{posts().length}</Layout>
//- src/layouts/Layout.astro
<slot />
//- src/posts.ts
`,
    `
src/pages/index.astro -> src/layouts/Layout.astro
src/pages/index.astro -> src/posts.ts
`,
  );

  checkEdges(
    "follow the paths of SvelteKit and Nuxt, whose configurations are generated",
    `
//- kit/jsconfig.json
{ "extends": "./.svelte-kit/tsconfig.json" }
//- kit/src/routes/+page.svelte
<script>
  import Card from "$lib/Card.svelte";
  import { get } from "$lib";
  import { page } from "$app/stores";
</script>
//- kit/src/lib/Card.svelte
//- kit/src/lib/index.js
//- nuxt/tsconfig.json
{ "files": [], "references": [{ "path": "./.nuxt/tsconfig.app.json" }, { "path": "./.nuxt/tsconfig.server.json" }] }
//- nuxt/app/pages/index.vue
<script setup lang="ts">
import { LIMIT } from "~/constants";
import type { User } from "#shared/types";
import { emojis } from "~~/config/emojis";
import { ref } from "#imports";
</script>
//- nuxt/app/constants/index.ts
//- nuxt/shared/types.ts
//- nuxt/config/emojis.ts
//- old/tsconfig.json
{ "extends": "./.nuxt/tsconfig.json" }
//- old/pages/index.vue
<script>
import Logo from "@/components/Logo.vue";
</script>
//- old/components/Logo.vue
//- other/tsconfig.json
{ "extends": "./.other/tsconfig.json" }
//- other/use.js
import "$lib";
//- other/src/lib/index.js
`,
    `
kit/src/routes/+page.svelte -> kit/src/lib/Card.svelte
kit/src/routes/+page.svelte -> kit/src/lib/index.js
nuxt/app/pages/index.vue -> nuxt/app/constants/index.ts
nuxt/app/pages/index.vue -> nuxt/config/emojis.ts
nuxt/app/pages/index.vue -> nuxt/shared/types.ts (types)
old/pages/index.vue -> old/components/Logo.vue
`,
  );

  checkReferences(
    "bind the default export and named exports, in scripts and in markup",
    `
//- main.ts
import App from "./App.vue";
import { helper } from "./App.vue";
export function start() { createApp(App); new App(); helper(); }
//- App.vue
<script>
import MyButton from "./MyButton.vue";
export function helper() {}
export default { components: { MyButton }, methods: { go() { helper(); } } };
</script>
<template><my-button @click="go" /></template>
//- MyButton.vue
<script>
export default { name: "MyButton" };
</script>
`,
    `
main:start -> App:default call 0.9
main:start -> App:helper call 0.9
App:default -> MyButton:default call 0.9
App:default.go -> App:helper call 1
`,
  );
});
