/** Words for errors of the operating system, whose own messages contain paths and system calls. */

/** The code of an error of the system, of a library or of SQLite, such as `ENOENT`; null for an error without one. */
export const errorCode = (error: unknown): string | null =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;

/** A system error in words, or its code if there are no words for it. Any other error is a bug and is rethrown. */
export function systemErrorWords(error: unknown): string {
  const code = errorCode(error);
  if (code === null) throw error;
  return WORDS.get(code) ?? code;
}

/** Words for errors of a connection that every client of the network has. */
export const CONNECTION_WORDS: readonly (readonly [string, string])[] = [
  ["ECONNREFUSED", "connection refused"],
  ["ECONNRESET", "the connection was closed"],
  ["ERR_SOCKET_CLOSED", "the connection was closed"],
  ["ERR_SSL_WRONG_VERSION_NUMBER", "it does not speak https"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "its certificate is not trusted"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "its certificate is not trusted"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "its certificate is not trusted"],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "its certificate is not trusted"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "its certificate is for another name"],
  ["CERT_HAS_EXPIRED", "its certificate has expired"],
];

const WORDS: ReadonlyMap<string, string> = new Map([
  ["EACCES", "permission denied"],
  ["EPERM", "permission denied"],
  ["EROFS", "the file system is read-only"],
  ["ENOSPC", "no space left on the disk"],
  ["EDQUOT", "the disk quota is used up"],
  ["EFBIG", "the file would be too large"],
  ["EEXIST", "something else is there"],
  ["ENOENT", "there is no such file or folder"],
  ["ENOTDIR", "a part of the path is not a folder"],
  ["EISDIR", "it is a folder"],
  ["ELOOP", "too many symbolic links"],
  ["ENAMETOOLONG", "the name is too long"],
  ["EMFILE", "too many open files"],
  ["EIO", "the device reports an error"],
]);
