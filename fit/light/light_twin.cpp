// SPDX-License-Identifier: MIT
#include "fit/light/light_twin.hpp"
#include "simulator/scene/keys.hpp"

namespace synthoscope::fit {

simulator::SceneSpec even_scene(const simulator::SceneSpec& scene, const std::string& table) {
  simulator::SceneSpec even = scene;
  for (const char* name :
       {"background.gradient", "background.field_deviation", "background.grain_deviation"})
    set_number(even, name, 0);
  for (const char* name : {".intensity_spread", ".intensity_size_correlation"})
    if (simulator::find_key(table + name) != nullptr) set_number(even, table + name, 0);
  return even;
}

LightSample LightTwin::sample(const simulator::SceneSpec& scene) const {
  LightSample sample;
  for (int i = 0; i < images; ++i) {
    const LabelledImage image = twins_.image(scene, first_seed_ + i);
    const Reservation held = twins_.context().memory.reserve(light_bytes(image.grid.extent, rule_),
                                                             "distances from labels of a twin");
    add_light(image, rule_, sample);
  }
  return sample;
}

Statistics LightTwin::statistics(const simulator::SceneSpec& scene) const {
  return all_light_statistics(sample(scene), rule_, field_, depth_, camera_line(scene).dark_dn);
}

Statistics all_light_statistics(const LightSample& sample, const LightRule& rule,
                                const FieldShape& field, bool depth, double dark_dn) {
  const Statistics background = background_statistics(sample, rule, field, dark_dn);
  const Statistics objects = object_statistics(sample, rule, depth);
  if (background.names.empty()) return objects;
  if (objects.names.empty()) return background;
  return joined(background, objects);
}

std::int64_t light_bytes(const Extent3& extent, const LightRule& rule) {
  const std::int64_t fields = rule.zones ? 2 : 1;
  return fields * volume(extent) * std::int64_t{sizeof(double)};
}

}  // namespace synthoscope::fit
