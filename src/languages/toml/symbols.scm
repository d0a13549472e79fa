; Outline of TOML: tables, and the keys directly in them. @owner is the part of a name before its last dot, and @body the
; part that the signature omits.

(table . [
  (bare_key) @name
  (quoted_key) @name
  (dotted_key (_) @owner . (_) @name)
] . (pair)? @body) @symbol.namespace

(table_array_element . [
  (bare_key) @name
  (quoted_key) @name
  (dotted_key (_) @owner . (_) @name)
] . (pair)? @body) @symbol.namespace

(document (pair . [
  (bare_key) @name
  (quoted_key) @name
  (dotted_key (_) @owner . (_) @name)
]) @symbol.property)

(table (pair . [
  (bare_key) @name
  (quoted_key) @name
  (dotted_key (_) @owner . (_) @name)
]) @symbol.property)

(table_array_element (pair . [
  (bare_key) @name
  (quoted_key) @name
  (dotted_key (_) @owner . (_) @name)
]) @symbol.property)
