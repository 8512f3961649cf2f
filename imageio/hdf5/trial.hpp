// SPDX-License-Identifier: MIT
// imageio/hdf5/trial.hpp — the HDF5 library tries a file in a child process first, because some
// files make it crash or never return.
#pragma once
#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>

namespace synthoscope::imageio {

/// Calls `body` in a copy of this process that ends with it. What it throws there is ignored: it
/// throws again in this process. Takes milliseconds, longer if this process holds gigabytes. The
/// copy has no other thread: `body` must take no lock of theirs but Hdf5Lock.
/// @throws InvalidInput  the library crashed on `file`, or exceeded its time limit: 10 s, and 1 s
///                       for each GiB that the file occupies on disk, or the limit of this process
///                       if that is lower. Time spent waiting for the disk is not counted, up to
///                       30 times the limit.
/// @throws IoError       the process could not be created, or was killed.
void try_hdf5(const std::filesystem::path& file, const std::function<void()>& body);

/// What `body` gives, once a trial of it went well.
template <class Body>
auto after_trial(const std::filesystem::path& file, Body&& body) {
  try_hdf5(file, [&] { static_cast<void>(body()); });
  return body();
}

/// Fills `out` with what `body` writes into its argument, a buffer of the same size that is 0 at
/// first. `body` runs only in a copy of this process, as in try_hdf5, because the library may write
/// out of bounds while it unpacks.
/// @throws as try_hdf5; IoError or bad_alloc if `body` did; InvalidInput, with its message, for all
///            other exceptions.
void read_in_trial(const std::filesystem::path& file, std::span<std::byte> out,
                   const std::function<void(std::span<std::byte>)>& body);

}  // namespace synthoscope::imageio
