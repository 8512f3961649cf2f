// SPDX-License-Identifier: MIT
// imageio/hdf5/trial.hpp — the HDF5 library meets a file in a process of its own first, since there
// are files on which it crashes or never ends.
#pragma once
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>

namespace synthoscope::imageio {

/// Calls `body` in a copy of this process that ends with it. What it throws there is of no account:
/// it will throw again. Takes milliseconds, and more where this process holds gigabytes. No thread
/// but this one is in the copy: `body` takes no lock of theirs but Hdf5Lock.
/// @throws InvalidInput  the library crashed on `file`, or computed for longer than its patience.
/// @throws IoError  no process can be made, or somebody ended it.
void try_hdf5(const std::filesystem::path& file, const std::function<void()>& body);

/// What `body` gives, once a trial of it went well.
template <class Body>
auto after_trial(const std::filesystem::path& file, Body&& body) {
  try_hdf5(file, [&] { static_cast<void>(body()); });
  return body();
}

/// `out` becomes what `body` writes into the bytes that it gets, as many, of 0 first. It is called
/// in a copy of this process alone, as by try_hdf5: for what the library unpacks, in which it may
/// write where nobody sees it.
/// @throws as try_hdf5; IoError or bad_alloc where `body` did, and InvalidInput for all else that
/// it
///         throws, with its words.
void read_in_trial(const std::filesystem::path& file, std::span<std::byte> out,
                   const std::function<void(std::span<std::byte>)>& body);

/// How long the library may compute in a trial, 10 s unless it is told otherwise, and 1 s more for
/// each GiB that a file has on its disk; time that it waits for the disk does not count, up to 30
/// times as long.
void set_hdf5_patience(std::chrono::seconds computing);

}  // namespace synthoscope::imageio
