// SPDX-License-Identifier: MIT
// simulator/phantom/kind/intensity_keys.hpp — the keys that say how much the objects of a kind
// differ in their light.
#pragma once
#include <fmt/format.h>
#include <string_view>
#include "simulator/base/range.hpp"

namespace synthoscope::simulator {

/// Lists the key of the spread of light. @param many  "nuclei"
template <class Rows>
void list_intensity_keys(Rows& rows, std::string_view many) {
  using Spec = typename Rows::Spec;
  rows.add("intensity_spread", "", Range{0, 2},
           fmt::format("standard deviation of the natural logarithm of the factor that multiplies "
                       "all light of one of the {}. The factor is log-normal with a mean of 1, and "
                       "is the same in all channels and frames; objects.csv has it as brightness",
                       many),
           &Spec::intensity_spread);
  if constexpr (requires { &Spec::intensity_size_correlation; })
    rows.add("intensity_size_correlation", "", Range{-1, 1},
             fmt::format("correlation of the logarithm of this factor with the size of {}: at 1 "
                         "larger ones are brighter per volume, at -1 they are darker",
                         many),
             &Spec::intensity_size_correlation);
  if constexpr (requires { &Spec::uneven_stain; })
    rows.add("uneven_stain", "", Range{0, 1},
             fmt::format("how unevenly each of the {} is stained: in a random direction, which is "
                         "fixed to it, the stain changes linearly, to more by this part of its "
                         "mean at one end and less at the other",
                         many),
             &Spec::uneven_stain);
}

}  // namespace synthoscope::simulator
