// SPDX-License-Identifier: MIT
// simulator/phantom/cells/missing_organelles.hpp — requested organelles that did not fit into
// cells.
#pragma once
#include <span>
#include <string>
#include <vector>
#include "core/base/log.hpp"
#include "simulator/phantom/cells/cell.hpp"

namespace synthoscope::simulator {

/// Returns a sentence for each of mitochondria, vesicles and spots that did not all fit into
/// `cells`: the key, how many were placed, and how many were requested.
std::vector<std::string> missing_organelles(const CellsSpec& spec, std::span<const Cell> cells);

/// Logs each as a warning.
void warn_of_missing_organelles(const CellsSpec& spec, std::span<const Cell> cells, Log& log);

}  // namespace synthoscope::simulator
