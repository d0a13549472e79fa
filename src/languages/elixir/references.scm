; Uses of names in Elixir: @reference.<kind> is the name, @qualifier the module before its last dot. A module is one name,
; whatever dots it has. If two patterns match one place, the first wins.

; @spec, @doc, @behaviour
(unary_operator
  operator: "@"
  operand: (call target: (identifier) @reference.none))

; @spec run(A.t()) :: A.t() when ...
(unary_operator
  operator: "@"
  operand: (call
    (arguments . [
      (binary_operator left: (call target: (identifier) @reference.none) operator: "::")
      (binary_operator left: (binary_operator left: (call target: (identifier) @reference.none) operator: "::") operator: "when")
    ])))

; @behaviour A.B
(unary_operator
  operator: "@"
  operand: (call
    target: (identifier) @_attribute
    (arguments . (alias) @reference.implement .))
  (#eq? @_attribute "behaviour"))

; use A.B, ...    What the module defines for those that use it is found as if it were inherited.
(call
  target: (identifier) @_use
  (arguments . (alias) @reference.inherit)
  (#eq? @_use "use"))

; defimpl A.B, for: C
(call
  target: (identifier) @_define
  (arguments . (alias) @reference.implement)
  (#eq? @_define "defimpl"))

(call
  target: (identifier) @_import
  (arguments . [
    (alias) @reference.none
    (dot left: (alias) @reference.none)
    (dot right: (tuple (alias) @reference.none))
  ])
  (#any-of? @_import "alias" "require" "import" "use"))

; alias A.B, as: C
(call
  target: (identifier) @_import
  (arguments (keywords (pair value: (alias) @reference.none)))
  (#any-of? @_import "alias" "require"))

; Calls that only define or load something, and those of the language itself.
(call
  target: (identifier) @reference.none
  (#any-of? @reference.none
    "def" "defp" "defmacro" "defmacrop" "defguard" "defguardp" "defdelegate" "defmodule" "defprotocol" "defimpl"
    "defstruct" "defexception" "alias" "require" "import" "use" "if" "unless" "case" "cond" "with" "for" "fn" "quote"
    "unquote" "unquote_splicing" "raise" "reraise" "try" "receive" "super"))

; plug :check
((call
  target: (identifier) @_plug
  (arguments . (atom) @reference.call))
  (#eq? @_plug "plug")
  (#set! strip ":"))

; A.B.t(): by convention the type of a module.
(call
  target: (dot left: (alias) @qualifier right: (identifier) @reference.type)
  (#eq? @reference.type "t"))

(call
  target: (dot
    left: [(alias) (identifier) (unary_operator)] @qualifier
    right: (identifier) @reference.call)
  (arguments))

; A.B.run without parentheses. Of a variable it is a field.
(call
  target: (dot left: (alias) @qualifier right: (identifier) @reference.call))

(call target: (identifier) @reference.call)

; x |> run
(binary_operator
  operator: "|>"
  right: (identifier) @reference.call)

; &run/1
(unary_operator
  operator: "&"
  operand: (binary_operator
    left: (identifier) @reference.call
    operator: "/"
    right: (integer)))

; The module of a call belongs to the name.
(dot left: (alias) @reference.none right: (identifier))

((alias) @reference.type (#set! whole "true"))
