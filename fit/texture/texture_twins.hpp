// SPDX-License-Identifier: MIT
// fit/texture/texture_twins.hpp — the texture of twins: simulated images of a scene, measured as
// real ones are.
#pragma once
#include <cstdint>
#include <vector>
#include "fit/texture/object_texture.hpp"
#include "fit/texture/texture_sample.hpp"
#include "fit/texture/texture_statistics.hpp"
#include "fit/twin/stage_task.hpp"

namespace synthoscope::fit {

/// Simulates small dense samples of scenes (texture_sample) with fixed seeds: equal scenes give
/// equal statistics, and objects keep their places and shapes when only their stain changes.
class TextureTwins {
 public:
  /// Chooses how dense samples can be, and of how many images they consist: as many objects as are
  /// wanted, or fewer, at least `fewest`, if a simulation would take longer than `seconds`. All
  /// must outlive this.
  /// @throws InvalidSpec  the objects of the scene cannot be placed, or none is whole.
  TextureTwins(const StageTask& task, const TextureRule& rule, const simulator::SceneSpec& scene,
               double objects, double fewest, double seconds);

  /// Returns the statistics of a scene with another stain.
  /// @throws InvalidSpec  as TwinImages::image, or none of its objects is whole.
  [[nodiscard]] Statistics statistics(const simulator::SceneSpec& scene) const;

  /// Returns how long a simulation takes.
  [[nodiscard]] double seconds() const { return seconds_; }

  /// Returns the objects of its images. @throws as TwinImages::image
  [[nodiscard]] std::vector<ObjectTexture> objects(const simulator::SceneSpec& scene) const;

 private:
  const StageTask& task_;
  const TextureRule& rule_;
  double objects_ = 0;  ///< of texture_sample
  Crowding crowding_;
  std::int64_t images_ = 1;
  double seconds_ = 0;
};

}  // namespace synthoscope::fit
