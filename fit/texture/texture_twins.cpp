// SPDX-License-Identifier: MIT
#include "fit/texture/texture_twins.hpp"
#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include "core/base/error.hpp"

namespace synthoscope::fit {
namespace {

/// The first that has room for the objects is taken.
constexpr Crowding kCrowdings[] = {
    {0.35, true}, {0.25, true}, {0.35, false}, {0.25, false}, {0, false}};
constexpr double kObjectsOfImage = 12;
constexpr double kMostTextureImages = 12;

}  // namespace

TextureTwins::TextureTwins(const StageTask& task, const TextureRule& rule,
                           const simulator::SceneSpec& scene, double objects, double fewest,
                           double seconds)
    : task_{task}, rule_{rule}, objects_{std::min(objects, kObjectsOfImage)} {
  using Clock = std::chrono::steady_clock;
  for (const Crowding& crowding : kCrowdings) {
    crowding_ = crowding;
    try {
      const auto found = this->objects(scene).size();  // it computes the PSF, too
      if (found == 0) continue;
      const Clock::time_point begin = Clock::now();
      const auto again = static_cast<double>(this->objects(scene).size());
      const double each =
          std::max(std::chrono::duration<double>(Clock::now() - begin).count(), 1e-3);
      const double affordable = std::max(seconds / each * again, fewest);
      images_ = static_cast<std::int64_t>(
          std::clamp(std::ceil(std::min(objects, affordable) / again), 1.0, kMostTextureImages));
      seconds_ = each * static_cast<double>(images_);
      return;
    } catch (const InvalidSpec&) {
      if (crowding.share == 0) throw;  // otherwise there may be room for fewer objects
    }
  }
  throw InvalidSpec("fit the texture: no object of the twin is whole in its image");
}

std::vector<ObjectTexture> TextureTwins::objects(const simulator::SceneSpec& scene) const {
  const simulator::SceneSpec sample = texture_sample(scene, objects_, crowding_);
  std::vector<ObjectTexture> all;
  for (std::int64_t i = 0; i < images_; ++i) {
    auto more =
        object_textures(task_.twins.image(sample, task_.seed + i), rule_, task_.twins.context());
    all.insert(all.end(), std::make_move_iterator(more.begin()),
               std::make_move_iterator(more.end()));
  }
  return all;
}

Statistics TextureTwins::statistics(const simulator::SceneSpec& scene) const {
  const std::vector<ObjectTexture> all = objects(scene);
  if (all.empty()) throw InvalidSpec("fit the texture: no object of the twin is whole");
  return texture_statistics(all, rule_);
}

}  // namespace synthoscope::fit
