// SPDX-License-Identifier: MIT
// fftconv/lines/kind.hpp — what lines of a transform are.
#pragma once

namespace synthoscope::fftconv {

/// Rows are real, of half as many complex values. Columns along z are transformed forward,
/// multiplied and transformed back.
enum class LineKind { row, column, along_z };

}  // namespace synthoscope::fftconv
