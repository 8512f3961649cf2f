// SPDX-License-Identifier: MIT
#include "fit/texture/fit_texture.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>
#include "core/base/error.hpp"
#include "fit/texture/minimise.hpp"
#include "fit/texture/texture_distance.hpp"
#include "fit/texture/texture_keys.hpp"
#include "fit/twin/smaller_scene.hpp"

namespace synthoscope::fit {
namespace {

using simulator::NucleiKind;
using simulator::SceneSpec;

constexpr std::int64_t kMostTextureVoxels = 1000000;  ///< of the sample of a simulated image
constexpr int kEvaluations = 120;
constexpr double kShareOfSearch = 0.7;  ///< of the time; the rest is for intervals
constexpr std::int64_t kSeedsOfScatter = 6;
constexpr double kFarthest = 1;          ///< distance of sets that have nothing in common
constexpr double kIntervalStep = 0.5;    ///< in priors
constexpr double kTexturePriors = 1.96;  ///< half width of an interval that tells nothing

/// The scene on a field that is simulated quickly. Its margin counts, since it is rendered, too.
SceneSpec small_sample(const SceneSpec& scene) {
  const std::int64_t planes = simulator::sample_grid(scene).extent.z;
  return smaller_scene(scene, kMostTextureVoxels / planes * scene.grid.extent.z);
}

/// The distance of scenes, simulated with one seed.
class TextureSearch {
 public:
  TextureSearch(const StageTask& task, const TextureDistance& distance)
      : task_{task}, distance_{distance} {}

  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }
  [[nodiscard]] bool has_time(double share = 1) const { return seconds() < share * task_.seconds; }

  /// The distance of a scene; the largest if it cannot be simulated.
  double of(const SceneSpec& scene, std::int64_t seed) const {
    try {
      LabelledImages images;
      images.push_back(task_.twins.image(small_sample(scene), seed));
      return distance_.to(images);
    } catch (const InvalidSpec&) {
      return kFarthest;
    }
  }
  double of(const SceneSpec& scene) const { return of(scene, task_.seed); }

 private:
  const StageTask& task_;
  const TextureDistance& distance_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// The scene with the stain of the nearest kind, as far as the user left it open.
std::optional<NucleiKind> take_nearest_kind(const StageTask& task, const TextureSearch& search,
                                            SceneSpec& scene) {
  if (!task.is_free("nuclei.kind") || !task.is_free("nuclei.texture")) return std::nullopt;
  SceneSpec nearest = scene;
  double least = search.of(scene);
  std::optional<NucleiKind> chosen;
  for (const auto& [kind, name] : simulator::kNucleiKindNames) {
    if (!search.has_time(kShareOfSearch)) break;
    SceneSpec candidate = scene;
    give_stain(candidate, kind, task.fixed);
    const double distance = search.of(candidate);
    if (distance >= least) continue;
    least = distance;
    nearest = candidate;
    chosen = kind;
  }
  scene = nearest;
  return chosen;
}

std::vector<double> values_in(const SceneSpec& scene, const std::vector<FittedKey>& keys) {
  std::vector<double> values;
  for (const FittedKey& key : keys) values.push_back(value_of(scene, key));
  return values;
}

SceneSpec scene_with(SceneSpec scene, const std::vector<FittedKey>& keys,
                     const std::vector<double>& values) {
  for (std::size_t i = 0; i < keys.size(); ++i) set_value(scene, keys[i], values[i]);
  return scene;
}

/// How much the distance of equal scenes scatters from seed to seed: twice its standard deviation.
double scatter_of(const TextureSearch& search, const SceneSpec& scene, std::int64_t seed) {
  std::vector<double> distances;
  for (std::int64_t i = 0; i < kSeedsOfScatter; ++i) {
    const double distance = search.of(scene, seed + i);
    if (distance < kFarthest) distances.push_back(distance);
  }
  if (distances.size() < 2) return kFarthest;
  const auto count = static_cast<double>(distances.size());
  double mean = 0, squares = 0;
  for (const double distance : distances) mean += distance / count;
  for (const double distance : distances) squares += (distance - mean) * (distance - mean);
  return 2 * std::sqrt(squares / (count - 1));
}

/// The interval of one key from a parabola through the distances at it and at both sides.
Estimate estimate_of_stain(const TextureSearch& search, const SceneSpec& scene,
                           const FittedKey& key, double least, double scatter) {
  Estimate result;
  result.key = key.key;
  result.value = value_of(scene, key);
  const double position = position_of(key, result.value);
  const auto half_width = [&](double side) {
    SceneSpec moved = scene;
    set_value(moved, key, value_at(key, position + side * kIntervalStep * key.prior));
    const double moved_by = std::abs(position_of(key, value_of(moved, key)) - position);
    const double rise = search.of(moved) - least;
    const double widest = kTexturePriors * key.prior;
    if (moved_by == 0 || rise <= 0) return widest;
    return std::min(widest, moved_by * std::sqrt(scatter / rise));
  };
  const double below = half_width(-1), above = half_width(1);
  result.low = std::max(value_at(key, position - below), key.least);
  result.high = std::min(value_at(key, position + above), key.most);
  result.origin = below + above < kTexturePriors * key.prior ? Origin::measured : Origin::assumed;
  result.how = result.origin == Origin::measured
                   ? key.how
                   : "the texture of such images changes little with it";
  return result;
}

void leave_fixed_keys_out(std::vector<FittedKey>& keys, const StageTask& task) {
  keys.erase(std::remove_if(keys.begin(), keys.end(),
                            [&](const FittedKey& key) { return !task.is_free(key.key); }),
             keys.end());
}

}  // namespace

Findings fit_texture(const StageTask& task, SceneSpec& scene) {
  Findings found;
  found.stage = Stage::texture;
  std::optional<TextureDistance> distance;
  try {
    distance.emplace(task.real, task.twins.context());
  } catch (const InvalidSpec& problem) {
    found.refusal = problem.what();
    return found;
  } catch (const InvalidInput& problem) {
    found.refusal = problem.what();
    return found;
  }
  const TextureSearch search{task, *distance};
  const double before = search.of(scene);
  const auto kind = take_nearest_kind(task, search, scene);
  std::vector<FittedKey> keys = texture_keys(scene);
  leave_fixed_keys_out(keys, task);
  if (keys.empty()) {
    found.refusal = "the scene has neither nuclei nor cells, whose stain could be fitted";
    return found;
  }
  const Minimum minimum = minimise(
      keys, values_in(scene, keys),
      [&](const std::vector<double>& values) { return search.of(scene_with(scene, keys, values)); },
      {kEvaluations, kShareOfSearch * task.seconds - search.seconds()}, task.twins.context().stop);
  scene = scene_with(scene, keys, minimum.values);
  const double scatter = scatter_of(search, scene, task.seed + 1);
  for (const FittedKey& key : keys)
    found.estimates.push_back(estimate_of_stain(search, scene, key, minimum.objective, scatter));
  if (kind)
    found.untold.push_back(fmt::format(
        "The stain began as that of {} nuclei, the nearest of all kinds; a kind that the scene "
        "does not know is not found.",
        name_in(simulator::kNucleiKindNames, *kind)));
  found.untold.push_back(fmt::format(
      "The distance of patches ({} of {} pixels) fell from {:.3f} to {:.3f} in {} simulations; "
      "between equal scenes it scatters by {:.3f}.",
      distance->patches(), distance->patch().side, before, minimum.objective, minimum.evaluations,
      scatter));
  return found;
}

}  // namespace synthoscope::fit
