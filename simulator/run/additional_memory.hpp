// SPDX-License-Identifier: MIT
// simulator/run/additional_memory.hpp — memory that a simulation holds in addition to the blur, and
// the plan that leaves space for it.
#pragma once
#include <cstdint>
#include <vector>
#include "simulator/data_set/simulate_options.hpp"
#include "simulator/imaging/references.hpp"
#include "simulator/light/kept_light.hpp"
#include "simulator/optics/psf.hpp"
#include "simulator/scene/channels.hpp"

namespace synthoscope::simulator {

/// Memory that a simulation holds in addition to the blur of a channel, in bytes; counted before
/// anything is planned.
struct AdditionalMemory {
  /// @param scene       the scene of a channel
  /// @param references  the channel's references
  /// @param images      number of channels
  AdditionalMemory(const SceneSpec& scene, const References& references, std::size_t images,
                   const SimulateOptions& options, const RunContext& context);

  /// Returns the bytes that are held during the whole blur.
  [[nodiscard]] std::int64_t held() const {
    return psf_held + objects + imaging + sums + light + maps + recorded + chunks + dose;
  }
  /// Returns the bytes that are held while the channel is imaged, apart from PSF, sums and a
  /// recorded plane.
  [[nodiscard]] std::int64_t of_channel() const { return imaging + maps + chunks; }

  PsfSize psf;
  std::int64_t psf_held;   ///< of a PSF that stays in memory
  std::int64_t objects;    ///< of all channels
  std::int64_t imaging;    ///< includes the phantom on a finer grid
  std::int64_t sums;       ///< of several PSFs; 0 if they are kept in a file
  std::int64_t light = 0;  ///< that is rendered once; 0 if it is kept in a file or nowhere
  std::int64_t maps;
  std::int64_t recorded, chunks;  ///< a plane; buffers of the files of photons and counts
  std::int64_t dose;              ///< of the search for the dose
  std::int64_t stages = 0;        ///< the most that a stage before or after the blur holds
  LightKeeping keeping = LightKeeping::nowhere;  ///< where `light` is
};

/// A channel with all that its images are made from.
struct PlannedChannel {
  Channel channel;
  References references;
  AdditionalMemory additional;
  fftconv::Plan plan;
};

/// Returns how often the blurs with all PSFs together read a voxel of light, if each reads it once:
/// dark planes are not read. @param light  extent of the grid of the blur
double reads_of_all(const References& references, const Extent3& light);

/// Returns the given plans, or plans for the memory that the additional memory leaves. Images that
/// are summed PSF by PSF are kept in memory, or in a file if the blur gains more from that memory.
/// Light that a blur reads several times is rendered once and kept in memory or in a file, if that
/// is faster than rendering it again. Releases the kept PSF of an earlier data set
/// (SimulateOptions::psfs) if they need its memory.
/// @throws PlanError, InvalidSpec  as simulate; a PlanError names the channel.
std::vector<PlannedChannel> planned_channels(const SceneSpec& scene,
                                             const fftconv::Machine& machine,
                                             const RunContext& context,
                                             const SimulateOptions& options);

}  // namespace synthoscope::simulator
