/** Turns a task that is HTML from its first to its last character, as trackers and mail programs write it, into the text that a reader sees. */

const WHOLE = /^\s*<(?:!doctype html|html|body|div|p|span|table|ul|ol)\b[^<>]{0,500}>/i;
const BROKEN = /<(?:br|\/(?:p|div|li|td))\b/i;
const FENCE = "\n``````\n";
/** In this order. What is below a tag of the first row is not shown. */
const SHOWN: readonly (readonly [tag: RegExp, text: string])[] = [
  [/<(?:style|script|title)\b[^<>]{0,500}>[^<]{0,100000}<\//gi, " </"],
  [/<pre\b[^<>]{0,500}>(?:\s{0,20}<code\b[^<>]{0,500}>)?/gi, FENCE],
  [/(?:<\/code>\s{0,20})?<\/pre>/gi, FENCE],
  [/<\/?(?:code|tt|kbd|samp)\b[^<>]{0,500}>/gi, "`"],
  [/<li\b[^<>]{0,500}>/gi, "\n- "],
  [/<(?:br|hr|\/(?:p|div|li|ul|ol|tr|table|h[1-6]|blockquote))\b[^<>]{0,500}>/gi, "\n"],
  [/<a\s[^<>]{0,500}?\bhref=["']([^"'<>]{1,1000})["'][^<>]{0,500}>/gi, " $1 "],
  [/<\/?(?:td|th)\b[^<>]{0,500}>/gi, " "],
  [/<\/?[a-z][a-z0-9]{0,20}(?:\s[^<>]{0,1000})?\/?>/gi, ""],
  [/&nbsp;|&#160;/g, " "],
  [/&lt;/g, "<"],
  [/&gt;/g, ">"],
  [/&quot;|&#34;/g, '"'],
  [/&apos;|&#0?39;|&#x27;/gi, "'"],
  [/&amp;/g, "&"],
];

export function shownText(text: string): string {
  const isHtml = WHOLE.test(text) && text.trimEnd().endsWith(">") && BROKEN.test(text) && !text.includes("```");
  return isHtml ? SHOWN.reduce((shown, [tag, instead]) => shown.replace(tag, instead), text) : text;
}
