import { expect, test } from "bun:test";
import { firstSentence } from "../../src/text/sentence.ts";

test("a sentence goes on over the ends of lines and stops at its full stop", () => {
  expect(
    firstSentence(`
    Flashes a message to the next request.  In order to remove the
    flashed message, call the other one.`),
  ).toBe("Flashes a message to the next request.");
  expect(firstSentence("Imports a name relative\nto the root path, e.g. the\none of the app. More.")).toBe(
    "Imports a name relative to the root path, e.g. the one of the app.",
  );
});

test("a paragraph without a full stop is the sentence, without the list after it", () => {
  expect(firstSentence("The limit\nof a cart\n\nMore.")).toBe("The limit of a cart");
  expect(firstSentence("Adds up\n@param a one\n@param b two")).toBe("Adds up");
  expect(firstSentence("Adds up:\n- one\n- two")).toBe("Adds up:");
});

test("numbers and names with dots end no sentence", () => {
  expect(firstSentence("Since version 1.2 of app.config it is on. Else off.")).toBe(
    "Since version 1.2 of app.config it is on.",
  );
});

test("a very long sentence is cut after a word, with a mark", () => {
  const cut = firstSentence("word ".repeat(200));
  expect(cut).toEndWith("word …");
  expect(cut.length).toBeLessThan(250);
});

test("no text has no sentence", () => {
  expect(firstSentence("")).toBe("");
  expect(firstSentence("\n \n")).toBe("");
});

test("a reference at the beginning of a line is part of the sentence", () => {
  expect(firstSentence("Convert the value to an instance of\n:attr:`response_class`. More.")).toBe(
    "Convert the value to an instance of :attr:`response_class`.",
  );
  expect(firstSentence("Returns a\n:py:class:`~flask.Response` object.\n:param a: one")).toBe(
    "Returns a :py:class:`~flask.Response` object.",
  );
  expect(firstSentence("Compares with\n@ref basic_json and\n\\c null.\n@return whether")).toBe(
    "Compares with @ref basic_json and \\c null.",
  );
  expect(firstSentence("Adds up\n:param a: one")).toBe("Adds up");
});

test("the tag of a brief description is not part of it", () => {
  expect(firstSentence("@brief create JSON pointer\n\nMore.")).toBe("create JSON pointer");
  expect(firstSentence("\\brief Adds up. More.")).toBe("Adds up.");
  expect(firstSentence("@deprecated use b instead")).toBe("@deprecated use b instead");
});

test("a documentation that only has tags has no sentence", () => {
  for (const text of ["@private", ":rtype: str", "@internal\n@param a one", "@param[in] s what to convert\n@return it"])
    expect(firstSentence(text)).toBe("");
  expect(firstSentence("@internal\nAdds up. More.")).toBe("Adds up.");
});
