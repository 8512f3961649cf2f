// SPDX-License-Identifier: MIT
#include "fit/shapes/object_kind.hpp"
#include <fmt/format.h>
#include <variant>
#include "core/base/assert.hpp"
#include "fit/matching/fitted_key.hpp"
#include "simulator/phantom/kinds.hpp"
#include "simulator/scene/keys.hpp"

namespace synthoscope::fit {
namespace {

constexpr double kUm3PerMm3 = 1e9, kUm2PerMm2 = 1e6;

double objects_of(const simulator::SceneSpec& scene, ObjectKind kind) {
  const simulator::PhantomSpec spec = phantom_of(scene);
  const simulator::Grid sample = sample_grid(scene);
  switch (kind) {
    case ObjectKind::nuclei:
      return static_cast<double>(number_of(spec.nuclei, sample));
    case ObjectKind::cells:
      return static_cast<double>(number_of(spec.cells, sample));
    case ObjectKind::adherent:
      return static_cast<double>(number_of(spec.adherent, sample));
  }
  return 0;
}

}  // namespace

std::optional<ObjectKind> fitted_kind(const simulator::SceneSpec& scene) {
  // Adherent cells bring their nuclei, which are then no objects of their own
  for (const ObjectKind kind : {ObjectKind::nuclei, ObjectKind::cells, ObjectKind::adherent})
    if (objects_of(scene, kind) > 0) return kind;
  return std::nullopt;
}

std::string key_of(ObjectKind kind, std::string_view name) {
  return fmt::format("{}.{}", name_in(kObjectKindNames, kind), name);
}

double number_at(const simulator::SceneSpec& scene, const std::string& key,
                 std::optional<int> axis) {
  FittedKey one;
  one.key = key;
  one.axis = axis;
  return value_of(scene, one);
}

void give_number(simulator::SceneSpec& scene, const std::string& key, double value,
                 std::optional<int> axis) {
  FittedKey one;
  one.key = key;
  one.axis = axis;
  one.least = one.most = value;
  set_value(scene, one, value);
}

void give_word(simulator::SceneSpec& scene, const std::string& key, const std::string& word) {
  simulator::give(scene, key_named(key), word);
}

ObjectView view_of(const simulator::SceneSpec& scene, ObjectKind kind) {
  if (scene.grid.extent.z == 1) return ObjectView::plane;
  const bool is_turned =
      kind == ObjectKind::nuclei  ? scene.nuclei.orientation == simulator::Orientation::random
      : kind == ObjectKind::cells ? scene.cells.orientation == simulator::Orientation::random
                                  : false;
  return is_turned ? ObjectView::turned : ObjectView::flat;
}

DensityKey density_key(ObjectKind kind) {
  if (kind == ObjectKind::adherent)
    return {key_of(kind, "density_per_mm2"), kUm2PerMm2, "per mm^2"};
  return {key_of(kind, "density_per_mm3"), kUm3PerMm3, "per mm^3"};
}

double sample_measure(const simulator::SceneSpec& scene, ObjectKind kind) {
  const auto [z, y, x] = simulator::size_um(sample_grid(scene));
  return kind == ObjectKind::adherent ? y * x : z * y * x;
}

double density_of(const simulator::SceneSpec& scene, ObjectKind kind) {
  return objects_of(scene, kind) / sample_measure(scene, kind);
}

void give_density(simulator::SceneSpec& scene, ObjectKind kind, double density) {
  switch (kind) {
    case ObjectKind::nuclei:
      scene.nuclei.count.reset();
      break;
    case ObjectKind::cells:
      scene.cells.count.reset();
      break;
    case ObjectKind::adherent:
      scene.adherent.count.reset();
  }
  scene.given.erase(key_of(kind, "count"));
  const DensityKey key = density_key(kind);
  give_number(scene, key.key, density * key.unit);
}

}  // namespace synthoscope::fit
