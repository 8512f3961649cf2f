// SPDX-License-Identifier: MIT
#include "simulator/phantom/neurons/neuron_spec.hpp"
#include <algorithm>
#include "simulator/base/range_check.hpp"
#include "simulator/phantom/geometry/population.hpp"
#include "simulator/phantom/neurons/neuron_keys.hpp"

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
  RangeCheck check{"neuron", s};
  list_neuron_keys(check);
  require_beside(s.scale != NeuronSpec{}.scale, "neuron.scale", s.file.has_value(), "neuron.file");
  require_beside(s.centre.has_value(), "neuron.centre_um", s.file.has_value(), "neuron.file");
  static_cast<void>(points_of(s));
}

}  // namespace synthoscope::simulator
