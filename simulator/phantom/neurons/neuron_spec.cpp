// SPDX-License-Identifier: MIT
#include "simulator/phantom/neurons/neuron_spec.hpp"
#include <algorithm>
#include "simulator/phantom/geometry/population.hpp"

namespace synthoscope::simulator {

const std::vector<SwcPoint>& points_of(const NeuronSpec& spec) {
  static const std::vector<SwcPoint> kNone;
  if (!spec.file) return kNone;
  return spec.points.of(spec.file->string(), [&] { return read_swc(*spec.file); });
}

std::int64_t number_of(const NeuronSpec& spec) {
  const auto& points = points_of(spec);
  return std::count_if(points.begin(), points.end(),
                       [](const SwcPoint& point) { return point.parent < 0; });
}

void require_valid(const NeuronSpec& s) {
  require_beside(s.scale != NeuronSpec{}.scale, "neuron.scale", s.file.has_value(), "neuron.file");
  require_beside(s.centre.has_value(), "neuron.centre_um", s.file.has_value(), "neuron.file");
  require_value(s.scale > 0 && s.scale <= 1e6, "neuron.scale", s.scale,
                "a number above 0, at most 1e6");
  if (s.centre)
    for (const double um : {s.centre->z_um, s.centre->y_um, s.centre->x_um})
      require_value(within(um, -1e6, 1e6), "neuron.centre_um", um, "-1e6 to 1e6");
  require_value(within(s.photons_per_um3, 0, 1e12), "neuron.photons_per_um3", s.photons_per_um3,
                "0 to 1e12");
  static_cast<void>(points_of(s));
}

}  // namespace synthoscope::simulator
