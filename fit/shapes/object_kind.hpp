// SPDX-License-Identifier: MIT
// fit/shapes/object_kind.hpp — the kind of objects of a scene whose shapes are fitted, and its
// keys.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include "fit/matching/fitted_key.hpp"
#include "fit/shapes/shape_statistics.hpp"
#include "simulator/scene/scene.hpp"

namespace synthoscope::fit {

enum class ObjectKind { nuclei, cells, adherent };
inline constexpr NameTable<ObjectKind, 3> kObjectKindNames{{{ObjectKind::nuclei, "nuclei"},
                                                            {ObjectKind::cells, "cells"},
                                                            {ObjectKind::adherent, "adherent"}}};

/// Returns the first of nuclei, cells and adherent cells that the scene has; nothing if it has none
/// of them.
std::optional<ObjectKind> fitted_kind(const simulator::SceneSpec& scene);

/// Returns the full name of a key of a kind: key_of(nuclei, "radius_um") is "nuclei.radius_um".
std::string key_of(ObjectKind kind, std::string_view name);

/// Return and give the value of a key that is a number. @pre present
double number_at(const simulator::SceneSpec& scene, const std::string& key,
                 std::optional<int> axis = {});
void give_number(simulator::SceneSpec& scene, const std::string& key, double value,
                 std::optional<int> axis = {});
/// Gives a key that is a choice.
void give_word(simulator::SceneSpec& scene, const std::string& key, const std::string& word);

/// Returns how the objects of a kind are seen in images on a grid.
ObjectView view_of(const simulator::SceneSpec& scene, ObjectKind kind);

/// Return and give the number of objects per um^3 of the sample, or per um^2 of the glass for
/// adherent cells. Giving it takes a given number away.
double density_of(const simulator::SceneSpec& scene, ObjectKind kind);
void give_density(simulator::SceneSpec& scene, ObjectKind kind, double density);

/// Returns the key that holds the density, and what one of its units is in those of density_of.
struct DensityKey {
  std::string key;
  double unit = 1;
  std::string_view unit_name;
};
DensityKey density_key(ObjectKind kind);

/// Returns the volume or area in which objects lie, as density_of counts it.
double sample_measure(const simulator::SceneSpec& scene, ObjectKind kind);

}  // namespace synthoscope::fit
