// SPDX-License-Identifier: MIT
#include "simulator/light/expected_photons.hpp"
#include <algorithm>
#include "simulator/light/device_light.hpp"

namespace synthoscope::simulator {
namespace {

template <class Real>
void finish(const Box3& core, HostView3<const Real> in, HostView3<float> out, double background,
            const Illumination& illumination) {
  SYNTHOSCOPE_ASSERT(in.extent(), ==, out.extent());
  const bool is_even = illumination.is_even();
  for (std::int64_t z = 0; z < in.extent().z; ++z)
    for (std::int64_t y = 0; y < in.extent().y; ++y) {
      const Real* blurred = in.row(z, y);
      float* photons = out.row(z, y);
      for (std::int64_t x = 0; x < in.extent().x; ++x) {
        const double sum = std::max(static_cast<double>(blurred[x]), 0.0) + background;
        const double lit =
            is_even ? sum : sum * illumination.at(core.origin.y + y, core.origin.x + x);
        photons[x] = static_cast<float>(lit);
      }
    }
}

}  // namespace

ExpectedPhotons::ExpectedPhotons(double background, const Illumination& illumination)
    : background_{background}, illumination_{illumination} {}

std::unique_ptr<cuda::DeviceEpilogue> ExpectedPhotons::make_on_device() {
  return device::make_device_photons(background_, illumination_);
}

void ExpectedPhotons::apply(const Box3& core, HostView3<const float> in, VoxelView out) {
  finish(core, in, out.as<float>(), background_, illumination_);
}

void ExpectedPhotons::apply(const Box3& core, HostView3<const double> in, VoxelView out) {
  finish(core, in, out.as<float>(), background_, illumination_);
}

}  // namespace synthoscope::simulator
