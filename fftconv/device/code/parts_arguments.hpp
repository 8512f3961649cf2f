// SPDX-License-Identifier: MIT
// fftconv/device/code/parts_arguments.hpp — arguments of device code of frequency parts; host and
// device compile this file, like arguments.hpp.
#pragma once
#include "fftconv/device/code/arguments.hpp"

namespace synthoscope::fftconv::device {

/// Planes of voxels that contribute to a plane of a part, and the factor of each: those of plane m
/// are entries begin[m] .. begin[m + 1] - 1.
struct Sharing {
  const int* begin = nullptr;
  const int* planes = nullptr;        ///< of voxels
  const float2* rotations = nullptr;  ///< of one part (decimation.hpp), with all that scales
  int first = 0;                      ///< plane of voxels that the memory begins with
};

/// Rows of native voxels to rows of a part's spectra, complex along x: plane m is the sum of
/// rotation (voxel - background) over the planes that share it.
struct FoldRows {
  const void* voxels = nullptr;
  float2* spectra = nullptr;
  const float2* factors = nullptr;
  Sharing sharing;
  const PlacedRow* rows = nullptr;  ///< of a plane
  int row_count = 0;
  int width = 0;                 ///< voxels of a row where they are placed at the front
  const int* columns = nullptr;  ///< RowsForward::columns where they are listed, without signs
  Count voxel_row = 0, voxel_plane = 0;        ///< from one to the next, in voxels
  Count spectrum_row = 0, spectrum_plane = 0;  ///< in complex values
  double background = 0;
};

/// Rows of a part's spectra to rows of two planes of voxels, the real and the imaginary one.
struct PartRowsBack {
  const float2* spectra = nullptr;
  float* voxels = nullptr;
  const float2* factors = nullptr;
  int row_count = 0, width = 0;  ///< that are stored, from the first on
  Count voxel_row = 0, voxel_plane = 0, spectrum_row = 0, spectrum_plane = 0;
  Count imaginary = 0;  ///< from the real plane to the imaginary one, in voxels
};

/// Planes m of all parts, real and imaginary ones, to the planes of the result that share them, in
/// their place: voxel v of plane `begin + i` is the sum over the parts, the first one first, of
/// Re(conj(rotation) part).
struct UnfoldParts {
  float* planes = nullptr;     ///< slot s of the i-th plane m is plane s * count + i: part p lies
                               ///< in slots 2p and 2p + 1, the i-th result of a plane in slot i
  const int* begin = nullptr;  ///< as Sharing's
  const float2* rotations = nullptr;     ///< of the first part
  Count entries = 0;                     ///< from one part's rotations to the next's
  Count count = 0;                       ///< planes m
  Count plane = 0;                       ///< voxels of a plane
  unsigned long long* counts = nullptr;  ///< takes up clipped and non-finite results, or null
};
inline constexpr int kUnfoldThreads = 256;

/// More do not stay in the registers of a thread that unfolds.
inline constexpr int kPartsInRegisters = 32;

/// Voxels of a plane that a thread unfolds, which share what it reads of the rotations; as many as
/// find room in its registers.
constexpr int unfolded_together(int parts) {
  return parts <= 16 ? 2 : 1;
}

}  // namespace synthoscope::fftconv::device
