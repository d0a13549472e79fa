import { describe, expect, test } from "bun:test";
import { splitSections } from "../../../src/task/sections/sections.ts";

const shown = (text: string) =>
  splitSections(text).sections.map((section) => `${section.kind}: ${section.text.trim()}`);

const check = (name: string, text: string | readonly string[], expected: readonly string[]) =>
  test(name, () => {
    expect(shown(typeof text === "string" ? text : text.join("\n"))).toEqual([...expected]);
  });

describe("wiki markup of Jira", () => {
  check(
    "blocks, headings and names",
    [
      "Cart total is wrong",
      "h3. Steps to reproduce",
      "h2. What {{removeCoupon}} does",
      "{code:java|title=src/shop/Cart.java}",
      "public void removeCoupon(String code) {",
      "{code}",
      "{noformat}",
      "java.lang.IllegalStateException: no coupon",
      "\tat com.shop.Cart.total(Cart.java:8)",
      "{noformat}",
      "See {code}cart.total(){code} and {{recalculate_totals}}.",
    ],
    [
      "title: Cart total is wrong",
      "noise: ## Steps to reproduce",
      "prose: ## What `removeCoupon` does",
      "noise: java|title=src/shop/Cart.java",
      "code: public void removeCoupon(String code) {",
      "error: java.lang.IllegalStateException: no coupon",
      "code: at com.shop.Cart.total(Cart.java:8)",
      "inline: cart.total()",
      "inline: recalculate_totals",
      "prose: See   and  .",
    ],
  );
  check(
    "a block that is never closed, and parts of addresses",
    ["t", "GET /oauth/{code} and /{code}", "{code}", "x"],
    ["title: t", "prose: GET /oauth/{code} and /{code}", "prose: {code}", "prose: x"],
  );
  check(
    "templates of Markdown",
    ["t", "```", "{code} {{ user }} {code}", "```"],
    ["title: t", "code: {code} {{ user }} {code}"],
  );
});

describe("HTML", () => {
  check(
    "is read as it is shown",
    [
      '<div><b>Repro Steps</b><br></div><div>Export fails</div><div>The call to <code>OrderExporter.Export</code> in <span style="color:red">',
      "Orders\\Export.cs</span> gives &lt;null&gt;, see <a href='https://example.com/1'>here</a>:</div><ul><li>one</li></ul>",
      "<div><pre>System.Exception: no &amp; no<br>   at Shop.Cart.Add(Item i) in C:\\src\\Cart.cs:line 5</pre></div>",
    ],
    [
      "noise: Repro Steps",
      "title: Export fails",
      "inline: OrderExporter.Export",
      "prose: The call to   in",
      "prose: Orders\\Export.cs gives <null>, see    here:",
      "prose: - one",
      "error: System.Exception: no & no",
      "code: at Shop.Cart.Add(Item i) in C:\\src\\Cart.cs:line 5",
    ],
  );
  check("but not in a text about it", "<div>{x}</div> renders blank\n<p>here</p> too", [
    "title: <div>{x}</div> renders blank",
    "prose: <p>here</p> too",
  ]);
});
