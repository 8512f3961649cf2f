// SPDX-License-Identifier: MIT
// fftconv/plan/gpu/parts_layout.hpp — memory and traffic of a convolution in frequency parts on a
// device.
//
// The device folds if image, kernel and all parts of the result fit together with one part: voxels
// then cross the link once each way, however many parts there are. Parts are kept and unfolded
// together, in place, which moves less than adding every part to the whole result. Otherwise the
// host folds: every part is sent to the device and back as complex planes, and kept on the host
// until all are complete.
#pragma once
#include "fftconv/plan/gpu/layout.hpp"

namespace synthoscope::fftconv::device {

/// Sizes of a run in parts. A part has M = decimation.planes complex planes in single precision,
/// each of transform.y rows of `pitch` values.
struct PartsLayout {
  Decimation decimation;
  bool device_folds = false;
  bool folds_ahead = false;  ///< the host folds the image into all parts at once, where they wait
  BlockShape rows, columns_y, columns_z;  ///< rows are complex, of transform.x values
  std::int64_t pitch = 0, plane_values = 0;
  std::int64_t kernel_planes = 0;  ///< of a part of the kernel that are not empty
  Box3 image_box, kernel_box;      ///< boxes that are read, in the axes of the work problem
  Extent3 result;
  std::int64_t image_voxel_bytes = 0, kernel_voxel_bytes = 0, stored_voxel_bytes = 0;
  std::int64_t up_bytes = 0, down_bytes = 0;    ///< of a plane that is copied; of a pair if the
                                                ///< host folds
  std::int64_t up_planes = 1, down_planes = 1;  ///< most planes or pairs of one sequence
  std::int64_t batch_up = 1, batch_down = 1;    ///< of them copied at once
  std::int64_t table_bytes = 0;
};

/// Returns all sizes except the block shapes, whose computation takes much longer: for a planner
/// that compares many cuts.
PartsLayout parts_sizes_of(const Problem& work, const Layout& layout, const Cut& cut);

/// @param work, transform, cut  of a plan in parts
/// @throws InvalidSpec  lengths that a block of threads of the device cannot transform.
PartsLayout make_parts_layout(const Problem& work, const Extent3& transform, const Cut& cut,
                              const BlockLimits& limits);

/// Return the bytes of one batch, in pinned memory or in separate memory on the device.
std::int64_t slot_up_bytes(const PartsLayout& parts);
std::int64_t slot_down_bytes(const PartsLayout& parts);

/// Returns the planes of a part that are transformed back and wait for the other parts.
std::int64_t given_planes(const PartsLayout& parts);

/// Sets the size of batches to `planes`, or to all planes if there are fewer.
void set_batches(PartsLayout& parts, std::int64_t planes);

/// Returns the memory of the device that a run needs, including CUDA's memory for threads.
std::vector<MemoryItem> device_memory_of(const PartsLayout& parts);

/// Returns the pinned memory of the host, without the scratch of threads and, if the host folds,
/// without the parts.
std::vector<MemoryItem> pinned_memory_of(const PartsLayout& parts);

/// Returns the memory of a thread of the host to fold and later to unfold; if the device folds, to
/// finish rows.
std::int64_t thread_bytes_of(const PartsLayout& parts);

/// Rows of a plane of results that a thread finishes at once; a multiple of what epilogues align
/// to.
inline constexpr std::int64_t kRowsFinished = 256;

/// Returns the bytes of a copied plane or pair, in the direction that has more.
std::int64_t travelling_bytes(const PartsLayout& parts);

/// Return the rows of a plane of `planes` that a thread folds at once, and those that it folds into
/// all parts at once.
std::int64_t fold_piece_rows(const Extent3& planes);
std::int64_t ahead_piece_rows(const PartsLayout& parts);

/// Offset of the pieces of all parts in the memory of such a thread, after voxels of the image.
std::int64_t ahead_pieces_at(const PartsLayout& parts);

/// The traffic of a whole run: bytes over the link, bytes read or written in the device's memory,
/// and voxels times parts that the host folds and unfolds.
struct PartsTraffic {
  double up = 0, down = 0, device = 0;
  double folded = 0, unfolded = 0;
  double fold_bytes = 0;  ///< that the host reads to fold, and writes to fold ahead
};
PartsTraffic parts_traffic(const PartsLayout& parts, const Layout& layout);

}  // namespace synthoscope::fftconv::device
