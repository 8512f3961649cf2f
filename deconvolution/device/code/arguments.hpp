// SPDX-License-Identifier: MIT
// deconvolution/device/code/arguments.hpp — arguments of device code. Host and device compile this
// file.
#pragma once
#include "fftconv/device/code/arguments.hpp"

namespace synthoscope::deconvolution::device {

using fftconv::device::Count;

/// Positions of an axis of the estimate that see the same part of the kernel are one class; those
/// between `front` and `back` see all of it.
struct ShareAxis {
  int front = 0, back = 0;
};

/// 1 / (H^T 1) of all classes, [z, y, x]; 0 for those that take no part.
struct Shares {
  const float* inverse = nullptr;
  ShareAxis z, y, x;
  int rows = 1, columns = 1;  ///< of a plane of the table
  /// Of the estimate of a part of the field (FieldPart), in the whole one.
  int first_plane = 0, first_row = 0;
};

/// Rows of H u become rows of the residual d = (f - e) / e, where e is max(H u + b, least).
struct ResidualRows {
  fftconv::device::SpectrumRows rows;
  const float* image = nullptr;   ///< f of the first plane, without gaps
  double* likelihoods = nullptr;  ///< of the rows: the sum of f ln(e) - e
  int width = 0;                  ///< voxels of a row
  float background = 0, least = 0;
};

/// Rows of H^T d become rows of the next estimate; with momentum, of the point beyond it.
struct UpdateRows {
  fftconv::device::SpectrumRows rows;
  float* light = nullptr;   ///< x, of the first plane, without gaps
  float* before = nullptr;  ///< with momentum the x before it, which the next one replaces;
                            ///< otherwise the next one replaces x
  Shares shares;
  int first_plane = 0;  ///< number of the first plane
  int width = 0;
  float momentum = 0, next_momentum = 0;  ///< weights of the steps from `before` to x, and from x
  float least = 0;                        ///< light that momentum does not lead below
};

/// Rows of spectra to which those of another part of the field are added, [plane, row], without
/// gaps.
struct AddedRows {
  fftconv::device::SpectrumRows rows;
  const float2* others = nullptr;
};

/// An even estimate.
struct EvenLight {
  float* light = nullptr;  ///< of the first plane, without gaps
  Shares shares;
  int first_plane = 0;           ///< number of the first plane
  int row_count = 0, width = 0;  ///< rows of a plane, voxels of a row
  float value = 0;
};

/// The sum of many numbers, in pieces of neighbours.
struct SumOfRows {
  const double* of_rows = nullptr;
  double* of_pieces = nullptr;
  Count count = 0;
};
inline constexpr int kSumThreads = 256, kSumPieces = 256;

/// The point beyond x, in the place of the x before it.
struct BeyondLight {
  const float* light = nullptr;
  float* before = nullptr;
  Count count = 0;
  float momentum = 0, least = 0;  ///< as of UpdateRows
};

}  // namespace synthoscope::deconvolution::device
