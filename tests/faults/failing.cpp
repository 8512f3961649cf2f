// SPDX-License-Identifier: MIT
#include "failing.hpp"
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <atomic>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace failing {
namespace {

struct Wanted {
  Calls calls = Calls::none;
  How how = How::eio;
  std::uint64_t at = 0;
  char folder[PATH_MAX] = {};
  std::atomic<std::uint64_t>* count = nullptr;
};

Wanted wanted;
std::atomic<bool> in_main{false};

constexpr struct {
  const char* name;
  Calls calls;
} kCalls[] = {{"allocate", Calls::allocate}, {"read", Calls::read},
              {"write", Calls::write},       {"gpu-allocate", Calls::gpu_allocate},
              {"gpu-copy", Calls::gpu_copy}, {"gpu-launch", Calls::gpu_launch},
              {"gpu-wait", Calls::gpu_wait}};
constexpr struct {
  const char* name;
  How how;
} kHow[] = {{"EIO", How::eio},    {"ENOSPC", How::enospc}, {"EINTR", How::eintr},
            {"short", How::half}, {"memory", How::memory}, {"lost", How::lost}};

bool is(const char* variable, const char* value) {
  const char* const set = std::getenv(variable);
  return set && std::strcmp(set, value) == 0;
}

void look_at_environment() {
  for (const auto& [name, calls] : kCalls)
    if (is("FAIL_CALLS", name)) wanted.calls = calls;
  for (const auto& [name, how] : kHow)
    if (is("FAIL_HOW", name)) wanted.how = how;
  if (const char* at = std::getenv("FAIL_AT")) wanted.at = std::strtoull(at, nullptr, 10);
  if (const char* folder = std::getenv("FAIL_FOLDER"))
    std::snprintf(wanted.folder, sizeof wanted.folder, "%s/", folder);
  if (const char* name = std::getenv("FAIL_COUNT")) {
    const int file = ::open(name, O_RDWR);
    void* const there = ::mmap(nullptr, 8, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (there != MAP_FAILED) wanted.count = static_cast<std::atomic<std::uint64_t>*>(there);
    ::close(file);
  }
}

/// Whether the file lies below the folder that is watched.
bool is_watched(int file) {
  char link[32], path[PATH_MAX];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t length = ::readlink(link, path, sizeof path - 1);
  if (length < 0) return false;
  path[length] = 0;
  return std::strncmp(path, wanted.folder, std::strlen(wanted.folder)) == 0;
}

int (*real_main)(int, char**, char**);

int counted_main(int argc, char** argv, char** environment) {
  in_main = true;
  const int code = real_main(argc, argv, environment);
  in_main = false;
  return code;
}

}  // namespace

How how() {
  return wanted.how;
}

bool fails(Calls calls) {
  if (calls != wanted.calls || !in_main || !wanted.count) return false;
  return wanted.count->fetch_add(1) + 1 == wanted.at;
}

bool fails(Calls calls, int file) {
  return calls == wanted.calls && in_main && is_watched(file) && fails(calls);
}

bool has_failed() {
  return wanted.at > 0 && wanted.count && *wanted.count >= wanted.at;
}

}  // namespace failing

extern "C" int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv,
                                 void (*init)(), void (*fini)(), void (*end_loader)(),
                                 void* stack) {
  failing::look_at_environment();
  failing::real_main = main;
  using Start =
      int (*)(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(), void (*)(), void*);
  const auto real = reinterpret_cast<Start>(dlsym(RTLD_NEXT, "__libc_start_main"));
  return real(failing::counted_main, argc, argv, init, fini, end_loader, stack);
}
