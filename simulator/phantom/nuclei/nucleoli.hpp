// SPDX-License-Identifier: MIT
// simulator/phantom/nuclei/nucleoli.hpp — draws the nucleoli of a nucleus.
#pragma once
#include <vector>
#include "simulator/phantom/geometry/draws.hpp"
#include "simulator/phantom/nuclei/nuclei_spec.hpp"
#include "simulator/phantom/nuclei/nucleus_shape.hpp"

namespace synthoscope::simulator {

/// Draws nucleoli in turn for each of `lobes`, wholly inside and, if there is space, apart. Draws,
/// fixed by contract: from 16640 + 64 * i on, the place of nucleolus i.
std::vector<Nucleolus> draw_nucleoli(const NucleiSpec& spec, const Draws& draws,
                                     const std::vector<Lobe>& lobes);

/// Draws nucleoli of spec.nucleolus_height, a part of one after another. Their middles lie near the
/// middle plane of their lobe and, if there is space, apart; what lies outside the nucleus is cut
/// off. Draws: from 22656 + 64 * i on, places of nucleolus i in 58 tries, its size (58), its number
/// of parts and first direction (59), and parts 1 to 4 (60 to 63).
/// @param own_axes  from the grid's axes to the nucleus'
std::vector<Nucleolus> draw_round_nucleoli(const NucleiSpec& spec, const Draws& draws,
                                           const std::vector<Lobe>& lobes, const Matrix3& own_axes);

}  // namespace synthoscope::simulator
