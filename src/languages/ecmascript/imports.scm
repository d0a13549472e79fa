; Imports and exports that JavaScript, TypeScript and TSX share.
;
; One match binds one name: @import is the statement or call (matches of one are merged), @specifier the module as
; written, @name the name there, @alias the name here. @export is an exported name of this file, @export.as the name
; under which it is exported.

; part require
(call_expression
  function: (identifier) @_require
  arguments: (arguments . (string (string_fragment) @specifier)))
; end

; --- import ----------------------------------------------------------------------------------------

; import "a"
(import_statement
  source: (string (string_fragment) @specifier)) @import

; import a from "m"
(import_statement
  (import_clause (identifier) @alias)
  source: (string (string_fragment) @specifier)
  (#set! name "default")) @import

; import * as a from "m"
(import_statement
  (import_clause (namespace_import (identifier) @alias))
  source: (string (string_fragment) @specifier)
  (#set! name "*")) @import

; import { a, b as c } from "m"
(import_statement
  (import_clause (named_imports (import_specifier name: (_) @name @alias !alias)))
  source: (string (string_fragment) @specifier)) @import

(import_statement
  (import_clause (named_imports (import_specifier name: _ @name alias: (_) @alias)))
  source: (string (string_fragment) @specifier)) @import

; --- export … from ---------------------------------------------------------------------------------

; export * from "m"
(export_statement
  "*"
  source: (string (string_fragment) @specifier)
  (#set! kind "reexport")
  (#set! star "true")) @import

; export * as a from "m"
(export_statement
  (namespace_export (_) @alias)
  source: (string (string_fragment) @specifier)
  (#set! kind "reexport")
  (#set! name "*")) @import

; export { a, b as c } from "m"   (`_` because `default` is a separate node in JavaScript's grammar)
(export_statement
  (export_clause (export_specifier name: _ @name !alias))
  source: (string (string_fragment) @specifier)
  (#set! kind "reexport")) @import

(export_statement
  (export_clause (export_specifier name: _ @name alias: _ @alias))
  source: (string (string_fragment) @specifier)
  (#set! kind "reexport")) @import

; --- require and import() --------------------------------------------------------------------------

; module.exports = require("m")
(assignment_expression
  left: (_) @_left
  right: {require} @import
  (#eq? @_left "module.exports")
  (#eq? @_require "require")
  (#set! kind "require_reexport")
  (#set! star "true"))

; exports.a = require("m")
(assignment_expression
  left: (member_expression object: (_) @_object property: (property_identifier) @alias)
  right: {require} @import
  (#any-of? @_object "exports" "module.exports")
  (#eq? @_require "require")
  (#set! kind "require_reexport")
  (#set! name "*"))

; exports.a = require("m").b
(assignment_expression
  left: (member_expression object: (_) @_object property: (property_identifier) @alias)
  right: (member_expression
    object: {require} @import
    property: (property_identifier) @name)
  (#any-of? @_object "exports" "module.exports")
  (#eq? @_require "require")
  (#set! kind "require_reexport"))

; const a = require("m")
(variable_declarator
  name: (identifier) @alias
  value: {require} @import
  (#eq? @_require "require")
  (#set! kind "require")
  (#set! name "*"))

; const { a, b: c } = require("m")
(variable_declarator
  name: (object_pattern [
    (shorthand_property_identifier_pattern) @name @alias
    (object_assignment_pattern left: (shorthand_property_identifier_pattern) @name @alias)
    (pair_pattern key: (_) @name value: (identifier) @alias)
  ])
  value: {require} @import
  (#eq? @_require "require")
  (#set! kind "require"))

; const a = require("m").b
(variable_declarator
  name: (identifier) @alias
  value: (member_expression
    object: {require} @import
    property: (property_identifier) @name)
  (#eq? @_require "require")
  (#set! kind "require"))

; require("m"), anywhere
(call_expression
  function: (identifier) @_require
  arguments: (arguments . (string (string_fragment) @specifier))
  (#eq? @_require "require")
  (#set! kind "require")) @import

; const a = await import("m")
(variable_declarator
  name: (identifier) @alias
  value: (await_expression
    (call_expression
      function: (import)
      arguments: (arguments [(string (string_fragment) @specifier) (template_string . (string_fragment) @specifier .)])) @import)
  (#set! kind "dynamic")
  (#set! name "*"))

; const { a, b: c } = await import("m")
(variable_declarator
  name: (object_pattern [
    (shorthand_property_identifier_pattern) @name @alias
    (pair_pattern key: (_) @name value: (identifier) @alias)
  ])
  value: (await_expression
    (call_expression
      function: (import)
      arguments: (arguments [(string (string_fragment) @specifier) (template_string . (string_fragment) @specifier .)])) @import)
  (#set! kind "dynamic"))

; import("m"), import(/* for a bundler */ "m"), anywhere
(call_expression
  function: (import)
  arguments: (arguments [(string (string_fragment) @specifier) (template_string . (string_fragment) @specifier .)])
  (#set! kind "dynamic")) @import

; --- paths of modules as texts ---------------------------------------------------------------------

; jest.mock("m"), vi.importActual("m"), require.resolve("m")
(call_expression
  function: (member_expression object: (identifier) @_object property: (property_identifier) @_way)
  arguments: (arguments . (string (string_fragment) @specifier))
  (#any-of? @_object "jest" "vi" "require")
  (#any-of? @_way
    "mock" "doMock" "setMock" "requireActual" "requireMock" "importActual" "importMock" "createMockFromModule" "resolve")
  (#set! kind "dynamic")) @import

; new URL("./worker.ts", import.meta.url), which names no folder
(new_expression
  constructor: (identifier) @_url
  arguments: (arguments
    .
    (string (string_fragment) @specifier)
    .
    (member_expression object: (meta_property)))
  (#eq? @_url "URL")
  (#match? @specifier "^\\.\\.?/.*\\.\\w+$")
  (#set! kind "dynamic")) @import

; --- export ----------------------------------------------------------------------------------------

; export function f() {}, export class C {}, export interface I {}
(export_statement declaration: (_ name: (_) @export))

; export default function f() {}
(export_statement
  "default"
  declaration: (_ name: (_) @export)
  (#set! as "default"))

; export const a = 1, { b, c: d } = e
(export_statement
  declaration: (_
    (variable_declarator
      name: [
        (identifier) @export
        (object_pattern [
          (shorthand_property_identifier_pattern) @export
          (pair_pattern value: (identifier) @export)
          (pair_pattern value: (assignment_pattern left: (identifier) @export))
          (object_assignment_pattern left: (shorthand_property_identifier_pattern) @export)
          (rest_pattern (identifier) @export)
        ])
        (array_pattern (identifier) @export)
      ])))

; export { a, b as c }
(export_statement
  !source
  (export_clause [
    (export_specifier name: (_) @export !alias)
    (export_specifier name: (_) @export alias: _ @export.as)
  ]))

; export default a
(export_statement
  value: (identifier) @export
  (#set! as "default"))

; export default function () {}, export default { ... }
(export_statement
  value: [
    (arrow_function) (function_expression !name) (generator_function !name) (class !name)
    (object) (call_expression) (new_expression) (array)
  ] @export)

; module.exports = a
(assignment_expression
  left: (member_expression) @_left
  right: (identifier) @export
  (#eq? @_left "module.exports")
  (#set! as "default"))

; module.exports = function () {}
(assignment_expression
  left: (member_expression) @_left
  right: [
    (arrow_function) (function_expression !name) (generator_function !name) (class !name)
  ]
  (#eq? @_left "module.exports")
  (#set! name "exports")
  (#set! as "default")) @export

; module.exports = function f() {}
(assignment_expression
  left: (member_expression) @_left
  right: [
    (function_expression name: (_) @export)
    (generator_function name: (_) @export)
    (class name: (_) @export)
  ]
  (#eq? @_left "module.exports")
  (#set! as "default"))

; module.exports = { a, b: c, d() {} }
(assignment_expression
  left: (member_expression) @_left
  right: (object [
    (shorthand_property_identifier) @export
    (pair key: (_) @export.as value: (identifier) @export)
    (pair key: (_) @export value: [(arrow_function) (function_expression)])
    (method_definition name: (_) @export)
  ])
  (#eq? @_left "module.exports"))

; Object.assign(module.exports, { a, b: c, d() {} })
((arguments
  .
  [(identifier) (member_expression)] @_exports
  .
  (object [
    (shorthand_property_identifier) @export
    (pair key: (_) @export.as value: (identifier) @export)
    (pair key: (_) @export value: [(arrow_function) (function_expression)])
    (method_definition name: (_) @export)
  ]))
  (#any-of? @_exports "exports" "module.exports"))

; var a = exports = module.exports = ...
(variable_declarator
  name: (identifier) @export
  value: (assignment_expression) @_value
  (#match? @_value "^(exports\\s*=\\s*)?module\\.exports\\s*=")
  (#set! as "default"))

; exports.a = b
(assignment_expression
  left: (member_expression object: (_) @_object property: (property_identifier) @export.as)
  right: (identifier) @export
  (#any-of? @_object "exports" "module.exports"))

; exports.a = function () {}
(assignment_expression
  left: (member_expression object: (_) @_object property: (property_identifier) @export)
  (#any-of? @_object "exports" "module.exports"))
