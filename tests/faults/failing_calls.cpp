// SPDX-License-Identifier: MIT
// tests/faults/failing_calls.cpp — preloaded into a program: one call to the system fails.
//
// FAIL_CALLS=allocate|read|write  which calls are counted, once main has begun; reads and writes of
//                                 files below FAIL_FOLDER only
// FAIL_AT=N                       the N-th of them fails (0: none)
// FAIL_HOW=ENOSPC|EIO|EINTR|short with this error, or does half of what was asked for
// FAIL_COUNT=FILE                 of 8 bytes, which hold how many there were
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
}

namespace {

enum class Calls { none, allocate, read, write };
constexpr int kShort = -1;

struct Wanted {
  Calls calls = Calls::none;
  std::uint64_t at = 0;
  int error = 0;
  char folder[PATH_MAX] = {};
  std::atomic<std::uint64_t>* count = nullptr;
};

Wanted wanted;
std::atomic<bool> in_main{false};

bool is(const char* variable, const char* value) {
  const char* const set = std::getenv(variable);
  return set && std::strcmp(set, value) == 0;
}

void look_at_environment() {
  if (is("FAIL_CALLS", "allocate")) wanted.calls = Calls::allocate;
  if (is("FAIL_CALLS", "read")) wanted.calls = Calls::read;
  if (is("FAIL_CALLS", "write")) wanted.calls = Calls::write;
  if (const char* at = std::getenv("FAIL_AT")) wanted.at = std::strtoull(at, nullptr, 10);
  wanted.error = is("FAIL_HOW", "ENOSPC")  ? ENOSPC
                 : is("FAIL_HOW", "EINTR") ? EINTR
                 : is("FAIL_HOW", "short") ? kShort
                                           : EIO;
  if (const char* folder = std::getenv("FAIL_FOLDER"))
    std::snprintf(wanted.folder, sizeof wanted.folder, "%s/", folder);
  if (const char* name = std::getenv("FAIL_COUNT")) {
    const int file = ::open(name, O_RDWR);
    void* const there = mmap(nullptr, 8, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (there != MAP_FAILED) wanted.count = static_cast<std::atomic<std::uint64_t>*>(there);
    ::close(file);
  }
}

/// Counts a call, and says whether it is the one that fails.
bool fails(Calls calls) {
  if (calls != wanted.calls || !in_main || !wanted.count) return false;
  return wanted.count->fetch_add(1) + 1 == wanted.at;
}

bool is_below_folder(const char* path) {
  return std::strncmp(path, wanted.folder, std::strlen(wanted.folder)) == 0;
}

bool is_watched(int file) {
  char link[32], path[PATH_MAX];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t length = ::readlink(link, path, sizeof path - 1);
  if (length < 0) return false;
  path[length] = 0;
  return is_below_folder(path);
}

bool fails(Calls calls, int file) {
  return calls == wanted.calls && in_main && is_watched(file) && fails(calls);
}

/// A call that moves `bytes`, and that fails, or moves the first half.
template <class Call>
ssize_t moved(Calls calls, int file, std::size_t bytes, Call&& call) {
  if (!fails(calls, file)) return call(bytes);
  if (wanted.error == kShort) return call(std::max<std::size_t>(1, bytes / 2));
  errno = wanted.error;
  return -1;
}

/// A call that moves nothing: there is no half of it.
template <class Call>
int done(bool is_watched_here, Call&& call) {
  if (wanted.error == kShort || !is_watched_here || !fails(Calls::write)) return call();
  errno = wanted.error;
  return -1;
}

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

/// As `name` would do it; found once.
#define NEXT(name) static const auto real = next<decltype(&::name)>(#name)

bool allocation_fails() {
  if (!fails(Calls::allocate)) return false;
  errno = ENOMEM;
  return true;
}

int (*real_main)(int, char**, char**);

int counted_main(int argc, char** argv, char** environment) {
  in_main = true;
  const int code = real_main(argc, argv, environment);
  in_main = false;
  return code;
}

}  // namespace

extern "C" {

int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(),
                      void (*fini)(), void (*end_loader)(), void* stack) {
  look_at_environment();
  real_main = main;
  using Start =
      int (*)(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(), void (*)(), void*);
  return next<Start>("__libc_start_main")(counted_main, argc, argv, init, fini, end_loader, stack);
}

void* malloc(std::size_t bytes) {
  return allocation_fails() ? nullptr : __libc_malloc(bytes);
}
void* calloc(std::size_t count, std::size_t bytes) {
  return allocation_fails() ? nullptr : __libc_calloc(count, bytes);
}
void* realloc(void* memory, std::size_t bytes) {
  return allocation_fails() ? nullptr : __libc_realloc(memory, bytes);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return allocation_fails() ? nullptr : __libc_memalign(alignment, bytes);
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) {
  if (allocation_fails()) return ENOMEM;
  *memory = __libc_memalign(alignment, bytes);
  return *memory ? 0 : ENOMEM;
}

void* mmap(void* address, std::size_t bytes, int protection, int flags, int file, off_t offset) {
  NEXT(mmap);
  if ((flags & MAP_ANONYMOUS) != 0 && allocation_fails()) return MAP_FAILED;
  return real(address, bytes, protection, flags, file, offset);
}

ssize_t read(int file, void* to, std::size_t bytes) {
  NEXT(read);
  return moved(Calls::read, file, bytes, [&](std::size_t n) { return real(file, to, n); });
}
ssize_t pread(int file, void* to, std::size_t bytes, off_t at) {
  NEXT(pread);
  return moved(Calls::read, file, bytes, [&](std::size_t n) { return real(file, to, n, at); });
}
ssize_t pread64(int file, void* to, std::size_t bytes, off64_t at) {
  NEXT(pread64);
  return moved(Calls::read, file, bytes, [&](std::size_t n) { return real(file, to, n, at); });
}

ssize_t write(int file, const void* from, std::size_t bytes) {
  NEXT(write);
  return moved(Calls::write, file, bytes, [&](std::size_t n) { return real(file, from, n); });
}
ssize_t pwrite(int file, const void* from, std::size_t bytes, off_t at) {
  NEXT(pwrite);
  return moved(Calls::write, file, bytes, [&](std::size_t n) { return real(file, from, n, at); });
}
ssize_t pwrite64(int file, const void* from, std::size_t bytes, off64_t at) {
  NEXT(pwrite64);
  return moved(Calls::write, file, bytes, [&](std::size_t n) { return real(file, from, n, at); });
}
ssize_t writev(int file, const iovec* parts, int count) {
  NEXT(writev);
  const auto first = [&](std::size_t n) { return n == 1 && count > 1 ? 1 : count; };
  return moved(Calls::write, file, static_cast<std::size_t>(count),
               [&](std::size_t n) { return real(file, parts, first(n)); });
}

int fsync(int file) {
  NEXT(fsync);
  return done(is_watched(file), [&] { return real(file); });
}
int fdatasync(int file) {
  NEXT(fdatasync);
  return done(is_watched(file), [&] { return real(file); });
}
int ftruncate(int file, off_t size) {
  NEXT(ftruncate);
  return done(is_watched(file), [&] { return real(file, size); });
}
int ftruncate64(int file, off64_t size) {
  NEXT(ftruncate64);
  return done(is_watched(file), [&] { return real(file, size); });
}
int fallocate(int file, int mode, off_t from, off_t size) {
  NEXT(fallocate);
  return done(is_watched(file), [&] { return real(file, mode, from, size); });
}
int rename(const char* from, const char* to) {
  NEXT(rename);
  return done(true, [&] { return real(from, to); });
}
int renameat2(int from_folder, const char* from, int to_folder, const char* to,
              unsigned int flags) {
  NEXT(renameat2);
  return done(true, [&] { return real(from_folder, from, to_folder, to, flags); });
}
int syncfs(int file) {
  NEXT(syncfs);
  return done(is_watched(file), [&] { return real(file); });
}
int mkdir(const char* path, mode_t mode) {
  NEXT(mkdir);
  return done(true, [&] { return real(path, mode); });
}
}  // extern "C"
