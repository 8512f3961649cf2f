// SPDX-License-Identifier: MIT
// fit/light/light_twin.hpp — the light of twins: simulated images of a scene, measured as real ones
// are.
#pragma once
#include "fit/light/light_keys.hpp"
#include "fit/light/light_statistics.hpp"
#include "fit/twin/stage_task.hpp"

namespace synthoscope::fit {

/// What differs from object to object and from place to place is left out of a scene: spread of
/// light, gradient, field and grain. They would only scatter what the others are found from, and
/// add to it without bias.
simulator::SceneSpec even_scene(const simulator::SceneSpec& scene, const std::string& table);

/// Simulates twins with fixed seeds: equal scenes give equal statistics.
class LightTwin {
 public:
  /// @param twins, rule  must outlive this
  LightTwin(const TwinImages& twins, const LightRule& rule, const FieldShape& field, bool depth,
            std::int64_t first_seed)
      : twins_{twins}, rule_{rule}, field_{field}, depth_{depth}, first_seed_{first_seed} {}

  /// Independent images of each scene, at least 1.
  int images = 1;

  /// Returns tiles and objects of the images of a scene. @throws as TwinImages::image
  [[nodiscard]] LightSample sample(const simulator::SceneSpec& scene) const;

  /// Returns all statistics of the images of a scene. @throws as TwinImages::image
  [[nodiscard]] Statistics statistics(const simulator::SceneSpec& scene) const;

 private:
  const TwinImages& twins_;
  const LightRule& rule_;
  FieldShape field_;
  bool depth_;
  std::int64_t first_seed_;
};

/// Returns background and objects of a sample side by side, of those that are there.
Statistics all_light_statistics(const LightSample& sample, const LightRule& rule,
                                const FieldShape& field, bool depth, double dark_dn);

/// Returns the bytes that measuring an image takes in addition to it.
std::int64_t light_bytes(const Extent3& extent, const LightRule& rule);

}  // namespace synthoscope::fit
