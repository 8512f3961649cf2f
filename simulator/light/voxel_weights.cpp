// SPDX-License-Identifier: MIT
#include "simulator/light/voxel_weights.hpp"
#include <algorithm>

namespace synthoscope::simulator {

std::vector<std::vector<double>> weights_between(const std::vector<double>& nodes,
                                                 const std::vector<double>& values) {
  std::vector<std::vector<double>> weights(nodes.size(), std::vector<double>(values.size()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto above = std::upper_bound(nodes.begin(), nodes.end(), values[i]);
    if (above == nodes.begin()) {
      weights.front()[i] = 1;
    } else if (above == nodes.end()) {
      weights.back()[i] = 1;
    } else {
      const auto k = static_cast<std::size_t>(above - nodes.begin());
      const double part = (values[i] - nodes[k - 1]) / (nodes[k] - nodes[k - 1]);
      weights[k - 1][i] = 1 - part;
      weights[k][i] = part;
    }
  }
  return weights;
}

}  // namespace synthoscope::simulator
