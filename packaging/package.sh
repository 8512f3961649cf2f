# SPDX-License-Identifier: MIT
# packaging/package.sh — what `./dev package` does; dev reads this file.

# Prints the libraries that programs load, one per line. Those of the system's C library and loader
# are left out: every machine has its own, and they must not be mixed.
libraries_of() {  # programs
  ldd "$@" | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | sort -u |
    grep -Ev '/(ld-linux[^/]*|lib(c|m|dl|rt|pthread|resolv|util|mvec|cufft))\.so(\.[0-9]+)*$'
}

package() {  # folder, --arch LIST
  local into=${1:?name the folder that the tarball goes into} for_users=no arches=() purpose
  if [ $# -gt 1 ]; then
    if [ "$2" != --arch ] || ! [[ ${3:-} =~ ^[0-9]+(,[0-9]+)*$ ]] || [ $# -gt 3 ]; then
      echo "Package with ${*:2}: give the folder alone, or --arch and compute capabilities," \
        "such as --arch 80,90." >&2
      exit 2
    fi
    for_users=yes
    IFS=, read -r -a arches <<<"$3"
  fi
  local components=(program) programs component name stage library
  name=synthoscope-$(uname -m)
  purpose=(-DSYNTHOSCOPE_MPI=OFF -DCMAKE_INSTALL_LIBDIR=lib)
  if [ "$for_users" = yes ]; then
    need "$build_packages"
    configure -DSYNTHOSCOPE_TESTS=OFF -DSYNTHOSCOPE_BENCH=OFF "${purpose[@]}"
    if ! has_cuda; then
      echo "Compile for GPUs: no CUDA 12.8 or later was found (see $build.log); install it." >&2
      exit 3
    fi
    name+=$(printf -- '-sm_%s' "${arches[@]}")
    build_targets synthoscope synthoscope_device_code
  else
    need "$build_packages" "$fftw_packages" "$test_packages" "$bench_packages"
    configure -DSYNTHOSCOPE_TESTS=ON -DSYNTHOSCOPE_BENCH=ON "${purpose[@]}" \
      "-DPython3_EXECUTABLE=$(checks_python)"
    if has_cuda; then components+=(gpu_tests compiler); fi
    build_targets package_programs
  fi
  stage=$build/package/$name
  rm -rf "$build/package"
  for component in "${components[@]}"; do
    cmake --install "$build" --prefix "$stage" --component "$component" --strip >/dev/null
  done
  mkdir -p "$stage/lib" "$into"
  mapfile -t programs < <(find "$stage/bin" -type f ! -name '*.py')
  libraries_of "${programs[@]}" | while read -r library; do
    cp -L "$library" "$stage/lib/"
    strip --strip-unneeded "$stage/lib/${library##*/}" 2>/dev/null || true
  done
  if [ "$for_users" = yes ]; then
    "$build/packaging/synthoscope_device_code" "$stage/share/synthoscope/kernels" "${arches[@]}"
  fi
  tar -C "$build/package" -czf "$into/$name.tar.gz" "$name"
  ls -sh "$into/$name.tar.gz"
}

has_cuda() { grep -q -- '-- synthoscope: CUDA ON' "$build.log"; }
