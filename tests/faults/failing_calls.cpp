// SPDX-License-Identifier: MIT
// tests/faults/failing_calls.cpp — calls to the system that may fail (failing.hpp).
#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include "failing.hpp"

using failing::Calls;
using failing::fails;
using failing::How;

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
}

namespace {

int error() {
  switch (failing::how()) {
    case How::enospc:
      return ENOSPC;
    case How::eintr:
      return EINTR;
    default:
      return EIO;
  }
}

/// A call that moves `bytes`, and that fails, or moves the first half.
template <class Call>
ssize_t moved(Calls calls, int file, std::size_t bytes, Call&& call) {
  if (!fails(calls, file)) return call(bytes);
  if (failing::how() == How::half) return call(std::max<std::size_t>(1, bytes / 2));
  errno = error();
  return -1;
}

/// Of calls that move nothing there is no half.
template <class... File>
bool fails_whole(File... file) {
  return failing::how() != How::half && fails(Calls::write, file...);
}

/// Calls that are not made to fail; a signal may meet them.
void meet_signal(const char* path) {
  if (failing::how() == How::signal) fails(Calls::write, path, nullptr);
}

template <class Call>
int done(bool fails_now, Call&& call) {
  if (!fails_now) return call();
  errno = error();
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

}  // namespace

extern "C" {

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
ssize_t preadv(int file, const iovec* parts, int count, off_t at) {
  NEXT(preadv);
  const auto first = [&](std::size_t n) { return n == 1 && count > 1 ? 1 : count; };
  return moved(Calls::read, file, static_cast<std::size_t>(count),
               [&](std::size_t n) { return real(file, parts, first(n), at); });
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
/// Writes through a mapping are not allowed here, so that every write is one of these calls.
ssize_t process_vm_writev(pid_t, const iovec*, unsigned long, const iovec*, unsigned long,
                          unsigned long) {
  errno = EPERM;
  return -1;
}
ssize_t writev(int file, const iovec* parts, int count) {
  NEXT(writev);
  const auto first = [&](std::size_t n) { return n == 1 && count > 1 ? 1 : count; };
  return moved(Calls::write, file, static_cast<std::size_t>(count),
               [&](std::size_t n) { return real(file, parts, first(n)); });
}

int fsync(int file) {
  NEXT(fsync);
  return done(fails_whole(file), [&] { return real(file); });
}
int fdatasync(int file) {
  NEXT(fdatasync);
  return done(fails_whole(file), [&] { return real(file); });
}
int ftruncate(int file, off_t size) {
  NEXT(ftruncate);
  return done(fails_whole(file), [&] { return real(file, size); });
}
int ftruncate64(int file, off64_t size) {
  NEXT(ftruncate64);
  return done(fails_whole(file), [&] { return real(file, size); });
}
int fallocate(int file, int mode, off_t from, off_t size) {
  NEXT(fallocate);
  return done(fails_whole(file), [&] { return real(file, mode, from, size); });
}
int rename(const char* from, const char* to) {
  NEXT(rename);
  return done(fails_whole(from, to), [&] { return real(from, to); });
}
int renameat2(int from_folder, const char* from, int to_folder, const char* to,
              unsigned int flags) {
  NEXT(renameat2);
  return done(fails_whole(from, to), [&] { return real(from_folder, from, to_folder, to, flags); });
}
int syncfs(int file) {
  NEXT(syncfs);
  return done(fails_whole(file), [&] { return real(file); });
}
int mkdir(const char* path, mode_t mode) {
  NEXT(mkdir);
  return done(fails_whole(path, static_cast<const char*>(nullptr)),
              [&] { return real(path, mode); });
}
int unlink(const char* path) {
  NEXT(unlink);
  meet_signal(path);
  return real(path);
}
int unlinkat(int folder, const char* path, int flags) {
  NEXT(unlinkat);
  meet_signal(path);
  return real(folder, path, flags);
}
int rmdir(const char* path) {
  NEXT(rmdir);
  meet_signal(path);
  return real(path);
}
int remove(const char* path) {
  NEXT(remove);
  meet_signal(path);
  return real(path);
}

/// As hdf5.h declares it: data set, offset, filters, address, size.
int H5Dget_chunk_info_by_coord(std::int64_t data_set, const std::uint64_t* at, unsigned* filters,
                               std::uint64_t* address, std::uint64_t* bytes) {
  NEXT(H5Dget_chunk_info_by_coord);
  fails(Calls::chunk_walk);
  return real(data_set, at, filters, address, bytes);
}

}  // extern "C"
