// SPDX-License-Identifier: MIT
#include "fftconv/device/parts/tables.hpp"
#include <algorithm>

namespace synthoscope::fftconv::device {
namespace {

void append(std::vector<float>& rotations, std::complex<double> rotation) {
  rotations.push_back(static_cast<float>(rotation.real()));
  rotations.push_back(static_cast<float>(rotation.imag()));
}

}  // namespace

SharedPlanes shared_when_folded(const FoldInput& input, const Decimation& decimation,
                                const std::vector<std::int64_t>& kept) {
  std::vector<std::vector<const FoldInput::Plane*>> meeting(kept.size());
  for (const FoldInput::Plane& plane : input.planes) {
    const auto at = std::lower_bound(kept.begin(), kept.end(), decimation.plane_of(plane.position));
    meeting[static_cast<std::size_t>(at - kept.begin())].push_back(&plane);
  }
  SharedPlanes shared;
  for (const auto& planes : meeting) {
    for (const auto* plane : planes) shared.planes.push_back(static_cast<int>(plane->source));
    shared.begin.push_back(static_cast<int>(shared.planes.size()));
  }
  for (std::int64_t part = 0; part < decimation.parts; ++part)
    for (const auto& planes : meeting)
      for (const auto* plane : planes)
        append(shared.rotations,
               rotation(decimation, part, plane->position) * input.scale * plane->weight);
  return shared;
}

SharedPlanes shared_when_unfolded(const Decimation& decimation, std::int64_t wanted) {
  SharedPlanes shared;
  for (std::int64_t m = 0; m < decimation.planes; ++m) {
    for (std::int64_t v = m; v < wanted; v += decimation.planes)
      shared.planes.push_back(static_cast<int>(v));
    shared.begin.push_back(static_cast<int>(shared.planes.size()));
  }
  for (std::int64_t part = 0; part < decimation.parts; ++part)
    for (const int v : shared.planes) append(shared.rotations, rotation(decimation, part, v));
  return shared;
}

SharedPlanes shared_in_pairs(std::int64_t planes) {
  SharedPlanes shared;
  for (int i = 0; i < static_cast<int>(planes); ++i) {
    shared.planes.insert(shared.planes.end(), {2 * i, 2 * i + 1});
    shared.begin.push_back(2 * i + 2);
    append(shared.rotations, {1, 0});
    append(shared.rotations, {0, 1});
  }
  return shared;
}

}  // namespace synthoscope::fftconv::device
