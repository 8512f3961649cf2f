// SPDX-License-Identifier: MIT
// imageio/hdf5/library.hpp — the HDF5 library under one lock: owned identifiers, errors as
// exceptions.
#pragma once
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>

namespace synthoscope::imageio {

/// The library is called under this lock alone. What it complains of is kept, not printed.
class Hdf5Lock {
 public:
  Hdf5Lock();

  /// Nobody holds it any more: for a process that was just copied from one whose thread did.
  static void reset_after_fork();

 private:
  std::unique_lock<std::recursive_mutex> lock_;
};

/// One identifier (hid_t), closed by the function that belongs to it.
class Hdf5Handle {
 public:
  using Close = int (*)(std::int64_t);

  Hdf5Handle() = default;
  /// A negative `id` means that a call failed.
  Hdf5Handle(std::int64_t id, Close closer) : id_{id}, close_{closer} {}
  Hdf5Handle(Hdf5Handle&& other) noexcept
      : id_{std::exchange(other.id_, -1)}, close_{other.close_} {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Hdf5Handle();

  explicit operator bool() const { return id_ >= 0; }
  [[nodiscard]] std::int64_t get() const { return id_; }

  /// Closes now, for identifiers whose end can fail. @returns whether it went well.
  [[nodiscard]] bool close();

 private:
  std::int64_t id_ = -1;
  Close close_ = nullptr;
};

/// Keeps the library from loading filters from plug-ins while this lives, under its lock.
class NoHdf5PlugIns {
 public:
  NoHdf5PlugIns();
  NoHdf5PlugIns(const NoHdf5PlugIns&) = delete;
  NoHdf5PlugIns& operator=(const NoHdf5PlugIns&) = delete;
  ~NoHdf5PlugIns();

 private:
  unsigned allowed_ = 0;
};

/// The innermost complaint of the last call, such as "truncated file: eof = 96"; it is forgotten.
std::string hdf5_complaint();

/// Keeps the library from closing open files at exit, which crashes after a disk has failed. To be
/// called first in a program of ours only: other users of the library may rely on it.
void skip_hdf5_cleanup_at_exit();

/// "1.10.8": the one we were built with, which the library insists on. The library is not begun.
std::string hdf5_version();

}  // namespace synthoscope::imageio
