// SPDX-License-Identifier: MIT
#include "fit/run/fit_stages.hpp"
#include <fmt/format.h>
#include <chrono>
#include "core/base/error.hpp"
#include "fit/blur/fit_blur.hpp"
#include "fit/camera/fit_camera.hpp"
#include "fit/light/fit_light.hpp"
#include "fit/shapes/fit_shapes.hpp"
#include "fit/shapes/labels_as_bodies.hpp"
#include "fit/texture/fit_texture.hpp"

namespace synthoscope::fit {
namespace {

/// A stage, and its share of the time that those from it on have.
struct StageStep {
  Stage stage;
  Findings (*run)(const StageTask&, simulator::SceneSpec&);
  double share;
};
constexpr StageStep kSteps[] = {{Stage::camera, fit_camera, 1.0},
                                {Stage::shapes, fit_shapes, 0.25},
                                {Stage::light, fit_light, 0.4},
                                {Stage::blur, fit_blur, 0.4},
                                {Stage::texture, fit_texture, 1.0}};

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

}  // namespace

FittedScene fit_stages(const LabelledImages& real, const FitRequest& request,
                       const TwinImages& twins) {
  if (!request.start.channels.empty())
    throw InvalidSpec(
        "fit: the scene to start from has channels, and an image shows one; leave them out");
  const auto begin = std::chrono::steady_clock::now();
  const auto seconds_left = [&] {
    const std::chrono::duration<double> since = std::chrono::steady_clock::now() - begin;
    return request.seconds - since.count();
  };
  FittedScene fitted{scene_on_grid(request.start, real.front()), {}};
  for (const StageStep& step : kSteps) {
    if (request.stages.count(step.stage) == 0) continue;
    const StageTask task{real, twins, request.fixed, step.share * seconds_left()};
    const bool takes_bodies = step.stage == Stage::shapes && request.bodies;
    fitted.findings.push_back(takes_bodies ? labels_as_bodies(task, *request.bodies, fitted.scene)
                                           : step.run(task, fitted.scene));
  }
  return fitted;
}

}  // namespace synthoscope::fit
