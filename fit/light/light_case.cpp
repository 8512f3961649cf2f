// SPDX-License-Identifier: MIT
#include "fit/light/light_case.hpp"
#include <algorithm>
#include "fit/estimates/robust.hpp"
#include "fit/light/light_twin.hpp"
#include "fit/twin/smaller_scene.hpp"

namespace synthoscope::fit {

using simulator::SceneSpec;

void measure_real_light(LightCase& light) {
  MemoryBudget& memory = light.task.twins.context().memory;
  for (const LabelledImage& image : light.task.real) {
    const Reservation held =
        memory.reserve(light_bytes(image.grid.extent, light.rule), "distances from labels");
    light.rule.far_widths =
        std::min(light.rule.far_widths,
                 far_widths_within(squared_widths_from_labels(image, light.rule), light.rule));
  }
  for (const LabelledImage& image : light.task.real) {
    const Reservation held =
        memory.reserve(light_bytes(image.grid.extent, light.rule), "distances from labels");
    add_light(image, light.rule, light.sample);
  }
  std::vector<double> heights;
  for (const LitObject& object : light.sample.objects) heights.push_back(object.z_um);
  // Attenuation shows where middles of objects differ by more than the PSF is long
  light.is_deep =
      !light.task.real.front().is_plane() && robust_deviation(heights) > light.rule.axial_um / 2;
}

void measure_real_statistics(LightCase& light) {
  light.field = fit_field(light.sample.tiles, light.rule.falloff);
  light.real = all_light_statistics(light.sample, light.rule, light.field.shape, light.is_deep,
                                    camera_line(light.scene).dark_dn);
}

SceneSpec light_twin_scene(const LightCase& light, const SceneSpec& scene) {
  SceneSpec part = smaller_scene(even_scene(scene, light.keys.table), light.most_voxels);
  scale_companions(light.start, light.keys, part);
  return part;
}

Statistics simulated_light(LightCase& light, const SceneSpec& scene) {
  LightTwin twin{light.task.twins, light.rule, light.field.shape, light.is_deep, light.task.seed};
  twin.images = light.images;
  const SceneSpec part = light_twin_scene(light, scene);
  light.twin_sample = twin.sample(part);
  light.twin = all_light_statistics(light.twin_sample, light.rule, light.field.shape, light.is_deep,
                                    camera_line(part).dark_dn);
  return light.twin;
}

}  // namespace synthoscope::fit
