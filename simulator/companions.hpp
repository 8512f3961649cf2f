// SPDX-License-Identifier: MIT
// simulator/companions.hpp — what a simulation holds besides the blur, and the plan that leaves
// room for it.
#pragma once
#include <cstdint>
#include <vector>
#include "simulator/channels.hpp"
#include "simulator/pipeline.hpp"
#include "simulator/references.hpp"

namespace synthoscope::simulator {

/// What a simulation holds besides the blur of a channel, in bytes; counted before anything is
/// planned.
struct Companions {
  /// @param scene       of a channel
  /// @param references  of that channel
  /// @param images      how many channels there are
  Companions(const SceneSpec& scene, const References& references, std::size_t images,
             const SimulateOptions& options, const RunContext& context);

  /// All the while.
  [[nodiscard]] std::int64_t held() const {
    return psf_held + objects + imaging + sums + maps + recorded + chunks;
  }
  /// As long as the channel is imaged, beside its PSF.
  [[nodiscard]] std::int64_t of_channel() const { return imaging + maps + chunks; }

  PsfRoom psf;
  std::int64_t psf_held;  ///< of a PSF that stays in memory
  std::int64_t objects;   ///< of all channels
  std::int64_t imaging;   ///< with the phantom on a finer grid
  std::int64_t sums;      ///< of several PSFs; none where they are kept in a file
  std::int64_t maps;
  std::int64_t recorded, chunks;  ///< a plane; what the files of photons and counts hold
  std::int64_t stages = 0;        ///< the largest of what comes before and after the blur
};

/// A channel as it is to be imaged.
struct PlannedChannel {
  Channel channel;
  References references;
  Companions beside;
  fftconv::Plan plan;
};

/// The plans that are given, or ones for what the companions leave of the machine. Images that are
/// added up PSF by PSF are kept in memory, or in a file where memory does more for the blur.
/// @throws PlanError, InvalidSpec  as simulate; of a channel names it.
std::vector<PlannedChannel> planned_channels(const SceneSpec& scene,
                                             const fftconv::Machine& machine,
                                             const RunContext& context,
                                             const SimulateOptions& options);

}  // namespace synthoscope::simulator
