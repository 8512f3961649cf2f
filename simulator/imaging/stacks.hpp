// SPDX-License-Identifier: MIT
// simulator/imaging/stacks.hpp — where a simulation puts its stacks and its PSFs: files, or memory.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>
#include "core/stream/stream.hpp"

namespace synthoscope::simulator {

/// The stacks of a simulation, made here and opened to be read again. Thread-safe.
class Stacks {
 public:
  virtual ~Stacks() = default;

  /// Makes a stack of a frame: "labels", "structures", "light", "photons" on the scene's grid,
  /// "image" on the camera's, which may be binned. Labels and structures belong to all channels;
  /// `channel` counts those that are imaged.
  [[nodiscard]] virtual std::unique_ptr<Sink> create_stack(std::string_view name,
                                                           std::int64_t frame, PixelType type,
                                                           std::size_t channel = 0) const = 0;

  /// Opens a finished stack.
  [[nodiscard]] virtual std::unique_ptr<Source> open_stack(std::string_view name,
                                                           std::int64_t frame,
                                                           std::size_t channel = 0) const = 0;

  /// Makes a PSF with its centre, on the pitch of the blur: the only one, or the one of a
  /// reference.
  [[nodiscard]] virtual std::unique_ptr<Sink> create_psf(const Extent3& extent,
                                                         const Index3& centre,
                                                         std::size_t channel = 0,
                                                         std::size_t reference = 0) const = 0;

  /// Opens a finished PSF, if there are several.
  [[nodiscard]] virtual std::unique_ptr<Source> open_psf(std::size_t channel,
                                                         std::size_t reference) const = 0;

  /// Returns the folder for what does not fit memory.
  [[nodiscard]] virtual std::filesystem::path scratch_folder() const = 0;
};

}  // namespace synthoscope::simulator
