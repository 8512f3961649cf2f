// SPDX-License-Identifier: MIT
// fftconv/lines/plane_shape.hpp — how clusters of blocks transform whole planes
// (device/code/planes.cuh), and which planes they transform faster than rows and columns one after
// the other.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>
#include "fftconv/lines/shape.hpp"

namespace synthoscope::fftconv::device {

/// A plane of `classes` * `cluster` * columns.length rows of rows.length complex values. Rows y = e
/// (modulo classes) are class e, which a cluster transforms; columns along z put classes together.
/// Threads of lines are not used.
struct PlaneShape {
  LineShape rows;
  LineShape columns;  ///< of one block, before values of all blocks are put together
  int cluster = 0;    ///< blocks; 0: planes are not transformed so
  int classes = 1;
  int threads = 0;  ///< of a block
  int blocks = 1;   ///< of a multiprocessor at once, at least
  [[nodiscard]] int rows_of_class() const { return cluster * columns.length; }
  [[nodiscard]] int rows_of_plane() const { return classes * rows_of_class(); }
  friend bool operator==(const PlaneShape&, const PlaneShape&) = default;
};

/// Shared memory that a block asks for.
std::int64_t shared_bytes_of(const PlaneShape& shape);

/// Spectra of planes as an array of four axes. Blocks copy boxes of this array.
/// - Axis 0, the fastest: the 16 values of one turn of each class (lines/plane_room.hpp),
///   or a row without classes.
/// - Axis 1: these groups in a row.
/// - Axis 2: positions of a block's columns.
/// - Axis 3: frequencies across the blocks, of all planes.
struct CopiedBoxes {
  std::array<std::int64_t, 4> lengths{};
  std::array<std::int64_t, 3> steps{};  ///< bytes from one element to the next, of axes 1 to 3
  std::array<int, 4> box{};             ///< that is copied at once
};
CopiedBoxes copied_boxes(const PlaneShape& shape, std::int64_t planes);

/// Returns whether device code can be made for the shape, and a device runs it if it has clusters
/// of this size.
bool is_possible(const PlaneShape& shape, const BlockLimits& limits);

/// Factors as device code reads them, re and im, computed in double: of rows, with the half shift;
/// of columns; exp(-2 pi i f r / n) of block r at the position of frequency f; and
/// exp(-2 pi i e f / rows) of class e in row f of a class's spectrum.
struct PlaneFactors {
  std::vector<float> rows, columns, turns, class_turns;
};
PlaneFactors plane_factors_of(const PlaneShape& shape);

/// Passes over planes, and over columns along z of what they give.
struct PlanePasses {
  PlaneShape planes;
  BlockShape columns_z;
  int percent = 50;  ///< bytes moved over planes, in percent of a copy's in the same time, as
                     ///< measured; the mean of both directions, or of a convolution of planes by
                     ///< themselves, whose voxels alone are moved
  [[nodiscard]] bool any() const { return planes.cluster > 0; }
};

/// Rows of a plane, and complex values of a row.
struct PlaneSize {
  std::int64_t rows = 1, half = 1;
};

/// Returns whether some device has tuned passes for a plane.
bool has_tuned_plane(const PlaneSize& plane);

/// Returns the size of plane_factors_of, in floats; no shape of such planes has more.
std::int64_t most_plane_factor_floats(const PlaneSize& plane);

/// Counters of 4 bytes from which launches draw classes of planes: none is used again while its
/// launch may run.
inline constexpr int kPlaneCounters = 64;

/// Returns the passes that a shape makes, or none if the device or the length along z rules it out.
/// @param length_z  points along z; 0 without transforms along z
PlanePasses plane_passes(const PlaneShape& planes, std::int64_t length_z,
                         const BlockLimits& limits);

/// Returns the shapes of all tuned passes.
std::vector<PlaneShape> tuned_planes();

/// Returns the passes where they were measured to be faster than rows and columns one after the
/// other, else none. @param length_z  points along z; 0 where planes are summed
PlanePasses tuned_plane_passes(const PlaneSize& plane, std::int64_t length_z,
                               const BlockLimits& limits);

/// The same for planes that are convolved each by itself: they have no classes.
PlanePasses tuned_passes_alone(const PlaneSize& plane, const BlockLimits& limits);

}  // namespace synthoscope::fftconv::device
