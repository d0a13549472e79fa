; Comments of Zig.
(comment) @comment
