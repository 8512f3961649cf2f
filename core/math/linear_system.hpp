// SPDX-License-Identifier: MIT
// core/math/linear_system.hpp — small systems of linear equations.
#pragma once
#include <vector>

namespace synthoscope {

/// Solves A x = b for several b by elimination with the largest pivot of each column.
/// @param rows  n rows: the n numbers of a row of A, then one number of each b; b is replaced by x.
/// @returns true if every pivot is at least 1e-10; otherwise the rows hold no solution.
bool solve_linear(std::vector<std::vector<double>>& rows);

}  // namespace synthoscope
