; Outline of CSS: rules down to the second level by their selectors, at-rules by their keywords, and custom properties
; of the root. @body is the part that names and signatures omit.

(stylesheet (rule_set (selectors) @name (block) @body) @symbol.namespace)

(stylesheet [
  (media_statement (block) @body)
  (supports_statement (block) @body)
  (keyframes_statement (keyframe_block_list) @body)
  (at_rule (block) @body)
] @name @symbol.namespace)

(stylesheet (_ (block (rule_set (selectors) @name (block) @body) @symbol.namespace)))

(stylesheet (_ (block [
  (media_statement (block) @body)
  (supports_statement (block) @body)
  (keyframes_statement (keyframe_block_list) @body)
  (at_rule (block) @body)
] @name @symbol.namespace)))

(stylesheet (rule_set
  (selectors) @_root
  (block (declaration (property_name) @name) @symbol.property)
  (#match? @_root ":root\\b")
  (#match? @name "^--")))
