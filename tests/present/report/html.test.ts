/** Text in a page is text, whatever it says. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { html, lines } from "../../../src/present/report/html.ts";
import { anyCharacter } from "../../support/any-character.ts";

test("no text ends an element or an attribute, or begins one", () => {
  const texts = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.constantFrom("</script>", '"><img onerror=x>', "' onload='x", "&lt;", "<!--", "]]>"),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const { markup } = html`<p title="${text}">${text}</p>`;
      const inside = /^<p title="([^"<>]*)">([^<>"']*)<\/p>$/.exec(markup);
      expect(inside).not.toBeNull();
      expect(lines(text).markup).toMatch(/^[^<>"']*$/);
      expect(markup).toMatch(/^[^\p{Cc}\u202e]*$/u);
    }),
  );
});

test("markup goes in as it is, and lists of it one after the other", () => {
  const items = ["a", "<"].map((text) => html`<li>${text}</li>`);
  expect(html`<ul>${items}</ul>${1}`.markup).toBe("<ul><li>a</li><li>&lt;</li></ul>1");
  expect(lines("a\n\tb\u0000").markup).toBe("a\n\tb\\x00");
});
