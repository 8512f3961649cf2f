// SPDX-License-Identifier: MIT
#include "fit/evidence/evidence.hpp"
#include <algorithm>
#include <chrono>
#include <mutex>
#include <optional>
#include <utility>
#include "core/base/error.hpp"
#include "fit/images/memory_image.hpp"
#include "fit/images/part_of_image.hpp"
#include "textures/patches/patch_statistics.hpp"

namespace synthoscope::fit {
namespace {

using textures::PatchPlace;

constexpr std::int64_t kSidesOfEvidence[] = {32, 24, textures::kLeastPatchSide};

/// Keeps warnings for the report.
class KeptWarnings final : public Log {
 public:
  explicit KeptWarnings(std::vector<std::string>& kept) : kept_{kept} {}
  void say(Severity severity, std::string_view sentence) override {
    if (severity != Severity::warning) return;
    const std::scoped_lock lock{mutex_};
    if (std::find(kept_.begin(), kept_.end(), sentence) == kept_.end())
      kept_.emplace_back(sentence);
  }

 private:
  std::mutex mutex_;
  std::vector<std::string>& kept_;
};

/// The scene on the grid of a held out image: numbers of objects are densities.
simulator::SceneSpec scene_on(simulator::SceneSpec scene, const simulator::Grid& grid) {
  scene.grid = grid;
  return scene;
}

LabelledImages simulated_planes(const simulator::SceneSpec& scene, const EvidenceRequest& request,
                                const TwinImages& twins) {
  const auto begin = std::chrono::steady_clock::now();
  LabelledImages planes;
  for (std::int64_t i = 0; i < request.twins; ++i) {
    const std::chrono::duration<double> since = std::chrono::steady_clock::now() - begin;
    if (i > 0 && since.count() > request.seconds) break;
    twins.context().stop.check();
    planes.push_back(sharpest_plane_of(twins.image(scene, request.seed + i), twins.context()));
    planes.back().name = "twin " + std::to_string(i + 1);
  }
  return planes;
}

std::vector<textures::ImageToMeasure> measured_from(const LabelledImages& planes) {
  std::vector<textures::ImageToMeasure> all;
  for (const LabelledImage& one : planes) all.push_back(image_to_measure(one));
  return all;
}

/// Compares patches of a place, as large as objects allow; nothing if there are too few.
std::optional<ComparedPlace> compared_at(PatchPlace where, const LabelledImages& real,
                                         const LabelledImages& simulated,
                                         const RunContext& context) {
  for (const std::int64_t side : kSidesOfEvidence) {
    score::CompareSettings settings;
    settings.measure.patch.side = side;
    settings.measure.patch.where = where;
    try {
      return ComparedPlace{
          where, score::compare_images(measured_from(real), measured_from(simulated), false,
                                       settings, context)};
    } catch (const InvalidSpec&) {  // too few patches of this size
    } catch (const InvalidInput&) {
    }
  }
  return std::nullopt;
}

}  // namespace

Evidence evidence_for(const simulator::SceneSpec& scene, const LabelledImages& real,
                      const EvidenceRequest& request, const TwinImages& twins) {
  Evidence result;
  result.held_out = request.held_out;
  LabelledImages planes;
  for (const LabelledImage& image : real)
    planes.push_back(sharpest_plane_of(image, twins.context()));
  LabelledImages simulated = simulated_planes(scene_on(scene, real.front().grid), request, twins);
  KeptWarnings log{result.warnings};
  const RunContext& quiet = twins.context();
  const RunContext context{quiet.pool, quiet.memory, quiet.progress, log, quiet.stop};
  for (const PatchPlace where : {PatchPlace::inside, PatchPlace::edge})
    if (auto found = compared_at(where, planes, simulated, context))
      result.places.push_back(std::move(*found));
  if (result.places.empty())
    if (auto found = compared_at(PatchPlace::all, planes, simulated, context))
      result.places.push_back(std::move(*found));
  if (result.places.empty())
    result.refusal =
        "the held out image and the twins have too few patches of 16 pixels to compare";
  result.real = std::move(planes.front());
  result.twin = std::move(simulated.front());
  return result;
}

}  // namespace synthoscope::fit
