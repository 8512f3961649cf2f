// SPDX-License-Identifier: MIT
// fftconv/device/code/arguments.hpp — arguments of device code. Host and device compile this file,
// so it includes nothing.
#pragma once

struct float2;  // CUDA's: two floats, here the real and the imaginary part

namespace synthoscope::fftconv::device {

using Count = long long;  ///< of elements of a volume: 64 bits for both compilers

/// Which elements of a line are present, and the slot (a plane or a row) of each.
enum class Choice {
  all,     ///< element e in slot e
  front,   ///< the first `count` elements, e in slot e
  listed,  ///< element e in slot slots[e], where that is not negative
};

struct Elements {
  int count = 0;
  const int* slots = nullptr;
};

/// `convolve` and `correlate` transform forward, multiply by a transfer function, or by its
/// conjugate, and transform back.
enum class Pass { forward, inverse, convolve, correlate };

/// Columns across the rows of planes, or across planes. Counts are complex values.
struct Columns {
  const float2* in = nullptr;
  float2* out = nullptr;             ///< may be `in`, or `transfer`
  const float2* transfer = nullptr;  ///< in the order in which the forward pass leaves spectra
  const float2* factors = nullptr;
  Count apart = 0;        ///< from one slot to the next
  Count batch_apart = 0;  ///< from one set of columns (the grid's y) to the next
  Elements loaded;        ///< the others are zero
  Elements stored;
  // For planes that are transformed in classes of rows (planes.cuh)
  const float2* class_turns = nullptr;  ///< exp(-2 pi i e f / n) of class e, frequency f: [row][e]
  int row = 0;                          ///< complex values of a row of all classes
};

/// Products of planes that are summed: result v is the sum over taps j of image slot
/// partners[v taps + j] times kernel plane j; a negative slot is no plane.
struct PlaneSums {
  const float2* image = nullptr;
  const float2* kernel = nullptr;
  float2* result = nullptr;
  const int* partners = nullptr;
  int taps = 0;
  Count plane = 0;  ///< complex values of one, and from one to the next
  bool adds = false;
  const float2* class_turns = nullptr;  ///< as Columns'; with classes, kernel planes are whole
  int row = 0;                          ///< complex values of a row of a class
};

/// Where a row comes from and where it belongs.
struct PlacedRow {
  int source = 0, position = 0;
};

/// Which positions of a row's transform have a voxel.
enum class Placing {
  whole,  ///< all, each its own
  front,  ///< the first ones, each its own
  listed,
};

/// Rows of native voxels to rows of spectra; voxel -> scale (voxel - background).
struct RowsForward {
  const void* voxels = nullptr;
  float2* spectra = nullptr;
  const float2* factors = nullptr;
  const float2* half_shift = nullptr;  ///< exp(-i pi m / (2 M))
  const PlacedRow* rows = nullptr;     ///< null: each its own
  int row_count = 0, planes = 0;       ///< rows of a plane, below 2^31 of all together
  int width = 0;                       ///< voxels of a row where they are placed at the front
  /// Where they are listed, position p of the transform is voxel |columns[p]| - 1, with its sign;
  /// 0 where there is none.
  const int* columns = nullptr;
  Count voxel_row = 0, voxel_plane = 0;        ///< from one to the next, in voxels
  Count spectrum_row = 0, spectrum_plane = 0;  ///< in complex values
  const float* plane_scale = nullptr;          ///< times this, per plane; null: 1
  double scale = 1, background = 0;
};

/// Rows of spectra to rows of voxels, stored as the kernel's type says.
struct RowsBack {
  float2* spectra = nullptr;  ///< a separate pass along y works in place
  void* voxels = nullptr;
  unsigned long long* counts = nullptr;  ///< of clipped and of non-finite voxels are added; or null
  const float2* factors = nullptr;
  const float2* half_shift = nullptr;
  int row_count = 0, planes = 0;  ///< rows of a plane, below 2^31 of all together
  int width = 0;                  ///< voxels that are stored, from the first on
  Count voxel_row = 0, voxel_plane = 0, spectrum_row = 0, spectrum_plane = 0;
};

/// Planes of voxels to planes of spectra (planes.cuh). Of `rows`, `factors` are plane_row_factors,
/// and `rows` and `row_count` are not used.
struct PlanesForward {
  RowsForward rows;
  const float2* column_factors = nullptr;
  const float2* turns = nullptr;  ///< exp(-2 pi i f r / n) of block r, [position of f][r]
  Elements loaded;                ///< rows of a plane; where they are listed, `slots` is their row
                                  ///< in the source
  bool copied = false;  ///< rows lie at multiples of 16 bytes and have such, so that no thread need
                        ///< load them
  unsigned* drawn = nullptr;  ///< by clusters, of the classes of planes (planes.cuh)
  /// For planes that come back: in the columns that block b of a cluster takes, frequency q across
  /// the blocks is multiplied by exp(2 pi i q b / blocks), as PlanesBack expects it.
  bool turned = false;
};

/// What the device's copying unit knows of an array (CUtensorMap).
struct alignas(64) TensorMap {
  unsigned long long words[16] = {};
};

/// Planes of spectra to planes of voxels.
struct PlanesBack {
  RowsBack rows;
  const float2* column_factors = nullptr;
  const float2* turns = nullptr;
  unsigned* drawn = nullptr;
  TensorMap spectra;  ///< [frequency across blocks][position][turns][value]
};

/// Planes of voxels, convolved, to planes of voxels. Of `forward`, spectra are not used; of `back`,
/// spectra, factors and counts of planes are not.
struct PlanesConvolve {
  PlanesForward forward;
  RowsBack back;
  const float2* transfer = nullptr;  ///< of a plane, as PlanesForward leaves spectra, not turned
};

/// Rows of spectra that become voxels, are changed and become spectra again, in place (change.cuh).
struct SpectrumRows {
  float2* spectra = nullptr;
  const float2* factors = nullptr;
  const float2* half_shift = nullptr;
  int row_count = 0, planes = 0;               ///< rows of a plane, below 2^31 of all together
  Count spectrum_row = 0, spectrum_plane = 0;  ///< from one to the next, in complex values
};

/// Columns that a library transforms: they are copied to a strip, [element, column], and back.
struct StripOfColumns {
  Columns columns;
  float2* strip = nullptr;
  int length = 1;   ///< elements of a column
  Count first = 0;  ///< column of the spectra that the strip begins with
  int width = 0;    ///< columns of the strip
  Choice loaded = Choice::all, stored = Choice::all;
  bool adds = false;        ///< to what is stored
  bool conjugates = false;  ///< the transfer function
};

}  // namespace synthoscope::fftconv::device
