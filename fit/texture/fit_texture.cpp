// SPDX-License-Identifier: MIT
#include "fit/texture/fit_texture.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>
#include "core/base/error.hpp"
#include "fit/edges/object_outline.hpp"
#include "fit/estimates/robust.hpp"
#include "fit/matching/match.hpp"
#include "fit/shapes/object_kind.hpp"
#include "fit/texture/texture_keys.hpp"
#include "fit/texture/texture_twins.hpp"

namespace synthoscope::fit {
namespace {

using simulator::NucleiKind;
using simulator::SceneSpec;
using TextureClock = std::chrono::steady_clock;

constexpr double kLeastScale = 0.7;     ///< pixels
constexpr double kScaleStep = 1.7;      ///< from one scale to the next
constexpr double kLargestScale = 0.45;  ///< of the depth of the median object
constexpr std::size_t kMostScales = 5;
constexpr std::size_t kFewestObjects = 3;
constexpr double kFewestTwinObjects = 24, kMostTwinObjects = 60;
constexpr int kTextureSimulations = 60;
constexpr double kShareOfChoice = 0.3;  ///< of the time, for the stain to begin with
/// Stains to begin with: as strong as the scene has them and weaker, finer and coarser.
constexpr double kStrengths[] = {1, 0.3};
constexpr double kWaves[] = {0.6, 1.6};
constexpr double kClearlyNearer =
    6;  ///< less of the sum of squares: chance may explain a smaller one

double texture_seconds(TextureClock::time_point begin) {
  return std::chrono::duration<double>(TextureClock::now() - begin).count();
}

/// The scales that the optics resolve and that have room in objects. Nothing if there are none.
/// @source Zhang, Zerubia, Olivo-Marin, Appl. Opt. 46 (2007) 1819, doi:10.1364/AO.46.001819: a PSF
///         has the standard deviation 0.21 wavelength / NA across.
std::optional<TextureRule> rule_for(const StageTask& task, const SceneSpec& scene) {
  std::vector<double> depths;
  for (const LabelledImage& image : task.real)
    for (const ObjectDepth& one : object_depths(image)) depths.push_back(one.pixels);
  const double depth = robust_median(std::move(depths));
  const simulator::Grid& grid = task.real.front().grid;
  const double psf_um = 0.21 * scene.optics.wavelength_nm / 1000 / scene.optics.na;
  std::vector<double> scales;
  for (double scale = std::max(psf_um / std::sqrt(grid.pitch.y_um * grid.pitch.x_um), kLeastScale);
       scale <= kLargestScale * depth && scales.size() < kMostScales; scale *= kScaleStep)
    scales.push_back(scale);
  if (scales.size() < 2) return std::nullopt;
  return texture_rule(std::move(scales));
}

std::vector<ObjectTexture> textured_objects(const StageTask& task, const TextureRule& rule) {
  std::vector<ObjectTexture> all;
  for (const LabelledImage& image : task.real) {
    auto more = object_textures(image, rule, task.twins.context());
    all.insert(all.end(), std::make_move_iterator(more.begin()),
               std::make_move_iterator(more.end()));
  }
  return all;
}

/// Sum of the squares of the differences of statistics, in standard errors; infinite if the scene
/// cannot be simulated.
double misfit(const TextureTwins& twins, const SceneSpec& scene, const Statistics& real) {
  try {
    const Statistics twin = twins.statistics(scene);
    const Eigen::ArrayXd variance = real.covariance.diagonal() + twin.covariance.diagonal();
    return ((twin.values - real.values).array().square() / variance.max(1e-12)).sum();
  } catch (const InvalidSpec&) {
    return std::numeric_limits<double>::infinity();
  }
}

/// Keeps the scene that is nearest to the real images.
class NearestStain {
 public:
  NearestStain(const StageTask& task, const TextureTwins& twins, const Statistics& real,
               const SceneSpec& scene)
      : task_{task},
        twins_{twins},
        real_{real},
        scene_{scene},
        least_{misfit(twins, scene, real)} {}

  /// Returns whether the candidate is clearly nearer than all before; false if there is no time to
  /// try it.
  bool take(const SceneSpec& candidate) {
    if (texture_seconds(begin_) > kShareOfChoice * task_.seconds) return false;
    const double distance = misfit(twins_, candidate, real_);
    if (!(distance < least_ - kClearlyNearer)) return false;
    least_ = distance;
    scene_ = candidate;
    return true;
  }
  [[nodiscard]] const SceneSpec& scene() const { return scene_; }

 private:
  const StageTask& task_;
  const TextureTwins& twins_;
  const Statistics& real_;
  SceneSpec scene_;
  double least_;
  TextureClock::time_point begin_ = TextureClock::now();
};

/// Gives the scene the stain to begin with: that of the nearest kind, as far as the user left it
/// open, weaker or of other waves if this is nearer. Returns the kind if it is not the scene's.
std::optional<NucleiKind> take_nearest_stain(const StageTask& task, const TextureTwins& twins,
                                             const Statistics& real, SceneSpec& scene) {
  if (scene.nuclei.count == 0) return std::nullopt;
  NearestStain nearest{task, twins, real, scene};
  std::optional<NucleiKind> chosen;
  SceneSpec weaker = scene;
  weaken_stain(weaker, kStrengths[1], task.fixed);
  nearest.take(weaker);
  if (task.is_free("nuclei.kind") && task.is_free("nuclei.texture"))
    for (const auto& [kind, name] : simulator::kNucleiKindNames)
      for (const double strength : kStrengths) {
        SceneSpec candidate = scene;
        give_stain(candidate, kind, task.fixed);
        weaken_stain(candidate, strength, task.fixed);
        if (nearest.take(candidate)) chosen = kind;
      }
  const SceneSpec middle = nearest.scene();
  for (const double factor : kWaves) {
    if (!task.is_free("nuclei.texture_wavelength_um")) break;
    SceneSpec candidate = middle;
    give_number(candidate, "nuclei.texture_wavelength_um",
                factor * middle.nuclei.texture_wavelength_um);
    nearest.take(candidate);
  }
  scene = nearest.scene();
  return chosen;
}

void leave_fixed_keys_out(std::vector<FittedKey>& keys, const StageTask& task) {
  std::erase_if(keys, [&](const FittedKey& key) { return !task.is_free(key.key); });
}

Findings refused(std::string why) {
  Findings found;
  found.stage = Stage::texture;
  found.refusal = std::move(why);
  return found;
}

void say_how_it_was_found(std::size_t real, std::size_t simulated, const Matched& matched,
                          Findings& found) {
  found.untold.push_back(
      fmt::format("The texture of {} objects was compared with that of {} simulated ones, in {} "
                  "simulations.",
                  real, simulated, matched.simulations));
}

void say_untold_stain(std::optional<NucleiKind> kind, const Matched& matched, Findings& found) {
  if (kind)
    found.untold.push_back(fmt::format(
        "The stain began as that of {} nuclei, the nearest of all kinds; a kind that the scene "
        "does not know is not found.",
        name_in(simulator::kNucleiKindNames, *kind)));
  std::string keys;
  for (const Estimate& one : found.estimates)
    if (one.origin == Origin::assumed) keys += (keys.empty() ? "" : ", ") + one.key;
  if (!keys.empty())
    found.untold.push_back(
        fmt::format("The texture of such images hardly changes with {}: they are assumed.", keys));
  double squares = 0;
  for (const ComparedNumber& one : matched.compared) squares += one.off * one.off;
  squares /= static_cast<double>(std::max<std::size_t>(matched.compared.size(), 1));
  constexpr double kClear = 3;
  if (squares > kClear)
    found.untold.push_back(fmt::format(
        "The texture of the twin differs from the real one by {:.1f} standard errors (root mean "
        "square of {} statistics): its stain is not like the real one, and intervals are too "
        "narrow.",
        std::sqrt(squares), matched.compared.size()));
}

/// What is fitted: the same for all simulations.
Findings fitted_stain(const StageTask& task, const TextureRule& rule, SceneSpec& scene) {
  const TextureClock::time_point begin = TextureClock::now();
  const std::vector<ObjectTexture> objects = textured_objects(task, rule);
  if (objects.size() < kFewestObjects)
    return refused(fmt::format(
        "fit the texture: {} objects are whole and large enough to show a texture, and {} are "
        "needed; give finer or larger images, or leave the stage texture out",
        objects.size(), kFewestObjects));
  Statistics wanted = texture_statistics(objects, rule);
  add_unlike_texture(wanted);
  const auto count = static_cast<double>(objects.size());
  const TextureTwins twins{task,
                           rule,
                           scene,
                           std::clamp(1.5 * count, kFewestTwinObjects, kMostTwinObjects),
                           kFewestTwinObjects,
                           task.seconds / kTextureSimulations};
  const auto kind = take_nearest_stain(task, twins, wanted, scene);
  MatchRequest request;
  request.keys = texture_keys(scene);
  leave_fixed_keys_out(request.keys, task);
  request.wanted = std::move(wanted);
  request.simulate = [&](const SceneSpec& tried) { return twins.statistics(tried); };
  request.seconds = task.seconds - texture_seconds(begin);
  const double affordable = request.seconds / std::max(twins.seconds(), 1e-3);
  request.most_simulations = static_cast<int>(std::min<double>(kTextureSimulations, affordable));
  Matched matched = match(scene, request, task.twins.context());
  scene = std::move(matched.scene);
  Findings found;
  found.stage = Stage::texture;
  found.estimates = std::move(matched.estimates);
  found.compared = matched.compared;
  say_if_unfinished(matched, "the stain", found);
  say_how_it_was_found(objects.size(), static_cast<std::size_t>(matched.simulated.units), matched,
                       found);
  say_untold_stain(kind, matched, found);
  return found;
}

}  // namespace

Findings fit_texture(const StageTask& task, SceneSpec& scene) {
  std::vector<FittedKey> keys = texture_keys(scene);
  if (keys.empty())
    return refused("the scene has neither nuclei nor cells, whose stain could be fitted");
  const std::optional<TextureRule> rule = rule_for(task, scene);
  if (!rule)
    return refused(
        "fit the texture: the objects of the images are too small for a texture that the optics "
        "resolve; give finer images, or leave the stage texture out");
  try {
    return fitted_stain(task, *rule, scene);
  } catch (const InvalidSpec& problem) {
    return refused(problem.what());
  }
}

}  // namespace synthoscope::fit
