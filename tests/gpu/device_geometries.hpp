// SPDX-License-Identifier: MIT
// tests/gpu/device_geometries.hpp — fields and kernels of deconvolutions on a device.
#pragma once
#include <vector>
#include "tests/unit/deconvolution/blurred_field.hpp"

namespace synthoscope::deconvolution::test {

/// Those of tests on the host that do not wrap, and some that fill blocks of threads.
inline std::vector<Geometry> device_geometries() {
  std::vector<Geometry> all{std::begin(kGeometries), std::end(kGeometries)};
  std::erase_if(all, [](const Geometry& geometry) { return geometry.edge == Edge::wrap; });
  all.push_back({{1, 150, 200}, {1, 31, 20}, {0, 15, 3}});
  all.push_back({{20, 60, 110}, {9, 16, 21}, {4, 8, 10}});
  all.push_back({{1, 1, 90}, {1, 1, 12}, {0, 0, 5}});
  return all;
}

}  // namespace synthoscope::deconvolution::test
