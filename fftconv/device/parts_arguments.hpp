// SPDX-License-Identifier: MIT
// fftconv/device/parts_arguments.hpp — what device code of frequency parts is told; read by both
// compilers, as arguments.hpp.
#pragma once
#include "fftconv/device/arguments.hpp"

namespace synthoscope::fftconv::device {

/// Planes of voxels that share a plane of a part, and the factor of each: those of plane m are
/// entries begin[m] .. begin[m + 1] - 1.
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

/// Rows of a part's spectra to what they bring to voxels: Re(conj(rotation) part) for every plane
/// of voxels that shares theirs.
struct UnfoldRows {
  const float2* spectra = nullptr;
  float* voxels = nullptr;
  const float2* factors = nullptr;
  Sharing sharing;
  int row_count = 0, width = 0;  ///< that are stored, from the first on
  Count voxel_row = 0, voxel_plane = 0, spectrum_row = 0, spectrum_plane = 0;
  bool adds = false;  ///< to what is stored already
};

}  // namespace synthoscope::fftconv::device
