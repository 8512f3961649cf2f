// SPDX-License-Identifier: MIT
// simulator/imaging/references.hpp — reference set-ups whose PSFs together represent one that
// varies over the volume.
#pragma once
#include <optional>
#include <string>
#include <vector>
#include "core/run/task_pool.hpp"
#include "simulator/light/weighted_source.hpp"
#include "simulator/optics/models/depth_references.hpp"
#include "simulator/scene/scene.hpp"

namespace synthoscope::simulator {

/// One of the terms of
///
///     image = sum_j gain_j h_j conv (w_j light)
///
/// In every voxel the weights w_j add up to collected_part(optics) times what the medium leaves.
struct Reference {
  OpticsSpec optics;
  double gain = 1;       ///< of the light, in addition to the equation of its model
  VoxelWeights weights;  ///< on the grid of the blur
  std::optional<double> depth_um, sheet_radius_um;  ///< that it represents
};

struct References {
  std::vector<Reference> all;  ///< one if the PSF is the same everywhere
  /// Pitch of the PSFs' planes and pixels: between two planes the objective moves as far as it must
  /// to focus one plane deeper.
  VoxelSize pitch;
  std::optional<DepthReferences> depths;
  double sheet_error = 0;

  [[nodiscard]] bool vary() const { return all.size() > 1; }
  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(all.size()); }

  /// Returns a sentence or two on how much light is collected, what varies, by how many PSFs, and
  /// why so many; empty if nothing is asked for.
  [[nodiscard]] std::string description() const;
};

/// Returns the references of a scene without channels, or of a channel. They do not depend on the
/// number of threads.
/// @throws InvalidSpec  more than kMaxReferences would be needed.
References references_of(const SceneSpec& scene, TaskPool& pool);

/// Returns how many blurs all frames of a scene need, in the channel that needs the most.
/// @param channel  the only channel; absent: all
std::int64_t blurs_of(const SceneSpec& scene, const std::optional<std::string>& channel,
                      TaskPool& pool);

}  // namespace synthoscope::simulator
