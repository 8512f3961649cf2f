// SPDX-License-Identifier: MIT
// simulator/phantom/target/target.hpp — test targets: points, lines, shells and a star.
#pragma once
#include <variant>
#include <vector>
#include "simulator/base/grid.hpp"
#include "simulator/phantom/target/target_members.hpp"
#include "simulator/phantom/target/target_spec.hpp"

namespace synthoscope::simulator {

/// The members of a target in the order of the lattice, z slowest; a target without members is
/// dark.
using Target = std::variant<std::vector<PointTarget>, std::vector<LineTarget>,
                            std::vector<ShellTarget>, std::vector<StarTarget>>;

/// Makes the target of a valid `spec` on `grid`; nothing is random.
Target make_target(const TargetSpec& spec, const Grid& grid);

}  // namespace synthoscope::simulator
