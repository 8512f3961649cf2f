// SPDX-License-Identifier: MIT
#include "fit/run/fit_stages.hpp"
#include <fmt/format.h>
#include <chrono>
#include <cmath>
#include <span>
#include <utility>
#include "core/base/error.hpp"
#include "fit/blur/fit_blur.hpp"
#include "fit/camera/fit_camera.hpp"
#include "fit/images/grown_labels.hpp"
#include "fit/images/part_of_image.hpp"
#include "fit/light/fit_light.hpp"
#include "fit/run/camera_errors.hpp"
#include "fit/shapes/fit_shapes.hpp"
#include "fit/shapes/labels_as_bodies.hpp"
#include "fit/texture/fit_texture.hpp"
#include "simulator/scene/keys.hpp"

namespace synthoscope::fit {
namespace {

using RunStage = Findings (*)(const StageTask&, simulator::SceneSpec&);

RunStage function_of(Stage stage) {
  switch (stage) {
    case Stage::camera:
      return fit_camera;
    case Stage::shapes:
      return fit_shapes;
    case Stage::light:
      return fit_light;
    case Stage::blur:
      return fit_blur;
    case Stage::texture:
      return fit_texture;
  }
  return nullptr;
}

/// A stage, and its share of the time that those from it on have.
struct StageStep {
  Stage stage;
  double share;
};
constexpr StageStep kFirst[] = {
    {Stage::camera, 0.5}, {Stage::shapes, 0.2}, {Stage::light, 0.25}, {Stage::blur, 0.35}};
/// Blur shows that labels are drawn too small: sizes are other ones, and all that follows from
/// them.
constexpr StageStep kAfterLabels[] = {{Stage::shapes, 0.2}, {Stage::blur, 0.4}};
/// Blur moves light out of objects, and their brightness was found with another blur.
constexpr StageStep kAfterBlur[] = {{Stage::light, 0.5}};
constexpr StageStep kLast[] = {{Stage::texture, 1.0}};

/// The scene on the grid of an image. A plane needs a sample around it, in which objects have room;
/// the stage of shapes may choose another one.
simulator::SceneSpec scene_on_grid(simulator::SceneSpec scene, const LabelledImage& image) {
  constexpr double kRoom = 1.5;  // in radii of nuclei
  scene.grid = image.grid;
  if (image.is_plane() && scene.given.count("grid.margin_um") == 0) {
    const double radius = scene.nuclei.radius_um;
    scene.margin_um = {kRoom * radius, kRoom * radius, kRoom * radius};
    if (scene.given.count("grid.masks") == 0) scene.masks = simulator::MaskKind::footprint;
  }
  return scene;
}

/// Runs stages, and keeps what each found last.
class StageRunner {
 public:
  StageRunner(const LabelledImages& real, const FitRequest& request, const TwinImages& twins)
      : real_{&real}, request_{request}, twins_{twins} {
    fitted_.scene = scene_on_grid(request.start, real.front());
  }

  void run(std::span<const StageStep> steps) {
    for (const StageStep& step : steps)
      if (request_.stages.count(step.stage) > 0) run(step);
  }

  /// What the stage found; nothing if it did not run.
  [[nodiscard]] const Findings* findings_of(Stage stage) const {
    for (const Findings& one : fitted_.findings)
      if (one.stage == stage) return &one;
    return nullptr;
  }

  /// From now on the real images have labels that are larger by this much.
  void grow_labels_by(double um) {
    if (grown_.empty()) grown_ = copies_of(*real_, twins_.context());
    for (LabelledImage& image : grown_) grow_labels(image, um);
    real_ = &grown_;
    fitted_.label_outset_um += um;
  }

  FittedScene take() { return std::move(fitted_); }

 private:
  void run(const StageStep& step) {
    const std::chrono::duration<double> since = std::chrono::steady_clock::now() - begin_;
    const StageTask task{*real_, twins_, request_.fixed,
                         step.share * (request_.seconds - since.count())};
    if (step.stage == Stage::light) begin_light_anew();
    const bool takes_bodies = step.stage == Stage::shapes && request_.bodies;
    Findings found = takes_bodies ? labels_as_bodies(task, *request_.bodies, fitted_.scene)
                                  : function_of(step.stage)(task, fitted_.scene);
    for (Findings& earlier : fitted_.findings)
      if (earlier.stage == step.stage) {
        earlier = std::move(found);
        return;
      }
    fitted_.findings.push_back(std::move(found));
  }

  /// Light that is found again begins where it began: what was found with another blur is no longer
  /// plausible, and would count twice.
  void begin_light_anew() {
    if (const Findings* const earlier = findings_of(Stage::light)) {
      for (const Estimate& one : earlier->estimates) {
        const simulator::SceneKey* const key = simulator::find_key(one.key);
        if (key == nullptr) continue;
        const simulator::SceneValue value = key->get(before_light_);
        if (value.index() != 0) simulator::give(fitted_.scene, *key, value);
      }
    } else {
      before_light_ = fitted_.scene;
    }
  }

  const LabelledImages* real_;
  LabelledImages grown_;
  simulator::SceneSpec before_light_;
  const FitRequest& request_;
  const TwinImages& twins_;
  FittedScene fitted_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// Adds a sentence to the findings of shapes, which depend on it most.
void say_growth(FittedScene& fitted) {
  if (fitted.label_outset_um == 0) return;
  for (Findings& found : fitted.findings)
    if (found.stage == Stage::shapes)
      found.untold.push_back(fmt::format(
          "Edges of objects lie {:.2g} um {} of the labels, so that these were made {} by it "
          "before "
          "objects were measured; masks of the twin are as large as its objects.",
          std::abs(fitted.label_outset_um), fitted.label_outset_um > 0 ? "outside" : "inside",
          fitted.label_outset_um > 0 ? "larger" : "smaller"));
}

}  // namespace

FittedScene fit_stages(const LabelledImages& real, const FitRequest& request,
                       const TwinImages& twins) {
  if (!request.start.channels.empty())
    throw InvalidSpec(
        "fit: the scene to start from has channels, and an image shows one; leave them out");
  StageRunner runner{real, request, twins};
  runner.run(kFirst);
  if (const Findings* const blur = runner.findings_of(Stage::blur)) {
    const double outset_um = blur->label_outset_um;
    const bool changes_light = blur->changes_light;
    if (outset_um != 0) {
      runner.grow_labels_by(outset_um);
      runner.run(kAfterLabels);
    }
    if (outset_um != 0 || changes_light) runner.run(kAfterBlur);
  }
  runner.run(kLast);
  FittedScene fitted = runner.take();
  widen_by_camera(fitted.scene, fitted.findings);
  say_growth(fitted);
  return fitted;
}

}  // namespace synthoscope::fit
