; Comments of C#.
(comment) @comment
