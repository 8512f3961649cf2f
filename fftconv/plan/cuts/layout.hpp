// SPDX-License-Identifier: MIT
// fftconv/plan/cuts/layout.hpp — where spectra are in memory, and how much memory a run needs.
#pragma once
#include <cstdint>
#include <vector>
#include "fftconv/axis.hpp"
#include "fftconv/plan.hpp"
#include "fftconv/plan/cuts/decimation.hpp"

namespace synthoscope::fftconv {

/// Bytes of the widest vector register (AVX-512). On every machine, rows of a spectrum are padded
/// to whole registers of this size, so that plans do not depend on the instruction set.
inline constexpr std::int64_t kLaneBytes = 64;

/// Sizes of a run. Counts are in Reals unless they say bytes.
struct Layout {
  AxisGeometry z;         ///< of the work problem
  AxisGeometry y, x;      ///< of the work problem, or of one tile of it
  Extent3 transform;      ///< T, Ny, Nx
  std::int64_t half = 1;  ///< complex values along x: Nx / 2, at half-integer frequencies
  std::int64_t real_bytes = 4;
  std::int64_t row_reals = 0;      ///< one row of a plane's spectrum, padded to kLaneBytes
  std::int64_t column_reals = 0;   ///< all rows of a plane's spectrum
  std::int64_t plane_reals = 0;    ///< from one plane to the next: apart by an odd number of lane
                                   ///< elements, so that a column spreads over all cache sets
  std::int64_t turn_planes = 1;    ///< results of one turn of the ring; all of them in-core
  std::int64_t ring_planes = 0;    ///< image spectra held at once
  std::int64_t result_planes = 0;  ///< separate memory for the result; 0 if the ring's is reused
  std::int64_t kernel_planes = 0;
  std::int64_t transfer_reals = 0;  ///< all columns of the kernel's spectrum, if they are kept
  bool direct_z = false;            ///< no transform along z: transform.z is 1
  std::int64_t parts = 0;           ///< R; then planes are the real and imaginary ones of one part
  bool parts_on_disk = false;       ///< finished parts wait in a file, not in memory
  bool along_y = false;             ///< planes of these parts are rows of the volume
};

/// The problem as planes and columns. A 2-D image is one plane: its rows become planes of one row,
/// so that there is work for all threads and no padding along y.
Problem work_problem(const Problem& problem);

/// Returns the work problem of a plan with this cut: z and y are swapped if the cut is along y.
Problem work_problem(const Problem& problem, const Cut& cut);

/// Returns the layout of every tile and turn of `cut`; with several tiles, y and x are those of the
/// first.
Layout make_layout(const Problem& work, const Extent3& transform, const Cut& cut);

/// Returns the layout of an in-core run, which makes the whole result at once.
Layout make_layout(const Problem& work, const Extent3& transform);

/// A tile: results [y, y + rows) x [x, x + columns) of the work problem.
struct Tile {
  std::int64_t y = 0, rows = 0, x = 0, columns = 0;
};
Layout layout_of_tile(const Layout& layout, const Problem& work, const Cut& cut, const Tile& tile);

/// Returns the decimation into R parts of M = transform.z planes. @param layout  of a cut in parts
Decimation decimation_of(const Layout& layout);

/// Returns the number of real voxels of all finished parts, cropped to the result.
std::int64_t kept_parts_voxels(const Layout& layout);

/// Returns the layout of one part: 2 M real and imaginary planes are read, and as many are made.
Layout layout_of_part(const Layout& layout);

/// Returns the tiles of the result, row by row: one tile if the result is not cut.
std::vector<Tile> tiles_of(const Problem& work, const Cut& cut);

/// Returns pieces of planes of planes.y x planes.x, each of at most `rows` x `columns`.
std::vector<Tile> tiles_of(const Extent3& planes, std::int64_t rows, std::int64_t columns);

/// Returns whether results are finished in pieces of planes, or as sums over parts.
bool cuts_planes(const Problem& work, const Cut& cut);

/// Returns whether a run of the plan finishes whole planes of the volume in z order.
bool finishes_in_order(const Plan& plan);

/// Returns the extent of the result of the work problem.
Extent3 wanted_extent(const Problem& work);

/// Returns the Reals from one scratch row to the next: Nx, and room for vectors that reach past it.
std::int64_t row_pitch(const Layout& layout);

/// The planes that a thread transforms at once, and the slabs of `rows` rows in which they are read
/// and written. Small planes are transformed together, so that every vector lane has a row; large
/// ones are read in slabs, so that a thread's buffers are small.
struct Slabs {
  std::int64_t planes = 1, rows = 1;
};

/// Returns the slabs for `planes` planes of `rows` rows of `row_bytes` bytes.
Slabs slabs_for(std::int64_t planes, std::int64_t rows, std::int64_t row_bytes);

/// Returns the voxels of the largest slab in any tile: at most `planes` x `rows` x `columns`.
std::int64_t slab_voxels(std::int64_t planes, std::int64_t rows, std::int64_t columns);

/// Returns the number of entries in the table of BoxSums: one if the boundary extends the image.
std::int64_t box_sum_entries(const Problem& work);

/// Returns the planes that are written at once to a sink that takes them in order: twice as many as
/// all threads transform at once, so that no thread waits for another; all rows of a flat image,
/// which is one plane.
std::int64_t waiting_planes(const Layout& layout, bool rows_as_planes, int threads);

/// Returns the memory of a run on the host with one thread.
std::vector<MemoryItem> memory_of(const Layout& layout, const Problem& work);

/// Returns the memory that a run needs on the host as well as with a GPU: for removing the mean,
/// and for a sink that takes planes in order, of which `waiting_planes` wait to be written.
std::vector<MemoryItem> common_memory(const Layout& layout, const Problem& work,
                                      std::int64_t waiting_planes);

/// Buffers of one thread, in bytes.
struct ScratchSizes {
  std::int64_t native = 0;    ///< voxels in the pixel type of a source or a sink
  std::int64_t computed = 0;  ///< a slab of finished voxels
  std::int64_t rows = 0;      ///< real rows, one per lane
  std::int64_t line = 0;      ///< lane elements of the longest line; two such buffers
  std::int64_t fold = 0;      ///< voxels of one plane that are folded into a part
  [[nodiscard]] std::int64_t total() const { return native + computed + rows + 2 * line + fold; }
};

ScratchSizes scratch_sizes(const Layout& layout, const Problem& work);

/// Returns the memory for unfolding pieces of `voxels` voxels: both planes of a part, a result for
/// every slab, and one as it is stored.
std::int64_t unfold_bytes(const Decimation& decimation, std::int64_t voxels,
                          std::int64_t real_bytes);

/// Returns the memory of a thread: its scratch, or the least that unfolding needs, if that is more.
std::int64_t thread_bytes(const Layout& layout, const Problem& work);

}  // namespace synthoscope::fftconv
