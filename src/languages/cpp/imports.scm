; What brings names into C++: includes, as in C, and using. Only an include is a star.

; using namespace a::b;
(using_declaration
  "namespace"
  [(identifier) (qualified_identifier)] @specifier
  (#set! name "*")) @import

; using a::b;
; part last
[
  (qualified_identifier name: (identifier) @name @alias) @specifier
  (qualified_identifier name: (qualified_identifier name: (identifier) @name @alias)) @specifier
  (qualified_identifier
    name: (qualified_identifier name: (qualified_identifier name: (identifier) @name @alias))) @specifier
]
; end

((using_declaration {last}) @import
  (#not-match? @import "^using\\s+namespace\\b"))
