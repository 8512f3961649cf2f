# Compiles for ARM's 64-bit processors on another machine, with the libraries of a folder that holds
# their system, and runs what was compiled under qemu. `./dev arm64` makes that folder.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)

set(SYNTHOSCOPE_ARM64_SYSTEM "$ENV{SYNTHOSCOPE_ARM64_SYSTEM}" CACHE PATH "Root of an ARM system")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES SYNTHOSCOPE_ARM64_SYSTEM)
set(CMAKE_SYSROOT "${SYNTHOSCOPE_ARM64_SYSTEM}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} "${SYNTHOSCOPE_ARM64_SYSTEM}")
set(arm64_usr "${SYNTHOSCOPE_ARM64_SYSTEM}/usr")
set(ENV{PKG_CONFIG_LIBDIR}
  "${arm64_usr}/lib/aarch64-linux-gnu/pkgconfig:${arm64_usr}/share/pkgconfig")

set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static -L "${SYNTHOSCOPE_ARM64_SYSTEM}")
set(CMAKE_GET_RUNTIME_DEPENDENCIES_TOOL objdump)
