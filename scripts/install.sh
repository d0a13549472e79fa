#!/bin/sh
# Installs cra from a folder or an address that holds its archives and SHA256SUMS.
#
#   sh install.sh                         from the folder that this script lies in
#   sh install.sh <folder or https://…>   from there (or CRA_BASE_URL=…)
#   CRA_INSTALL_DIR=/usr/local/bin sh install.sh …
#
# Takes the archive for this machine, refuses it when its checksum is not the one in SHA256SUMS, tries the program, and
# puts it into ~/.local/bin (or CRA_INSTALL_DIR) by one rename: what was there before is there until the new one works.
# Needs no network for a folder. All that it makes besides lies in one temporary folder, which it removes.

set -eu
umask 022

work=""

fail() {
  printf 'install: %s\n' "$1" >&2
  exit 1
}

has() { command -v "$1" >/dev/null 2>&1; }

clean() {
  if [ -n "$work" ]; then rm -rf "$work"; fi
}

# The name of the archive for this machine, as SHA256SUMS has it.
find_target() {
  case "$(uname -m)" in
    x86_64 | amd64) processor=x64 ;;
    aarch64 | arm64) processor=arm64 ;;
    *) fail "there is no cra for the processor $(uname -m)" ;;
  esac
  case "$(uname -s)" in
    Linux)
      target="linux-$processor"
      if [ "$processor" = x64 ] && [ -r /proc/cpuinfo ] && ! grep -q -w avx2 /proc/cpuinfo; then
        fail "this processor lacks AVX2, which cra needs"
      fi
      if is_musl; then target="$target-musl"; fi
      ;;
    Darwin)
      # A shell that is translated for Intel tells Intel on a machine that is none.
      if [ "$(sysctl -n sysctl.proc_translated 2>/dev/null || echo 0)" = 1 ]; then processor=arm64; fi
      target="darwin-$processor"
      ;;
    MINGW* | MSYS* | CYGWIN*) fail "on Windows, unpack cra-<version>-windows-x64.zip and put cra.exe on the PATH" ;;
    *) fail "there is no cra for $(uname -s)" ;;
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
        fail "neither curl nor wget is there; fetch the archive by hand and give its folder"
      fi
      ;;
    *://*) fail "$base: only https addresses and folders are taken" ;;
    *)
      if [ ! -f "$base/$1" ]; then fail "$base/$1 is not there"; fi
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
    fail "nothing here can count a SHA-256 (sha256sum, shasum or openssl)"
  fi
}

main() {
  base="${1:-${CRA_BASE_URL:-}}"
  if [ -z "$base" ]; then
    base="$(dirname "$0")"
    if [ ! -f "$base/SHA256SUMS" ]; then
      fail "from where? give a folder or an https address that holds SHA256SUMS: sh install.sh <there>"
    fi
  fi
  base="${base%/}"
  folder="${CRA_INSTALL_DIR:-${HOME:?}/.local/bin}"
  find_target

  mkdir -p "$folder" || fail "cannot make $folder; name another with CRA_INSTALL_DIR"
  if [ -d "$folder/cra" ]; then fail "$folder/cra is a folder; move it away"; fi
  trap clean EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM
  # In the same folder, so that the last step is a rename.
  work="$(mktemp -d "$folder/.cra-install.XXXXXX")" || fail "cannot write to $folder; name another with CRA_INSTALL_DIR"

  fetch SHA256SUMS "$work/SHA256SUMS"
  ending=tar.gz
  if has zstd && grep -q -- "-$target\.tar\.zst\$" "$work/SHA256SUMS"; then ending=tar.zst; fi
  lines="$(grep -E "^[0-9a-f]{64}  cra-[0-9A-Za-z.+-]+-$target\.$ending\$" "$work/SHA256SUMS" || true)"
  count="$(printf '%s' "$lines" | grep -c . || true)"
  if [ "$count" = 0 ]; then fail "$base has no archive for $target"; fi
  if [ "$count" != 1 ]; then fail "$base has several versions for $target; give a folder with one"; fi
  expected="${lines%% *}"
  archive="${lines##* }"

  fetch "$archive" "$work/archive"
  found="$(sha256_of "$work/archive")"
  if [ "$found" != "$expected" ]; then
    fail "$archive is not what SHA256SUMS says ($found, not $expected); nothing was installed"
  fi

  mkdir "$work/unpacked"
  case "$ending" in
    tar.zst) zstd -dcq <"$work/archive" | tar -xf - -C "$work/unpacked" ;;
    *) gzip -dc <"$work/archive" | tar -xf - -C "$work/unpacked" ;;
  esac || fail "$archive cannot be unpacked"
  program="$work/unpacked/${archive%."$ending"}/cra"
  if [ ! -f "$program" ] || [ -h "$program" ]; then fail "$archive holds no program"; fi
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
  printf 'Prove that it works here: %s/cra doctor --self\n' "$folder"
}

main "$@"
