# The system packages that building, running and testing need. Sourced after common.sh.
# shellcheck shell=bash disable=SC2034

# g++ brings the C library and the linker that the Swift toolchain links with; libncurses, libsqlite3 and libxml2 are what the toolchain
# itself needs on a bare machine; libcurl is what FoundationNetworking stands on.
packages_to_build=(ca-certificates curl g++ git pkg-config libncurses6 libsqlite3-0 libxml2
  libzmq3-dev libpq-dev libsodium-dev zlib1g-dev libcurl4-openssl-dev libfido2-dev libcbor-dev)
packages_to_run=(postgresql postgresql-contrib postgresql-client tzdata libvips-tools libarchive-tools librsvg2-2 osmium-tool python3 python3-shapely python3-pip python3-venv util-linux)
# aiosmtpd is the mail server that the mail channel is tested against; openssl makes its certificate.
packages_to_test=(chromium chromium-headless-shell fonts-noto-core fonts-noto-color-emoji binutils shellcheck python3-aiosmtpd openssl)

missing_packages() {
  local package
  for package in "$@"; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || printf '%s\n' "$package"
  done
}

# Debian starts a cluster of the machine's own with the PostgreSQL package; ours is private, so that one is not wanted. The
# machine's choice for later installations stays what it was.
without_system_cluster() {
  local choice=/etc/postgresql-common/createcluster.d/zz-kampong.conf
  have pg_createcluster || [ -e /etc/postgresql-common/createcluster.conf ] || {
    as_root install -d /etc/postgresql-common/createcluster.d
    printf 'create_main_cluster = false\n' | as_root tee "$choice" >/dev/null
  }
  local status=0
  "$@" || status=$?
  as_root rm -f "$choice"
  return "$status"
}

apt_install() {
  local options=(-o DPkg::Lock::Timeout=200 -o Dpkg::Use-Pty=0 -o Acquire::Retries=5)
  as_root env DEBIAN_FRONTEND=noninteractive apt-get "${options[@]}" update -qq >&2 &&
    as_root env DEBIAN_FRONTEND=noninteractive apt-get "${options[@]}" install -y -qq --no-install-recommends "$@" >/dev/null
}

need_packages() {
  have dpkg-query || fail "this machine has no Debian packages; install the equivalents of: $*."
  local missing
  mapfile -t missing < <(missing_packages "$@")
  [ "${#missing[@]}" -gt 0 ] || return 0
  is_root || have sudo || fail "these packages are missing, and only root can install them: apt-get install ${missing[*]}"
  step "Installing packages: ${missing[*]}"
  # Once more where the first try failed: a mirror that is being renewed answers with lists that do not fit each other.
  without_system_cluster apt_install "${missing[@]}" || { sleep 20 && without_system_cluster apt_install "${missing[@]}"; } ||
    fail "the packages could not be installed; try it by hand: apt-get install ${missing[*]}"
}

need_swift() {
  local version
  have swift || fail "there is no Swift toolchain on the PATH; install Swift 6.2 or newer from swift.org and try again."
  version=$(swift --version 2>&1 | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1) || true
  dpkg --compare-versions "${version:-0}" ge 6.2 ||
    fail "Swift ${version:-of an unknown version} is too old; install Swift 6.2 or newer from swift.org and try again."
}

# Kannel, the SMS gateway that texts are tested against: unpacked and not installed, since that would start a gateway of this machine's own.
# Prints the folder of its programs.
unpacked_kannel() {
  local folder=$cache/kannel libraries
  if [ ! -x "$folder/usr/sbin/bearerbox" ]; then
    mapfile -t libraries < <(apt-cache depends kannel | sed -n 's/^  Depends: \(lib[^ ]*\)$/\1/p')
    need_packages "${libraries[@]}"
    rm -rf "$folder" && mkdir -p "$folder/package"
    (cd "$folder/package" && apt-get download -qq kannel >&2 2>/dev/null) || fail "the package kannel could not be downloaded."
    dpkg -x "$folder"/package/kannel_*.deb "$folder"
  fi
  printf '%s' "$folder/usr/sbin"
}

# prosody, the chat server that ours is measured beside: unpacked and not installed, since that would start one that listens everywhere. Prints the
# folder that it is in.
unpacked_prosody() {
  local folder=$cache/prosody
  need_packages lua5.4 lua5.4-expat lua5.4-filesystem lua5.4-bitop lua5.4-sec lua5.4-socket lua-dbi-postgresql
  if [ ! -x "$folder/usr/bin/prosody" ]; then
    rm -rf "$folder" && mkdir -p "$folder/package"
    (cd "$folder/package" && apt-get download -qq prosody >&2 2>/dev/null) || fail "the package prosody could not be downloaded."
    dpkg -x "$folder"/package/prosody_*.deb "$folder"
  fi
  printf '%s' "$folder"
}
