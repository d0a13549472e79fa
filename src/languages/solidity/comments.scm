; Comments of Solidity.
(comment) @comment
