// SPDX-License-Identifier: MIT
// simulator/stacks.hpp — where a simulation puts its stacks and its PSFs: files, or memory.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>
#include "core/stream/stream.hpp"

namespace synthoscope::simulator {

/// Makes the stacks of a simulation and opens those that it reads again. Several threads may ask.
class Stacks {
 public:
  virtual ~Stacks() = default;

  /// A stack of a frame on the scene's grid: "labels", "structures", "photons"; on the camera's,
  /// where it bins: "image". Labels and structures are those of all channels; `channel` counts
  /// those that are imaged.
  [[nodiscard]] virtual std::unique_ptr<Sink> create_stack(std::string_view name,
                                                           std::int64_t frame, PixelType type,
                                                           std::size_t channel = 0) const = 0;

  /// A finished stack.
  [[nodiscard]] virtual std::unique_ptr<Source> open_stack(std::string_view name,
                                                           std::int64_t frame,
                                                           std::size_t channel = 0) const = 0;

  /// A PSF with its centre, on the pitch of the blur: the only one, or that of a reference.
  [[nodiscard]] virtual std::unique_ptr<Sink> create_psf(const Extent3& extent,
                                                         const Index3& centre,
                                                         std::size_t channel = 0,
                                                         std::size_t reference = 0) const = 0;

  /// A finished one, of several.
  [[nodiscard]] virtual std::unique_ptr<Source> open_psf(std::size_t channel,
                                                         std::size_t reference) const = 0;

  /// For what does not fit memory.
  [[nodiscard]] virtual std::filesystem::path scratch_folder() const = 0;
};

}  // namespace synthoscope::simulator
