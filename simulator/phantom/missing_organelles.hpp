// SPDX-License-Identifier: MIT
// simulator/phantom/missing_organelles.hpp — what a cell was to have and had no room for.
#pragma once
#include <span>
#include <string>
#include <vector>
#include "core/base/log.hpp"
#include "simulator/phantom/cell.hpp"

namespace synthoscope::simulator {

/// A sentence for each of mitochondria, vesicles and spots of which some found no place in `cells`:
/// which key, how many lie in them, and how many were to.
std::vector<std::string> missing_organelles(const CellsSpec& spec, std::span<const Cell> cells);

/// Warns of each.
void tell_missing_organelles(const CellsSpec& spec, std::span<const Cell> cells, Log& log);

}  // namespace synthoscope::simulator
