// SPDX-License-Identifier: MIT
// tests/unit/studio/form/example_scenes.hpp — the scenes of examples/, and other values of keys.
#pragma once
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>
#include "core/base/json.hpp"
#include "imageio/input/text_file.hpp"
#include "simulator/scene/keys.hpp"

namespace synthoscope::studio::test {

struct ExampleScene {
  std::string name;
  std::string text;
};

inline std::vector<ExampleScene> example_scenes() {
  std::vector<ExampleScene> scenes;
  for (const auto& file : std::filesystem::directory_iterator{SYNTHOSCOPE_EXAMPLES})
    if (file.path().extension() == ".toml")
      scenes.push_back({file.path().filename().string(), imageio::read_text(file.path())});
  std::sort(scenes.begin(), scenes.end(),
            [](const ExampleScene& a, const ExampleScene& b) { return a.name < b.name; });
  return scenes;
}

/// Returns a number that the key may have, and that is neither `now` nor whole.
inline double other_number(const simulator::SceneKey& key, double now) {
  const double low = key.range ? std::max(key.range->low, -1000.0) : 0;
  const double high = key.range ? std::min(key.range->high, 1000.0) : 1;
  const double inside = low + (high - low) * 0.23456;
  return inside != now ? inside : low + (high - low) * 0.34567;
}

inline std::int64_t other_integer(const simulator::SceneKey& key, std::int64_t now) {
  const auto low = static_cast<std::int64_t>(key.range->low);
  return now == low ? low + 1 : low;
}

/// Returns a value that a key may have, and that it does not have in `scene`.
inline Json other_value(const simulator::SceneKey& key, const simulator::SceneSpec& scene) {
  using simulator::ValueKind;
  const Json now = simulator::json_of(key.get(scene));
  switch (key.kind) {
    case ValueKind::number:
      return other_number(key, now.is_null() ? -1e9 : now.get<double>());
    case ValueKind::integer:
      return other_integer(key, now.is_null() ? -1 : now.get<std::int64_t>());
    case ValueKind::flag:
      return now != Json(true);
    case ValueKind::choice:
    case ValueKind::text_or_number:
      return key.names.front() == now ? key.names.back() : key.names.front();
    case ValueKind::text:
      return "other \"file\" \xC3\xA4.tif";
    case ValueKind::terms:
      return now == Json("5: 0.1") ? "6: 0.25" : "5: 0.1";
    case ValueKind::three_numbers:
      return Json{other_number(key, now.is_null() ? -1e9 : now.at(0).get<double>()),
                  other_number(key, -1e9), other_number(key, -1e9)};
    case ValueKind::three_integers:
      return Json{other_integer(key, now.is_null() ? -1 : now.at(0).get<std::int64_t>()), 3, 5};
  }
  return nullptr;
}

}  // namespace synthoscope::studio::test
