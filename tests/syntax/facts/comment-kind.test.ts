/** Which comments explain why, as a table; and which kind a comment is. */
import { describe, expect, test } from "bun:test";
import { classifyComment, isDirective, isRationale } from "../../../src/syntax/facts/comment-kind.ts";

describe("gives a reason", () => {
  test.each([
    "Retried because the first request is often dropped.",
    "We copy here so that callers cannot change our state.",
    "Loop backwards in order to remove while iterating.",
    "Workaround for a bug in Safari 12.",
    "This works around a race in the kernel.",
    "Flush early to avoid holding the lock.",
    "Sorted to make sure the output is stable.",
    "This prevents a double free.",
    "Slow due to the nested loop.",
    "Not timed here, as we do not want the mock to count.",
    "Since we own the buffer, no copy is needed.",
    "No lock needed, since the queue is only read here.",
    "Must be set, otherwise the server will reject us.",
    "The reason for this is that fork() copies the lock.",
    "Kept for historical reasons.",
    "Needed for Python 3.7, which has no walrus.",
    "This import is required by the plugin loader.",
    "The header must be written before the first chunk.",
    "Listeners have to be attached prior to connecting.",
    "NFS does not support locks, hence the polling.",
    "That's why the index starts at one.",
    "Falls through on purpose.",
    "Deliberately not cached.",
    "Accept strings too, for backwards compatibility.",
    "Unfortunately the API has no batch call.",
    "We can't use a set here: order matters.",
  ])("%s", (comment) => expect(isRationale(comment)).toBe(true));
});

describe("does not give a reason", () => {
  test.each([
    "Increment the counter.",
    "New since 2.0",
    "Available since version 3",
    "Milliseconds since the epoch.",
    "Time since the last request",
    "@since 1.4",
    "Returns the value, otherwise null.",
    "Unless otherwise noted, all values are in bytes.",
    "True if the name is known or otherwise visible.",
    "Parse the reason phrase of the response.",
    "The required parameters come first.",
    "A list of the names of the causes.",
    "Sort by date, then by name.",
    "Create the user and its workspace.",
    "see the documentation of the module",
    "If-Modified-Since header",
    "default: true",
    "Compute the sum of all values before tax.",
    "for loops and while loops",
    "every separator must be replaced, not just the first",
    "Avoid using this function.",
    "const x = because(1);".replace("because", "call"),
    "",
  ])("%s", (comment) => expect(isRationale(comment)).toBe(false));
});

describe("kind", () => {
  test.each([
    ["# TODO(me): tidy up", "todo"],
    ["// todo: tidy up", "todo"],
    ["// FIXME wrong for empty input", "fixme"],
    ["# XXX why?", "fixme"],
    ["# HACK: patch the class", "hack"],
    ["// this is an ugly hack", "hack"],
    ["# NOTE the order", "note"],
    ["// Note: the order matters", "note"],
    ["// take note of the order", "general"],
    ["# see #1234", "bug_ref"],
    ["// fixed in pallets/flask#4321", "bug_ref"],
    ["# GH-99", "bug_ref"],
    ["# regression test for issue 12", "bug_ref"],
    ["// https://github.com/a/b/issues/7", "bug_ref"],
    ["# https://bugs.python.org/issue12345", "bug_ref"],
    ["# step #1", "general"],
    ["// color is #fff", "general"],
    ["// ISO-8601 dates", "general"],
    ["# sorted because order matters", "rationale"],
    ["# type: ignore because mypy is wrong", "general"],
    ["// eslint-disable-next-line no-eval -- because", "general"],
    ["# Copyright 2020, because lawyers", "general"],
    ["#!/bin/sh because", "general"],
    ["# the method todos() lists them", "general"],
  ] as const)("%s is %s", (comment, kind) => {
    const content = comment.replace(/^(?:#!?|\/\/) ?/, "");
    expect(classifyComment(content, comment).kind).toBe(kind);
  });

  test("a marked comment can give a reason too, a directive cannot", () => {
    expect(classifyComment("TODO: drop because unused", "# TODO")).toEqual({ kind: "todo", isRationale: true });
    expect(classifyComment("noqa: so that it fits", "# noqa: so that it fits")).toEqual({
      kind: "general",
      isRationale: false,
    });
  });
});

describe("directives", () => {
  test.each([
    "/* global window, document */",
    "/* exported main */",
    "/* v8 ignore next */",
    "// istanbul ignore else",
    "/* node:coverage disable */",
    "# rubocop:disable Style/Alias",
    "# standard:disable all",
    "// phpcs:ignore",
    "// @codeCoverageIgnoreStart",
    "// region Parsing",
    "//#endregion",
    "# fmt: off",
  ])("%s is one", (comment) => {
    expect(isDirective(comment)).toBe(true);
  });

  test.each([
    "/// global configuration, if there is any",
    "// exported only for tests",
    "// Standard library first",
    "// v8 is slow here",
    "#   RuboCop::Cop::Base",
    "/// fmt::Display writes it",
    "/// phantom types",
    "/// region of memory",
  ])("%s is none", (comment) => {
    expect(isDirective(comment)).toBe(false);
  });
});
