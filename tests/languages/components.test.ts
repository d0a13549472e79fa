/** What is found in Vue, Svelte and Astro components: the scripts in them, where they stand, and the components they use. */
import { expect, test } from "bun:test";
import { COMPONENTS } from "../../src/languages/components/syntax.ts";
import { commentLines, factsOf, importLines, referenceLines, symbolLines } from "../syntax/render.ts";

const VUE = `<!-- <script>const no = 1</script> -->
<script lang="ts">
export default { name: "Card" };
export type Size = { width: string };
</script>
<script setup lang="ts">
import MyButton from "./MyButton.vue";
import * as Ui from "./ui";
/** Says it. */
function say(text: string): void {
  // Note: twice
  go(text);
}
</script>
<template>
  <MyButton title="<script>x</script>" :size="a > b" @click="say" />
  <my-button /><router-link to="/" /><Ui.Card /><div v-if="a < b">{{ say }}</div>
</template>
<script src="./other.js"></script>
<style scoped>.a > b { content: "<script>"; }</style>
`;

test("script blocks of a Vue component together", async () => {
  expect(await symbolLines("vue", VUE)).toEqual([
    '+variable default 3-3 export default { name: "Card" }',
    "+type_alias Size 4-4 export type Size = { width: string }",
    "-function say 9/10-13 function say(text: string): void «jsdoc: Says it.»",
  ]);
  expect(await importLines("vue", VUE)).toEqual(["7 import ./MyButton.vue default>MyButton", "8 import ./ui *>Ui"]);
  expect(await commentLines("vue", VUE)).toEqual(["11-11 note in say: Note: twice"]);
});

test("components in markup are uses if the script imports them", async () => {
  expect(await referenceLines("vue", VUE)).toEqual([
    "call go in say",
    "call MyButton in default",
    "call Ui . Card in default",
  ]);
});

const SVELTE = `<script context="module">
  export const prerender = true;
</script>

<script>
  import Button from './Button.svelte';
  export let name;
  const handle = () => { go(); };
</script>

<svelte:head><script type="application/ld+json">{ "const": 1 }</script></svelte:head>
{#if a < 3}<Button on:click={() => handle(1)}>{name}</Button>{/if}
`;

test("script blocks of a Svelte component, of the module and of the instance", async () => {
  expect(await symbolLines("svelte", SVELTE)).toEqual([
    "+variable prerender 2-2 export const prerender = true",
    "+variable name 7-7 export let name",
    "-function handle 8-8 const handle = () =>",
  ]);
  expect(await referenceLines("svelte", SVELTE)).toEqual(["call go in handle", "call Button"]);
});

const ASTRO = `---
import Card from "./Card.astro";
import { title } from "../site";
interface Props { name: string }
const { name } = Astro.props;
/** Says it. */
function say(): string { return title(name); }
---
<html>
  <Card name={say()}>---</Card>
  <p>{name} -- {say()}</p>
</html>
<script>
  import { start } from "../client";
  const ready = () => start();
</script>
<style>p { color: red }</style>
`;

test("the fenced script of an Astro component and those in its markup", async () => {
  expect(await symbolLines("astro", ASTRO)).toEqual([
    "-interface Props 4-4 interface Props",
    "-property Props.name 4-4 name: string",
    "-variable name 5-5 const { name } = Astro.props",
    "-function say 6/7-7 function say(): string «jsdoc: Says it.»",
    "-function ready 15-15 const ready = () =>",
  ]);
  expect(await importLines("astro", ASTRO)).toEqual([
    "2 import ./Card.astro default>Card",
    "3 import ../site title",
    "14 import ../client start",
  ]);
  expect(await referenceLines("astro", ASTRO)).toEqual(["call title in say", "call start in ready", "call Card"]);
});

test.each(["<p>---\n---</p>", "---\nconst open = 1;\n", "<p>a</p>\n---\nconst a = 1;\n---\n", ""])(
  "no fenced script in %p",
  async (text) => {
    expect(await factsOf("astro", text)).toMatchObject({ parsed: true, problem: null, symbols: [] });
  },
);

test("what $: of Svelte declares is a variable", async () => {
  const text =
    "<script>\nexport let a = 1;\n$: double = a * 2;\n$: if (a > 1) reset();\n$: log(double);\nother: c = 1;\n</script>\n";
  expect(await symbolLines("svelte", text)).toEqual([
    "+variable a 2-2 export let a = 1",
    "-variable double 3-3 double = a * 2",
  ]);
});

test.each([
  ["<script>a</script>", "javascript"],
  ["<script lang=ts>a</script>", "typescript"],
  ["<SCRIPT LANG='TSX' >a</SCRIPT>", "tsx"],
  ['<script lang="jsx">a</script>', "javascript"],
  ["<script>a</script><script setup lang='ts'>b</script>", "typescript"],
  ['<script type="module">a</script>', "javascript"],
  ['<script type="text/typescript">a</script>', "typescript"],
  ["<script>a", "javascript"],
])("the language of %s is %s", (text, language) => {
  expect(COMPONENTS.read(text).script?.language).toBe(language);
});

test.each([
  "",
  "<template>a</template>",
  '<script lang="coffee">a</script>',
  '<script type="text/x-template">a</script>',
  '<script src="a.js">a</script>',
  "<script />a",
  "<!-- <script>a</script>",
  "<style><script>a</script></style>",
  '<p title="<script>a</script>">',
  "a <script",
])("no script in %p", async (text) => {
  expect(COMPONENTS.read(text).script).toBeNull();
  expect(await factsOf("vue", text)).toMatchObject({ parsed: true, problem: null, symbols: [] });
});

test("a script ends where HTML ends it, and positions equal those of the file", () => {
  const text = 'é<p>\r\n<script>\nlet a = "</script>";\n</p>';
  expect(COMPONENTS.read(text).script?.text).toBe('     \n        \nlet a = "           \n    ');
});

test.each(["<script ", "<script>", "<!--", "<a b='\"", "<a =", "<x y=z ", "</script", "<a b={'"])(
  "100,000 times %p is read to its end",
  (piece) => {
    expect(COMPONENTS.read(piece.repeat(100_000)).components).toEqual([]);
  },
);
