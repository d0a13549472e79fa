/** Facts are read from a cache when they are asked for, so resolving the imports of one language must not ask for those of all. */
import { expect, test } from "bun:test";
import { familyOf } from "../../../src/indexing/imports/model.ts";
import { openImports } from "../../../src/indexing/imports/resolve-imports.ts";
import { fixtureFiles, fixtureTexts } from "../../support/facts.ts";

const FIXTURE = `
//- a.py
import pkg
//- pkg/__init__.py
//- a.ts
import "./b";
//- b.ts
//- a.go
package main
//- A.java
class A {}
//- A.cs
class A {}
//- a.rs
mod b;
//- a.c
#include "b.h"
//- b.h
//- a.php
<?php
//- a.rb
require "b"
//- a.swift
import B
//- notes.md
# Notes
`;

test("opening the imports of a file reads the facts of files of its family only", async () => {
  const files = await fixtureFiles(fixtureTexts(FIXTURE));
  for (const asked of files) {
    const read = new Set<string | null>();
    const sources = files.map(({ path, language, facts }) => ({
      path,
      language,
      get facts() {
        read.add(familyOf(language));
        return facts;
      },
    }));
    const source = sources.find(({ path }) => path === asked.path);
    if (source === undefined) throw new Error(`${asked.path} is missing`);
    openImports(sources, () => null).of(source);
    expect([...read]).toEqual([familyOf(asked.language)]);
  }
});
