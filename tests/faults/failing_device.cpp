// SPDX-License-Identifier: MIT
// tests/faults/failing_device.cpp — calls to CUDA's driver that may fail (failing.hpp). CUDA's
// runtime is linked into the program and finds the driver's functions by name: it finds these.
#include <dlfcn.h>
#include <array>
#include <cstdint>
#include <cstring>
#include <utility>
#include "failing.hpp"

using failing::Calls;

namespace {

using Result = int;  // CUresult
constexpr Result kOutOfMemory = 2, kLaunchFailed = 719;

constexpr struct {
  const char* name;
  Calls calls;
} kFunctions[] = {
    {"cuMemAlloc", Calls::gpu_allocate},
    {"cuMemAllocAsync", Calls::gpu_allocate},
    {"cuMemAllocFromPoolAsync", Calls::gpu_allocate},
    {"cuMemHostAlloc", Calls::gpu_allocate},
    {"cuArray3DCreate", Calls::gpu_allocate},
    {"cuMemcpyAsync", Calls::gpu_copy},
    {"cuMemcpyHtoDAsync", Calls::gpu_copy},
    {"cuMemcpyDtoHAsync", Calls::gpu_copy},
    {"cuMemcpyDtoDAsync", Calls::gpu_copy},
    {"cuMemcpy2DAsync", Calls::gpu_copy},
    {"cuMemcpy3DAsync", Calls::gpu_copy},
    {"cuMemcpyPeerAsync", Calls::gpu_copy},
    {"cuMemsetD8Async", Calls::gpu_copy},
    {"cuLaunchKernel", Calls::gpu_launch},
    {"cuLaunchKernelEx", Calls::gpu_launch},
    {"cuStreamSynchronize", Calls::gpu_wait},
    {"cuEventSynchronize", Calls::gpu_wait},
    {"cuEventQuery", Calls::gpu_wait},
};
constexpr std::size_t kCount = std::size(kFunctions);

// Every argument of these is an integer or a pointer, of eleven at most: they are handed on as they
// came, and what is no argument is handed on to nobody.
using Word = std::uintptr_t;
using Function = Result (*)(Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word);
std::array<Function, kCount> real_functions{};

/// A device that is lost stays so; one without memory may have some again.
bool is_lost() {
  return failing::how() == failing::How::lost && failing::has_failed();
}

template <std::size_t kIndex>
Result watched(Word a, Word b, Word c, Word d, Word e, Word f, Word g, Word h, Word i, Word j,
               Word k) {
  if (failing::fails(kFunctions[kIndex].calls) || is_lost())
    return failing::how() == failing::How::memory ? kOutOfMemory : kLaunchFailed;
  return real_functions[kIndex](a, b, c, d, e, f, g, h, i, j, k);
}

template <std::size_t... kIndices>
constexpr std::array<Function, kCount> all_watched(std::index_sequence<kIndices...>) {
  return {&watched<kIndices>...};
}
constexpr auto kWatched = all_watched(std::make_index_sequence<kCount>());

/// Puts ours in the place of one of the driver's functions that may fail.
void* watched_or(const char* name, void* real) {
  for (std::size_t i = 0; real && i < kCount; ++i)
    if (std::strcmp(name, kFunctions[i].name) == 0) {
      real_functions[i] = reinterpret_cast<Function>(real);
      return reinterpret_cast<void*>(kWatched[i]);
    }
  return real;
}

// cuGetProcAddress_v2, by which all others are found, and it itself once more
using GetProcAddress = Result (*)(const char*, void**, int, std::uint64_t, void*);
GetProcAddress real_get_proc_address = nullptr;
constexpr int kItsVersion = 12000;
constexpr std::uint64_t kStreamOfThread = 2;  // functions that the program does not use

Result get_proc_address(const char* name, void** found, int version, std::uint64_t flags,
                        void* result) {
  const Result status = real_get_proc_address(name, found, version, flags, result);
  if (status != 0 || !found || (flags & kStreamOfThread) != 0) return status;
  if (std::strcmp(name, "cuGetProcAddress") == 0 && version >= kItsVersion)
    *found = reinterpret_cast<void*>(&get_proc_address);
  else
    *found = watched_or(name, *found);
  return status;
}

using Dlsym = void* (*)(void*, const char*);

Dlsym real_dlsym() {
  static const auto real = [] {
    for (const char* version : {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17"})
      if (void* const found = dlvsym(RTLD_NEXT, "dlsym", version))
        return reinterpret_cast<Dlsym>(found);
    return Dlsym{nullptr};
  }();
  return real;
}

}  // namespace

extern "C" void* dlsym(void* library, const char* name) {
  void* const found = real_dlsym()(library, name);
  if (!found || std::strcmp(name, "cuGetProcAddress_v2") != 0) return found;
  real_get_proc_address = reinterpret_cast<GetProcAddress>(found);
  return reinterpret_cast<void*>(&get_proc_address);
}
