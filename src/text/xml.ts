/**
 * Escapes text for XML 1.0.
 *
 * A parser returns exactly the same characters, except those that XML cannot represent (control characters, halves of
 * surrogate pairs), which are made visible, and carriage returns, which every parser treats as line ends.
 */

/** An element on separate lines. Text with markup goes into a CDATA section, so that code stays readable. */
export function element(name: string, text: string): string {
  const writable = visible(text);
  return /[<&]|\]\]>/.test(writable)
    ? `<${name}><![CDATA[\n${cdata(writable)}\n]]></${name}>`
    : `<${name}>\n${writable}\n</${name}>`;
}

/** Text between tags, or in a quoted attribute, on one line. */
export const escaped = (text: string): string =>
  visible(text).replace(/[&<>"\t\n\r]/g, (character) => `&#${character.codePointAt(0)};`);

/** Splits the end marker of a section across two sections. */
const cdata = (text: string): string => text.replaceAll("]]>", "]]]]><![CDATA[>");

const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu;

const visible = (text: string): string =>
  text.replace(UNWRITABLE, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code <= 0xff ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`;
  });
