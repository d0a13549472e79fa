/**
 * Text into XML 1.0 that nothing inside can break out of.
 *
 * Pure. A parser gives back the very characters, but for those that XML has no way to write (control characters, halves
 * of surrogate pairs), which are made visible, and for carriage returns, which every parser takes for line ends.
 */

/** An element on lines of its own. What acts in XML stands in a CDATA section, so that code reads as it is. */
export function element(name: string, text: string): string {
  const writable = visible(text);
  return /[<&]|\]\]>/.test(writable)
    ? `<${name}><![CDATA[\n${cdata(writable)}\n]]></${name}>`
    : `<${name}>\n${writable}\n</${name}>`;
}

/** Text between tags, or in an attribute between quotation marks, on one line. */
export const escaped = (text: string): string =>
  visible(text).replace(/[&<>"\t\n\r]/g, (character) => `&#${character.codePointAt(0)};`);

/** The end of a section is written as the end of one and the beginning of the next. */
const cdata = (text: string): string => text.replaceAll("]]>", "]]]]><![CDATA[>");

const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu;

const visible = (text: string): string =>
  text.replace(UNWRITABLE, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code <= 0xff ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`;
  });
