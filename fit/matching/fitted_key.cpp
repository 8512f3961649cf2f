// SPDX-License-Identifier: MIT
#include "fit/matching/fitted_key.hpp"
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <variant>
#include "core/base/assert.hpp"
#include "simulator/scene/keys.hpp"

namespace synthoscope::fit {

const simulator::SceneKey& key_named(const std::string& full_name) {
  const simulator::SceneKey* const found = simulator::find_key(full_name);
  SYNTHOSCOPE_ASSERT(found != nullptr, ==, true);
  return *found;
}

double value_of(const simulator::SceneSpec& scene, const FittedKey& key) {
  const simulator::SceneValue value = key_named(key.key).get(scene);
  if (key.axis)
    return std::get<simulator::ThreeNumbers>(value)[static_cast<std::size_t>(*key.axis)];
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  return std::get<double>(value);
}

void set_value(simulator::SceneSpec& scene, const FittedKey& key, double value) {
  const simulator::SceneKey& of_scene = key_named(key.key);
  const double inside = std::clamp(value, key.least, key.most);
  if (key.axis) {
    auto three = std::get<simulator::ThreeNumbers>(of_scene.get(scene));
    three[static_cast<std::size_t>(*key.axis)] = inside;
    simulator::give(scene, of_scene, three);
  } else if (of_scene.kind == simulator::ValueKind::integer) {
    simulator::give(scene, of_scene, static_cast<std::int64_t>(std::llround(inside)));
  } else {
    simulator::give(scene, of_scene, inside);
  }
}

double position_of(const FittedKey& key, double value) {
  return key.logarithmic ? std::log(std::max(value, key.least)) : value;
}

double value_at(const FittedKey& key, double position) {
  return key.logarithmic ? std::exp(position) : position;
}

}  // namespace synthoscope::fit
