# SPDX-License-Identifier: Apache-2.0
# Sourced by run and test: brings a Debian bookworm machine to where the program builds, and builds it. Does nothing
# twice: what is installed is left alone, and an unchanged list of requirements is not given to pip again.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
venv=$root/.venv
build=${REMAT_BUILD_DIR:-$root/build}

say() { printf '\033[1m%s\033[0m\n' "$*" >&2; }

stop() {
    printf '%s\n' "$*" >&2
    exit 2
}

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

# install_packages LIST: apt packages named in a file, one a line, that are not there yet.
install_packages() {
    local missing=() package
    while read -r package; do
        case $package in '' | '#'*) continue ;; esac
        dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -q '^installed' || missing+=("$package")
    done <"$1"
    [ ${#missing[@]} = 0 ] && return 0
    command -v apt-get >/dev/null || stop "These packages are missing and there is no apt-get to install them: ${missing[*]}"
    if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
        stop "These packages are missing: ${missing[*]}. Install them as root, or run this as root."
    fi
    say "Installing ${#missing[@]} Debian packages"
    installed=1
    as_root apt-get update -qq
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "${missing[@]}" >/dev/null
}

# install_python LIST: Python packages of a requirements file, into .venv.
install_python() {
    local stamp
    stamp=$venv/.remat-$(basename "$1").$(sha256sum <"$1" | cut -c1-16)
    [ -e "$stamp" ] && return 0
    if [ ! -x "$venv/bin/python" ]; then
        say "Making .venv; LibTorch and what it needs are a download of about 3 GB"
        python3 -m venv "$venv"
    fi
    say "Installing $(basename "$1") into .venv"
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check -r "$1"
    installed=1
    touch "$stamp"
}

# How the build folder is configured when there is none yet.
configuration=(-DCMAKE_BUILD_TYPE=Release -DREMAT_UNITY=24)

# build_all TARGET…: configures where that was not done yet, looks again for what was missing when something was installed
# since, and builds. No target means everything.
build_all() {
    local targets=()
    [ $# = 0 ] || targets=(--target "$@")
    if [ ! -e "$build/build.ninja" ]; then
        say "Configuring"
        cmake "${configuration[@]}" -S "$root" -B "$build" -G Ninja
    elif [ -n "${installed:-}" ]; then
        say "Configuring again"
        cmake "$build"
    fi
    say "Building"
    cmake --build "$build" --parallel "$(nproc)" "${targets[@]}"
}
