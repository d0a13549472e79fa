; Imports of Elixir: `alias`, `require`, `import` and `use`, which are read from the text (`module-clauses.ts`).
;
; A "reexport" stands in a quoted block: whoever uses the module gets it.

(call
  target: (identifier) @_quote
  (do_block
    (call
      target: (identifier) @_import
      (arguments . [(alias) (dot) (identifier)])) @import)
  (#eq? @_quote "quote")
  (#any-of? @_import "alias" "require" "import" "use")
  (#set! kind "reexport"))

((call
  target: (identifier) @_import
  (arguments . [(alias) (dot) (identifier)])) @import
  (#any-of? @_import "alias" "require" "import" "use"))
