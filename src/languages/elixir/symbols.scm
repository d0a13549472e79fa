; Definitions of Elixir, all of which are calls.
;
; @symbol.<kind> is the definition, @name its name, @body the part that its signature omits. If two patterns match one
; place, the first wins.

; part head
[
  (identifier) @name
  (call target: (identifier) @name)
  (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "when")
]
; end

; part doc
(unary_operator
  operator: "@"
  operand: (call
    target: (identifier) @_attribute
    (arguments . [(string) @doc (sigil (quoted_content) @doc)])))
; end

; Attributes above a definition that belong to it.
((unary_operator
  operator: "@"
  operand: (call target: (identifier) @_attribute)) @decorator
  (#any-of? @_attribute "doc" "typedoc" "spec" "impl" "deprecated" "dialyzer" "since" "tag" "describetag"))

; --- modules ---------------------------------------------------------------------------------------

(call
  target: (identifier) @_define
  (arguments . [(alias) (call) (dot) (atom)] @name)
  (do_block) @body
  (#eq? @_define "defmodule")) @symbol.namespace

(call
  target: (identifier) @_define
  (arguments . (alias) @name)
  (do_block) @body
  (#eq? @_define "defprotocol")) @symbol.interface

; defimpl A, for: B      is the module A.B
(call
  target: (identifier) @_define
  (arguments . (alias) @owner (keywords (pair value: (_) @name)))
  (do_block) @body
  (#eq? @_define "defimpl")) @symbol.namespace

(call
  target: (identifier) @_define
  (arguments . (alias) @name .)
  (do_block) @body
  (#eq? @_define "defimpl")) @symbol.namespace

; A struct has the name of its module.
((call target: (identifier) @name (arguments)) @symbol.class
  (#any-of? @name "defstruct" "defexception"))

; --- functions: with a block, with `do:`, without a body ---------------------------------------------

(call
  target: (identifier) @_define
  (arguments . {head})
  (do_block) @body
  (#any-of? @_define "def" "defp" "defmacro" "defmacrop" "defn" "defnp")) @symbol.function

(call
  target: (identifier) @_define
  (arguments
    . {head}
    . (keywords . (pair key: (keyword) @_do)) @body)
  (#any-of? @_define "def" "defp" "defmacro" "defmacrop" "defn" "defnp")
  (#match? @_do "^do:")) @symbol.function

(call
  target: (identifier) @_define
  (arguments . {head})
  (#any-of? @_define "def" "defp" "defmacro" "defmacrop" "defguard" "defguardp" "defdelegate")) @symbol.function

; def a + b
(call
  target: (identifier) @_define
  (arguments . [
    (binary_operator operator: _ @name)
    (binary_operator left: (binary_operator operator: _ @name) operator: "when")
    (unary_operator operator: _ @name)
  ])
  (#any-of? @_define "def" "defp" "defmacro" "defmacrop")
  (#not-any-of? @name "when")) @symbol.function

; test "title" do
(call
  target: (identifier) @_define
  (arguments . (string) @name)
  (do_block) @body
  (#any-of? @_define "test" "describe" "property" "feature")) @symbol.function

; --- attributes --------------------------------------------------------------------------------------

; @type t :: integer, @opaque t(a) :: a
(unary_operator
  operator: "@"
  operand: (call
    target: (identifier) @_attribute
    (arguments . (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "::")))
  (#any-of? @_attribute "type" "typep" "opaque")) @symbol.type_alias

; @callback run(term) :: :ok
(unary_operator
  operator: "@"
  operand: (call
    target: (identifier) @_attribute
    (arguments . [
      (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "::")
      (binary_operator left: (binary_operator left: (call target: (identifier) @name) operator: "::") operator: "when")
    ]))
  (#any-of? @_attribute "callback" "macrocallback")) @symbol.method

; @timeout 5_000
(call
  target: (identifier) @_define
  (do_block
    (unary_operator
      operator: "@"
      operand: (call target: (identifier) @name (arguments))) @symbol.variable)
  (#eq? @_define "defmodule")
  (#not-any-of? @name
    "moduledoc" "doc" "typedoc" "spec" "impl" "deprecated" "dialyzer" "since" "tag" "moduletag" "describetag"
    "behaviour" "before_compile" "after_compile" "on_load" "on_definition" "compile" "external_resource" "derive"
    "enforce_keys" "callback" "macrocallback" "optional_callbacks" "type" "typep" "opaque"))

; --- documentation -----------------------------------------------------------------------------------

; @moduledoc "..." of a module
(call
  target: (identifier)
  (do_block {doc})
  (#eq? @_attribute "moduledoc")) @documented

; @doc "...", with other attributes between it and the definition
({doc}
  .
  [(unary_operator) (comment)]*
  .
  (call) @documented
  (#eq? @_attribute "doc"))

({doc}
  .
  (unary_operator operator: "@") @documented
  (#any-of? @_attribute "doc" "typedoc"))
