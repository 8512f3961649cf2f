// SPDX-License-Identifier: MIT
// fit/shapes/shape_case.hpp — real objects and the scene's kind that is fitted to them.
#pragma once
#include <chrono>
#include <cstdint>
#include <string_view>
#include "fit/estimates/findings.hpp"
#include "fit/shapes/object_kind.hpp"
#include "fit/shapes/shape_statistics.hpp"
#include "fit/twin/stage_task.hpp"

namespace synthoscope::fit {

struct ShapeCase {
  const StageTask& task;
  ObjectKind kind = ObjectKind::nuclei;
  ObjectSets real;  ///< without fragments
  ObjectCensus census;
  ObjectView view = ObjectView::flat;
  FormRule form_rule;
  int repeats = 4;  ///< simulated images for each real one
  std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();

  /// Returns whether a key of the kind may be changed.
  [[nodiscard]] bool is_free(std::string_view name) const {
    return task.is_free(key_of(kind, name));
  }
  /// Returns whether a key may be changed and was not chosen in the scene to start from.
  [[nodiscard]] bool is_open(const simulator::SceneSpec& scene, std::string_view full_name) const {
    return task.is_free(full_name) && scene.given.count(std::string{full_name}) == 0;
  }
  [[nodiscard]] bool density_is_free() const {
    return is_free("count") && task.is_free(density_key(kind).key);
  }
  [[nodiscard]] int images() const { return repeats * static_cast<int>(real.size()); }
  [[nodiscard]] double seconds_left() const {
    const std::chrono::duration<double> since = std::chrono::steady_clock::now() - begin;
    return task.seconds - since.count();
  }
};

/// Returns the objects of so many images of a scene, of seeds task.seed + first, + first + 1, ...;
/// fragments are left out as in real images. @throws InvalidSpec  they cannot be placed.
ObjectSets simulated_objects(const ShapeCase& shapes, const simulator::SceneSpec& scene, int images,
                             int first = 0);

/// Makes sure that the objects of a scene can be placed: lowers the smallest gap between them, and
/// then their density, if these are free, and says so in `found`.
/// @throws InvalidSpec  nothing helps.
void make_placeable(const ShapeCase& shapes, simulator::SceneSpec& scene, Findings& found);

}  // namespace synthoscope::fit
