// SPDX-License-Identifier: MIT
#include "simulator/light/expected_photons.hpp"
#include <algorithm>
#include <utility>
#include <vector>
#include "simulator/light/device_light.hpp"

namespace synthoscope::simulator {
namespace {

template <class Real>
void finish(const Box3& core, HostView3<const Real> in, HostView3<float> out,
            const Background& background, const Illumination& illumination) {
  SYNTHOSCOPE_ASSERT(in.extent(), ==, out.extent());
  const bool is_even = illumination.is_even(), has_even_background = background.is_even();
  std::vector<double> row(has_even_background ? 0 : static_cast<std::size_t>(in.extent().x));
  for (std::int64_t z = 0; z < in.extent().z; ++z)
    for (std::int64_t y = 0; y < in.extent().y; ++y) {
      const Real* blurred = in.row(z, y);
      float* photons = out.row(z, y);
      if (!has_even_background)
        background.row(core.origin.z + z, core.origin.y + y, core.origin.x, in.extent().x,
                       row.data());
      for (std::int64_t x = 0; x < in.extent().x; ++x) {
        const double sum =
            std::max(static_cast<double>(blurred[x]), 0.0) +
            (has_even_background ? background.photons() : row[static_cast<std::size_t>(x)]);
        const double lit =
            is_even ? sum : sum * illumination.at(core.origin.y + y, core.origin.x + x);
        photons[x] = static_cast<float>(lit);
      }
    }
}

}  // namespace

ExpectedPhotons::ExpectedPhotons(Background background, const Illumination& illumination)
    : background_{std::move(background)}, illumination_{illumination} {}

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
