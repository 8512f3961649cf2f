// SPDX-License-Identifier: MIT
// simulator/phantom/tissue/plain_tissue.hpp — the cells of a tissue in arrays of plain data;
// compiled for host and devices.
#pragma once
#include <cstdint>
#include "simulator/phantom/nuclei/plain_nuclei.hpp"
#include "simulator/phantom/tissue/tissue_light.hpp"

namespace synthoscope::simulator::device {

/// A tissue cell and where its sides begin in the array.
struct PlainTissueCell {
  int first_side = 0, side_count = 0;
  int nucleus = -1;  ///< among all nuclei; none below 0
};

/// The arrays are owned elsewhere.
struct PlainTissue {
  const PlainTissueCell* all = nullptr;
  const HalfSpace* sides = nullptr;
  TissueStain stain;
  int noise_shift = 0;  ///< number of a nucleus' texture minus number of the nucleus

  [[nodiscard]] ConvexShape shape(std::int64_t number) const {
    return {sides + all[number].first_side, all[number].side_count, 0};
  }
};

struct TissueCellBody {
  static constexpr bool kHasLobes = true;
  static double light(const auto& p, std::int32_t number, const Vector3& centre) {
    const int nucleus = p.tissue.all[number].nucleus;
    const double covered = nucleus < 0 ? 0 : p.nuclei.at(nucleus).coverage(centre, p.pitch);
    const double light =
        light_around_nucleus(p.tissue.shape(number), p.tissue.stain, covered, centre, p.pitch);
    return covered == 0 ? light
                        : light + light_of_nucleus(p.nuclei, nucleus,
                                                   nucleus + p.tissue.noise_shift, centre, p.pitch);
  }
  static bool contains(const auto& p, std::int32_t number, const Vector3& point) {
    return p.tissue.shape(number).contains(point);
  }
};

}  // namespace synthoscope::simulator::device
