; Imports and exports that only TypeScript and TSX have.

; import type { A } from "m"   (the whole statement)
(import_statement "type") @types_only

; import { type A } from "m"   (one name)
(import_specifier "type") @types_only

; export type { A } from "m" is still a re-export.

; import a = require("m")
(import_statement
  (import_require_clause
    (identifier) @alias
    source: (string (string_fragment) @specifier))
  (#set! kind "require")
  (#set! name "*")) @import

; typeof import("m"), import("m").A
(call_expression
  function: (import)
  arguments: (arguments . (string (string_fragment) @specifier))
  (#set! kind "dynamic")) @import

; declare module "m" { }, which extends m
(module name: (string (string_fragment) @specifier)) @import @types_only

; export = a
(export_statement
  "="
  (identifier) @export
  (#set! as "default"))

; export declare function f(): void;   export declare const a: A;
(export_statement declaration: (ambient_declaration (_ name: (_) @export)))
(export_statement declaration: (ambient_declaration (_ (variable_declarator name: (identifier) @export))))

; export import A = ns.B
(export_statement declaration: (import_alias . (identifier) @export))
