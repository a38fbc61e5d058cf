# SPDX-License-Identifier: Apache-2.0
# Sourced by check-deb and check-tarball: a bare Debian to try a package in, and how to say what is true of it.
. "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

[ "$(id -u)" = 0 ] || stop "A chroot is root's: call this as root."
build=${REMAT_BUILD_DIR:-$root/build-release}
install_packages "$root/packaging/apt-check.txt"
jail=$(mktemp -d "${TMPDIR:-/tmp}/remat-check.XXXXXX")
lists=$(mktemp -d)
display=
# A question to remat-layout.
layout='{"id": 1, "nodes": [{"id": "a", "width": 9, "height": 9}, {"id": "b", "width": 9, "height": 9}], "edges": [["a", "b"]]}'

clean_up() {
    local mounted
    for mounted in opt/python tmp/.X11-unix proc; do
        ! mountpoint -q "$jail/$mounted" || umount "$jail/$mounted"
    done
    [ -z "$display" ] || kill "$display" 2>/dev/null || true
    rm -rf --one-file-system "$jail" "$lists"
}
trap clean_up EXIT

# make_jail: fills $jail, and brings its lists of packages up to date.
make_jail() {
    if [ -n "${REMAT_CHROOT_BASE:-}" ]; then
        cp -a "$REMAT_CHROOT_BASE/." "$jail"
    else
        debootstrap --variant=minbase "${REMAT_CHROOT_SUITE:-bookworm}" "$jail" >/dev/null
    fi
    mount -t proc proc "$jail/proc"
    printf '#!/bin/sh\nexit 101\n' >"$jail/usr/sbin/policy-rc.d" # no service starts
    chmod +x "$jail/usr/sbin/policy-rc.d"
    mkdir -p "$jail/tmp/home" "$jail/tmp/.X11-unix"
    inside apt-get update -qq
}

# inside COMMAND...: in the jail, with nothing of this machine's environment.
inside() { chroot "$jail" /usr/bin/env -i PATH=/usr/bin:/bin:/usr/sbin:/sbin HOME=/tmp/home LC_ALL=C.UTF-8 "$@"; }

# open_display: an X server of this machine, DISPLAY=:97 in the jail.
open_display() {
    Xvfb :97 -screen 0 1600x1000x24 -nolisten tcp >/dev/null 2>&1 &
    display=$!
    for _ in $(seq 100); do [ -S /tmp/.X11-unix/X97 ] && break || sleep 0.1; done
    mount --bind /tmp/.X11-unix "$jail/tmp/.X11-unix"
}

# check WHAT COMMAND...: says what is true, or stops with what the command said.
check() {
    local what=$1 said
    shift
    if said=$("$@" 2>&1); then
        printf '  ok  %s\n' "$what"
    else
        printf '%s\n' "$said" >&2
        stop "Not so: $what ($*)"
    fi
}

# says WORD COMMAND...: the command succeeds and its output has the word.
says() {
    local word=$1
    shift
    "$@" | grep -F -- "$word"
}
