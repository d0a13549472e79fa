; Outline of TOML: tables, and the keys directly in them. What stands before the last dot of a name is its @owner,
; and @body what the signature leaves out.

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
