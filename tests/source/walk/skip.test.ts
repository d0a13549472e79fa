import { expect, test } from "bun:test";
import { FILE_BYTES_MAX, skipByAscii, skipByPath, skipByText, vendoredIsMain } from "../../../src/source/walk/skip.ts";

const limits = { bytesMax: FILE_BYTES_MAX, vendoredIsMain: false };
const byPath = (path: string, sizeBytes = 10): string | null => skipByPath(path, sizeBytes, limits);

test.each([
  [
    "secret",
    ".env app/.env.local .flaskenv .npmrc server.pem keys/id_rsa id_ed25519.pub .aws/credentials credentials.json secrets.yaml .git-credentials store.p12 tls.key",
  ],
  [
    "secret",
    ".env.production .envrc prod.env .env.sh id_work a.pfx x.kdbx example.key .pypirc .netrc home/.docker/config.json terraform.tfstate terraform.tfstate.backup prod.tfvars credentials CREDENTIALS.JSON credentials-prod.yml aws-credentials.json config/credentials.yml.enc client_secret_1.json .ssh/deploy .kube/config",
  ],
  [
    "secret",
    ".secrets .secrets.toml services/api/.env a/b/id_rsa app/.credentials .credentials.json .vault_pass .dockerconfigjson tls.key.old server.pem~ #.env# .secrets/prod.csv",
  ],
  [
    "lock",
    "package-lock.json a/yarn.lock pnpm-lock.yaml Cargo.lock poetry.lock uv.lock Gemfile.lock composer.lock go.sum bun.lock bun.lockb",
  ],
  [
    "vendored",
    "node_modules/a/index.js web/vendor/x.go third_party/y.c third-party/y.c bower_components/z.js lib/site-packages/a.py",
  ],
  [
    "generated",
    "dist/index.js single_include/shop/shop.hpp singleheader/shop.h a_pb2.py a_pb2_grpc.py x.pb.go model.g.dart zz_generated.deepcopy.go app.bundle.js index.js.map",
  ],
  ["package", "cra-0123456789ab.md docs/cra-ffffffffffff.txt cra-000000000000.json"],
  ["minified", "jquery.min.js style.min.css jquery-min.js"],
  ["binary", "logo.PNG a.woff2 x.zip m.pyc"],
])("%s by path: %s", (reason, paths) => {
  for (const path of paths.split(" ")) expect([path, byPath(path)]).toEqual([path, reason]);
});

test("ordinary paths are not skipped, even if they look similar", () => {
  const paths =
    "src/environment.py credentials.py src/credentials/store.ts id_generator.py env.ts lock.py locks/block.ts admin.min.py.txt vendors.py distribution/a.py single_include.cmake src/single.hpp src/keyboard.ts secrets.py mining.js package.json src/_pytest/nodes.py cra-notes.md cra-0123456789ab.py";
  for (const path of paths.split(" ")) expect([path, byPath(path)]).toEqual([path, null]);
});

test("reads example files, source and prose about secrets", () => {
  const paths =
    ".env.example .env.sample app/.env.template .npmrc.example credentials.example.json terraform.tfvars.example credentials.ts credentials_test.go docs/credentials.md .env.ts id_rsa.go docker/config.json aws-credentials-provider.js CredentialsProvider.java service_account.py variables.tf .github/secret-scanning.yml .secrets.baseline .secrets/read.ts .secrets.example.toml";
  for (const path of paths.split(" ")) expect([path, byPath(path)]).toEqual([path, null]);
});

test("size is checked last, and can equal the limit", () => {
  expect([
    byPath("a.ts", FILE_BYTES_MAX),
    byPath("a.ts", FILE_BYTES_MAX + 1),
    byPath(".env", FILE_BYTES_MAX + 1),
  ]).toEqual([null, "too-large", "secret"]);
});

test("vendored folders are indexed if they have most of the code, installed ones never", () => {
  const paths = ["vendor/a.go", "vendor/b.go", "main.go", "node_modules/x.js", "README.md", "vendor/LICENSE"];
  expect(vendoredIsMain(paths)).toBe(true);
  expect(vendoredIsMain([...paths, "other.go"])).toBe(false);
  const main = { ...limits, vendoredIsMain: true };
  expect([
    skipByPath("vendor/a.go", 1, main),
    skipByPath("dist/a.js", 1, main),
    skipByPath("node_modules/x.js", 1, main),
  ]).toEqual([null, null, "vendored"]);
});

test("minified text", () => {
  const long = "x".repeat(501);
  expect(skipByText("a.js", long)).toBe("minified");
  expect(skipByText("a.js", `${long}\n${"a;\n".repeat(10)}`)).toBeNull();
  expect([skipByText("a.json", long), skipByText("a.json", "1,".repeat(3000))]).toEqual([null, "minified"]);
  expect([skipByText("a.md", long.repeat(3)), skipByText("a.js", "")]).toEqual([null, null]);
});

const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${"4d".repeat(32)}\nsize 12345\n`;

test("a pointer to a content in Git LFS is skipped, whatever its name says it holds", () => {
  const extended = POINTER.replace("oid", `ext-0-pack sha256:${"a1".repeat(32)}\noid`);
  for (const text of [POINTER, POINTER.replaceAll("\n", "\r\n"), extended])
    expect(["model.ts", "data.csv", "notes"].map((path) => skipByText(path, text))).toEqual(
      Array(3).fill("lfs-pointer"),
    );
  expect(skipByAscii("model.ts", Buffer.from(POINTER), 3)).toBe("lfs-pointer");
});

test("a text that quotes such a pointer is none", () => {
  const texts = [
    `const POINTER = \`${POINTER}\`;\n`,
    POINTER.split("\n", 1).join(""),
    `${POINTER}and how to read it\n`,
  ];
  expect(texts.map((text) => skipByText("lfs.ts", text))).toEqual([null, null, null]);
});

test.each([
  ["a.go", "// Code generated by protoc-gen-go. DO NOT EDIT.\npackage a\n"],
  ["a.js", "'use strict';\n/**\n * @generated SignedSource<<x>>\n */\n"],
  ["a.py", '"""Mixins."""\n\n# This file was generated using tool. Do not edit manually.\nimport a\n'],
  ["a.ts", "/* eslint-disable */\n// This file is auto-generated. Do not modify.\n"],
  ["a.html", "<!-- AUTOGENERATED: changes here will be lost -->\n<p>"],
  ["a.sql", "-- DO NOT EDIT\nselect 1;"],
  ["a.php", "<?php\n/* This file was generated by x.\n   Do not edit it. */\n"],
  [
    "a.hpp",
    "/*\n *  Shop v2.1\n *  Generated: 2021-07-28 20:29:27\n *  Merged from headers. Please don't edit it directly\n */\n",
  ],
  ["a.cpp", "//  Generated: 2024-09-17 10:36:40\n//  This file is an amalgamation. You probably shouldn't edit it.\n"],
])("generated header in %s", (path, text) => {
  expect(skipByText(path, text)).toBe("generated");
});

test("a marker below the first code, or half a marker, does not count", () => {
  const generator = '"""Writes the operators."""\nimport sys\n\nHEADER = """\n# Generated by me. DO NOT EDIT.\n"""\n';
  const texts = [
    generator,
    "# generated by hand, with love\nx = 1\n",
    "// please do not edit lightly\n",
    "const a = '@generated';\n",
    "// mail me@generated.example\n",
  ];
  expect(texts.map((text) => skipByText("a.py", text))).toEqual(texts.map(() => null));
});
