; Comments of Scala.
[(comment) (block_comment)] @comment
