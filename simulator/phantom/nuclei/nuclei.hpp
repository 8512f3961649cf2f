// SPDX-License-Identifier: MIT
// simulator/phantom/nuclei/nuclei.hpp — a population of nuclei, drawn and placed, and its memory.
#pragma once
#include <cstdint>
#include <vector>
#include "core/run/run_context.hpp"
#include "simulator/phantom/nuclei/placement.hpp"

namespace synthoscope::simulator {

/// Draws and places the nuclei of a valid `spec`. Progress advances by one for each.
/// @throws InvalidSpec  as place(). @throws Interrupted  context.stop was set.
std::vector<Nucleus> make_nuclei(const NucleiSpec& spec, const Grid& grid, std::uint64_t seed,
                                 const RunContext& context);

/// Upper bound of the nuclei of lower number that can touch a nucleus, and of the capacity of their
/// list, which grows by doubling.
inline constexpr std::int64_t kMostNeighbours = 32;

/// Bytes for each nucleus that place() places: CentreRegion, Pushed and orders of Placing.
inline constexpr std::int64_t kPlacingBytes =
    std::int64_t{sizeof(CentreRegion) + sizeof(Pushed) + 4 * sizeof(std::size_t)};

/// Returns the bytes of a nucleus' support, which is allocated separately.
std::int64_t support_bytes();

/// Returns the bytes that making and keeping a nucleus takes.
std::int64_t nucleus_bytes(const NucleiSpec& spec);

/// Returns the largest number of lobes of a nucleus, and of bridges between them.
inline std::int64_t most_lobes_and_bridges(const NucleiSpec& spec) {
  return 2 * spec.most_lobes - 1;
}

}  // namespace synthoscope::simulator
