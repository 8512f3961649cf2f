// SPDX-License-Identifier: MIT
// core/math/linear_system.hpp — small systems of linear equations.
#pragma once
#include <vector>

namespace synthoscope {

/// Solves A x = b for several b by elimination with the largest pivot of each column.
/// @param rows  n rows of A, each of n numbers, and behind them those of each b, which become x.
/// @returns whether there is a solution: no pivot is below 1e-10. Where there is none, the rows are
///          of no use.
bool solve_linear(std::vector<std::vector<double>>& rows);

}  // namespace synthoscope
