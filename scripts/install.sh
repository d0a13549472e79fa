#!/bin/sh
# Installs cra from a folder or URL that contains its archives and SHA256SUMS.
#
#   sh install.sh                         from the folder of this script
#   sh install.sh <folder or https://…>   from that folder or URL (or CRA_BASE_URL=…)
#   CRA_INSTALL_DIR=/usr/local/bin sh install.sh …
#   CRA_PUBLIC_KEY="ssh-ed25519 AAAA…" sh install.sh …
#
# Picks the archive for this machine, verifies it against SHA256SUMS, runs the program once, and moves it into
# ~/.local/bin (or CRA_INSTALL_DIR) with one rename, so an older cra stays in place until the new one works.
# If this script or CRA_PUBLIC_KEY has a key, the signature of SHA256SUMS must be of that key.
# A folder needs no network. All other files go into one temporary folder, which is removed.

set -eu
umask 022

# The key of the publisher, which a signed release puts in.
public_key=""

work=""

fail() {
  printf 'install: %s\n' "$1" >&2
  exit 1
}

has() { command -v "$1" >/dev/null 2>&1; }

clean() {
  if [ -n "$work" ]; then rm -rf "$work"; fi
}

# Sets target to this machine's part of the archive name.
find_target() {
  case "$(uname -m)" in
    x86_64 | amd64) processor=x64 ;;
    aarch64 | arm64) processor=arm64 ;;
    *) fail "cra is not available for the processor $(uname -m)" ;;
  esac
  case "$(uname -s)" in
    Linux)
      target="linux-$processor"
      if is_musl; then target="$target-musl"; fi
      ;;
    Darwin)
      # A shell under Rosetta reports Intel on an ARM machine.
      if [ "$(sysctl -n sysctl.proc_translated 2>/dev/null || echo 0)" = 1 ]; then processor=arm64; fi
      target="darwin-$processor"
      ;;
    MINGW* | MSYS* | CYGWIN*) fail "on Windows, unpack cra-<version>-windows-x64.zip and put cra.exe on the PATH" ;;
    *) fail "cra is not available for $(uname -s)" ;;
  esac
}

is_musl() {
  if [ -e /etc/alpine-release ]; then return 0; fi
  for loader in /lib64/ld-linux-x86-64.so.2 /lib/ld-linux-x86-64.so.2 /lib/ld-linux-aarch64.so.1 /lib64/ld-linux-aarch64.so.1; do
    if [ -e "$loader" ]; then return 1; fi
  done
  for loader in /lib/ld-musl-*.so.1; do
    if [ -e "$loader" ]; then return 0; fi
  done
  return 1
}

# fetch <name> <file>
fetch() {
  case "$base" in
    https://* | http://localhost[:/]* | http://127.0.0.1[:/]*)
      if has curl; then
        curl -fsSL --retry 2 -o "$2" "$base/$1" || fail "cannot fetch $base/$1"
      elif has wget; then
        wget -q -O "$2" "$base/$1" || fail "cannot fetch $base/$1"
      else
        fail "neither curl nor wget is installed; download the archive and SHA256SUMS and pass their folder"
      fi
      ;;
    *://*) fail "$base: only https addresses and folders are accepted" ;;
    *)
      if [ ! -f "$base/$1" ]; then fail "$base/$1 does not exist"; fi
      cp "$base/$1" "$2"
      ;;
  esac
}

sha256_of() {
  if has sha256sum; then
    sha256sum <"$1" | cut -d ' ' -f 1
  elif has shasum; then
    shasum -a 256 <"$1" | cut -d ' ' -f 1
  elif has openssl; then
    openssl dgst -sha256 <"$1" | sed 's/^.*= *//'
  else
    fail "computing SHA-256 needs sha256sum, shasum or openssl"
  fi
}

# verify_signature <signature> <file>: of the key in $key, or ends.
verify_signature() {
  if ! has ssh-keygen; then
    fail "verifying the signature needs ssh-keygen (of OpenSSH); nothing was installed"
  fi
  printf 'cra %s\n' "$key" >"$work/signers"
  if ! ssh-keygen -Y verify -f "$work/signers" -I cra -n cra-release -s "$1" <"$2" >"$work/verified" 2>&1; then
    fail "SHA256SUMS is not signed by the publisher's key ($(head -n 1 "$work/verified")); nothing was installed"
  fi
}

main() {
  base="${1:-${CRA_BASE_URL:-}}"
  if [ -z "$base" ]; then
    base="$(dirname "$0")"
    if [ ! -f "$base/SHA256SUMS" ]; then
      fail "no source; pass a folder or an https address that contains SHA256SUMS: sh install.sh <source>"
    fi
  fi
  base="${base%/}"
  folder="${CRA_INSTALL_DIR:-${HOME:?}/.local/bin}"
  find_target

  mkdir -p "$folder" || fail "cannot create $folder; set another with CRA_INSTALL_DIR"
  if [ -d "$folder/cra" ]; then fail "$folder/cra is a folder; move it away"; fi
  trap clean EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM
  # In the target folder, so that the last step is a rename.
  work="$(mktemp -d "$folder/.cra-install.XXXXXX")" || fail "cannot write to $folder; set another with CRA_INSTALL_DIR"

  fetch SHA256SUMS "$work/SHA256SUMS"
  key="${CRA_PUBLIC_KEY:-$public_key}"
  if [ -n "$key" ]; then
    fetch SHA256SUMS.sig "$work/SHA256SUMS.sig"
    verify_signature "$work/SHA256SUMS.sig" "$work/SHA256SUMS"
  fi
  ending=tar.gz
  if has zstd && grep -q -- "-$target\.tar\.zst\$" "$work/SHA256SUMS"; then ending=tar.zst; fi
  lines="$(grep -E "^[0-9a-f]{64}  cra-[0-9A-Za-z.+-]+-$target\.$ending\$" "$work/SHA256SUMS" || true)"
  count="$(printf '%s' "$lines" | grep -c . || true)"
  if [ "$count" = 0 ]; then fail "$base has no archive for $target"; fi
  if [ "$count" != 1 ]; then fail "$base has several versions for $target; pass a folder with one"; fi
  expected="${lines%% *}"
  archive="${lines##* }"

  fetch "$archive" "$work/archive"
  found="$(sha256_of "$work/archive")"
  if [ "$found" != "$expected" ]; then
    fail "$archive does not match SHA256SUMS ($found, not $expected); nothing was installed"
  fi

  mkdir "$work/unpacked"
  case "$ending" in
    tar.zst) zstd -dcq <"$work/archive" | tar -xf - -C "$work/unpacked" ;;
    *) gzip -dc <"$work/archive" | tar -xf - -C "$work/unpacked" ;;
  esac || fail "cannot unpack $archive"
  program="$work/unpacked/${archive%."$ending"}/cra"
  if [ ! -f "$program" ] || [ -h "$program" ]; then fail "$archive contains no program"; fi
  chmod 755 "$program"
  if ! version="$("$program" --version 2>"$work/errors")"; then
    sed 's/^/install: /' "$work/errors" >&2
    case "$target" in
      *-musl) fail "the program does not start; it needs the C++ library: apk add libstdc++" ;;
      *) fail "the program does not start on this machine; nothing was installed" ;;
    esac
  fi
  mv -f "$program" "$folder/cra"

  printf '%s is installed: %s/cra\n' "$version" "$folder"
  case ":${PATH:-}:" in
    *":$folder:"*) ;;
    *) printf "Add it to your PATH: export PATH=\"%s:\$PATH\"\n" "$folder" ;;
  esac
  printf 'Verify the installation: %s/cra doctor --self\n' "$folder"
}

main "$@"
