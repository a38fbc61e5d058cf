# SPDX-License-Identifier: Apache-2.0
# Sourced by deb, tarball, wheel and reproduce: builds what is packaged. The same commit is to give the same bytes,
# wherever and whenever it is built on the same Debian: no path, time or order of the machine shall get in (see reproduce).
. "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

build=${REMAT_BUILD_DIR:-$root/build-release}
version=$(sed -n 's/^project(remat-studio VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
architecture=$(dpkg --print-architecture)
commit=$(git -C "$root" rev-parse HEAD 2>/dev/null) || stop "Packages are made from a commit, and $root is no git repository."
SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct)
QT_RCC_SOURCE_DATE_OVERRIDE=1 # a build folder keeps what it made of an older commit
export SOURCE_DATE_EPOCH QT_RCC_SOURCE_DATE_OVERRIDE
export LC_ALL=C.UTF-8 TZ=UTC
umask 022

# build_release [-DNAME=VALUE…]: configures and builds programs, manual pages, completions, licences and the list of parts.
build_release() {
    local flags="-ffile-prefix-map=$root=. -ffile-prefix-map=$build=build -fstack-protector-strong -D_FORTIFY_SOURCE=2"
    local link="-Wl,-z,relro,-z,now -Wl,--as-needed"
    install_packages "$root/packaging/apt-run.txt"
    install_packages "$root/packaging/apt-package.txt"
    [ -n "${REMAT_TORCH_DIR:-}" ] || install_python "$root/packaging/requirements-run.txt"
    say "Building version $version, commit ${commit:0:10}"
    cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DREMAT_UNITY=24 -DREMAT_TESTS=OFF \
        -DREMAT_WERROR=OFF -DCMAKE_INSTALL_PREFIX=/usr \
        -DREMAT_TORCH_DIR="${REMAT_TORCH_DIR:-}" \
        -DCMAKE_CXX_FLAGS="$flags" -DCMAKE_EXE_LINKER_FLAGS="$link" -DCMAKE_MODULE_LINKER_FLAGS="$link" "$@" >/dev/null
    cmake --build "$build" --parallel "$(nproc)"
    cmake --build "$build" --target package_files
    [ -e "$build/lib/libremat_torch.so" ] || stop "LibTorch was not found, and packages come with the module that uses it."
}
