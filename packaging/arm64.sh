# SPDX-License-Identifier: MIT
# Sourced by ./dev: a build for ARM's 64-bit processors on another machine, tested under qemu.

readonly arm64_packages="
g++-aarch64-linux-gnu         aarch64-linux-gnu-g++  the compiler for ARM
mmdebstrap                    mmdebstrap  unpacks libraries of ARM into a folder
qemu-user-static              qemu-aarch64-static  runs programs of ARM"
# Where the unit tests of these pass, inner loops and their rounding are right
readonly arm64_tests=(core kernels fftconv)

# Unpacks the libraries of the build for ARM, from the release of this system.
arm64_system() {  # folder
  [ -f "$1/unpacked" ] && return
  local libraries
  libraries=$(printf '%s\n' "$build_packages" "$fftw_packages" |
    awk '$2 == "-l" {print $1}' | paste -sd,)
  rm -rf "$1"
  # shellcheck disable=SC1091
  mmdebstrap --quiet --variant=extract --architectures=arm64 \
    --include="$libraries,libgtest-dev,libc6-dev,libstdc++-12-dev" \
    "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$1" >&2
  # Links from the root lead out of the folder
  find "$1" -type l -lname '/*' | while read -r link; do
    ln -sfn "$(realpath -m --relative-to="$(dirname "$link")" "$1$(readlink "$link")")" "$link"
  done
  touch "$1/unpacked"
}

arm64() {  # folder of the package, or none
  need "$build_packages" "$test_packages" "$arm64_packages"
  export SYNTHOSCOPE_ARM64_SYSTEM=$PWD/build/arm64-system
  arm64_system "$SYNTHOSCOPE_ARM64_SYSTEM"
  local tests=ON library
  [ -z "${1:-}" ] || tests=OFF
  build=build/arm64
  configure -B "$build" --toolchain "$PWD/packaging/arm64/toolchain.cmake" \
    -DSYNTHOSCOPE_TESTS=$tests -DSYNTHOSCOPE_FFTW=$tests -DSYNTHOSCOPE_BENCH=OFF \
    -DSYNTHOSCOPE_MPI=OFF -DSYNTHOSCOPE_CUDA=OFF "-DPython3_EXECUTABLE=$(checks_python)"
  if [ $tests = ON ]; then
    cmake --build "$build" --parallel "$(nproc)" --target "${arm64_tests[@]/%/_test}"
    for library in "${arm64_tests[@]}"; do
      qemu-aarch64-static -L "$SYNTHOSCOPE_ARM64_SYSTEM" \
        "$build/tests/unit/$library/${library}_test" --gtest_brief=1
    done
  else
    cmake --build "$build" --parallel "$(nproc)"
    mkdir -p "$1"
    cpack --config "$build/CPackConfig.cmake" -G TGZ -B "$build/packed"
    cp "$build"/packed/synthoscope*.tar.gz "$1"
    ls "$1"
  fi
}
