// SPDX-License-Identifier: MIT
#include "failing.hpp"
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <atomic>
#include <climits>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace failing {
namespace {

struct Wanted {
  Calls calls = Calls::none;
  How how = How::eio;
  int signal = 0;  ///< of How::signal
  std::uint64_t at = 0;
  char folder[PATH_MAX] = {};
  const char* name = nullptr;  ///< a part of paths; null: any
  std::atomic<std::uint64_t>* count = nullptr;
};

Wanted wanted;
std::atomic<std::uint64_t> own_count{0};
std::atomic<bool> in_main{false};
pid_t process = 0;  ///< the one that began main

constexpr struct {
  const char* name;
  Calls calls;
} kCalls[] = {{"allocate", Calls::allocate},
              {"read", Calls::read},
              {"write", Calls::write},
              {"chunk-walk", Calls::chunk_walk},
              {"gpu-allocate", Calls::gpu_allocate},
              {"gpu-copy", Calls::gpu_copy},
              {"gpu-launch", Calls::gpu_launch},
              {"gpu-wait", Calls::gpu_wait}};
constexpr struct {
  const char* name;
  How how;
} kHow[] = {{"EIO", How::eio},    {"ENOSPC", How::enospc}, {"EINTR", How::eintr},
            {"short", How::half}, {"memory", How::memory}, {"lost", How::lost}};

constexpr struct {
  const char* name;
  int signal;
} kSignals[] = {{"SIGKILL", SIGKILL}, {"SIGSTOP", SIGSTOP}, {"SIGTERM", SIGTERM},
                {"SIGINT", SIGINT},   {"SIGHUP", SIGHUP},   {"SIGUSR1", SIGUSR1}};

bool is(const char* variable, const char* value) {
  const char* const set = std::getenv(variable);
  return set && std::strcmp(set, value) == 0;
}

void look_at_environment() {
  for (const auto& [name, calls] : kCalls)
    if (is("FAIL_CALLS", name)) wanted.calls = calls;
  for (const auto& [name, how] : kHow)
    if (is("FAIL_HOW", name)) wanted.how = how;
  for (const auto& [name, signal] : kSignals)
    if (is("FAIL_HOW", name)) {
      wanted.how = How::signal;
      wanted.signal = signal;
    }
  if (const char* at = std::getenv("FAIL_AT")) wanted.at = std::strtoull(at, nullptr, 10);
  if (const char* folder = std::getenv("FAIL_FOLDER"))
    std::snprintf(wanted.folder, sizeof wanted.folder, "%s/", folder);
  wanted.name = std::getenv("FAIL_NAME");
  wanted.count = &own_count;
  if (const char* name = std::getenv("FAIL_COUNT")) {
    const int file = ::open(name, O_RDWR);
    void* const there = ::mmap(nullptr, 8, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (there != MAP_FAILED) wanted.count = static_cast<std::atomic<std::uint64_t>*>(there);
    ::close(file);
  }
}

bool has_name(const char* path) {
  if (!wanted.name) return true;
  if (!path) return false;
  const std::size_t length = std::strlen(wanted.name), of_path = std::strlen(path);
  if (length == 0 || wanted.name[length - 1] != '$') return std::strstr(path, wanted.name);
  return of_path >= length - 1 &&
         std::strncmp(path + of_path - (length - 1), wanted.name, length - 1) == 0;
}

/// Whether the file lies below the folder that is watched, and its path holds the name.
bool is_watched(int file) {
  char link[32], path[PATH_MAX];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t length = ::readlink(link, path, sizeof path - 1);
  if (length < 0) return false;
  path[length] = 0;
  return std::strncmp(path, wanted.folder, std::strlen(wanted.folder)) == 0 && has_name(path);
}

int (*real_main)(int, char**, char**);

int counted_main(int argc, char** argv, char** environment) {
  process = ::getpid();
  in_main = true;
  const int code = real_main(argc, argv, environment);
  const bool may_meet_signal = wanted.how == How::signal && wanted.calls != Calls::chunk_walk;
  if (may_meet_signal && !wanted.name) fails(wanted.calls);
  in_main = false;
  return code;
}

}  // namespace

How how() {
  return wanted.how;
}

bool fails(Calls calls) {
  if (calls != wanted.calls || !in_main) return false;
  if (wanted.how == How::signal && ::getpid() != process) return false;
  if (wanted.count->fetch_add(1) + 1 != wanted.at) return false;
  if (wanted.how != How::signal) return true;
  ::raise(wanted.signal);  // to this thread: a SIGSTOP holds it here, and all others at once
  return false;
}

bool fails(Calls calls, int file) {
  return calls == wanted.calls && in_main && is_watched(file) && fails(calls);
}

bool fails(Calls calls, const char* path, const char* other_path) {
  return (has_name(path) || (other_path && has_name(other_path))) && fails(calls);
}

bool has_failed() {
  return wanted.at > 0 && *wanted.count >= wanted.at;
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
