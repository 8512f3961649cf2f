// SPDX-License-Identifier: MIT
#include "simulator/expected_photons.hpp"
#include <algorithm>

namespace synthoscope::simulator {
namespace {

template <class Real>
void finish(HostView3<const Real> in, HostView3<float> out, double background) {
  SYNTHOSCOPE_ASSERT(in.extent(), ==, out.extent());
  for (std::int64_t z = 0; z < in.extent().z; ++z)
    for (std::int64_t y = 0; y < in.extent().y; ++y)
      std::transform(in.row(z, y), in.row(z, y) + in.extent().x, out.row(z, y), [=](Real blurred) {
        return static_cast<float>(std::max(static_cast<double>(blurred), 0.0) + background);
      });
}

}  // namespace

void ExpectedPhotons::apply(const Box3&, HostView3<const float> in, VoxelView out) {
  finish(in, out.as<float>(), background_);
}

void ExpectedPhotons::apply(const Box3&, HostView3<const double> in, VoxelView out) {
  finish(in, out.as<float>(), background_);
}

}  // namespace synthoscope::simulator
