; Comments of Lua.
(comment) @comment
