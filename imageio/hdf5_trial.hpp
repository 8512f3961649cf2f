// SPDX-License-Identifier: MIT
// imageio/hdf5_trial.hpp — the HDF5 library meets a file in a process of its own first, since there
// are files on which it crashes or never ends.
#pragma once
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>

namespace synthoscope::imageio {

/// Calls `body` in a copy of this process that ends with it. What it throws there is of no account:
/// it will throw again. Where no process can be made there is no trial. Takes milliseconds, and
/// more where this process holds gigabytes.
/// @returns  whether the copy came to the end of `body`.
/// @throws InvalidInput  the library crashed on `file`, or computed for longer than its patience.
bool try_hdf5(const std::filesystem::path& file, const std::function<void()>& body);

/// What `body` gives, once a trial of it went well.
template <class Body>
auto after_trial(const std::filesystem::path& file, Body&& body) {
  try_hdf5(file, [&] { static_cast<void>(body()); });
  return body();
}

/// What `body` writes for `out`, read by the copy alone: for what the library unpacks, in which it
/// may write where nobody sees it. `body` gets all of `out`, or as many bytes of 0 elsewhere.
void read_in_trial(const std::filesystem::path& file, std::span<std::byte> out,
                   const std::function<void(std::span<std::byte>)>& body);

/// How long the library may compute in a trial, 10 s unless it is told otherwise; time that it
/// waits for a disk does not count, up to 30 times as long.
void set_hdf5_patience(std::chrono::seconds computing);

}  // namespace synthoscope::imageio
