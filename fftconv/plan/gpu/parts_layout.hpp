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
  std::int64_t kernel_planes = 0;  ///< of a part of the kernel that hold something
  Box3 image_box, kernel_box;      ///< that are read, in the axes of the work problem
  Extent3 result;
  std::int64_t image_voxel_bytes = 0, kernel_voxel_bytes = 0, stored_voxel_bytes = 0;
  std::int64_t up_bytes = 0, down_bytes = 0;    ///< of a plane that travels; of a pair where the
                                                ///< host folds
  std::int64_t up_planes = 1, down_planes = 1;  ///< or pairs, that travel in a row, at most
  std::int64_t batch_up = 1, batch_down = 1;    ///< of them at once
  std::int64_t table_bytes = 0;
};

/// Everything but how threads share lines, which takes far longer to say.
PartsLayout parts_sizes_of(const Problem& work, const Layout& layout, const Cut& cut);

/// @param work, transform, cut  of a plan in parts
/// @throws InvalidSpec  lengths that a block of threads of the device cannot transform.
PartsLayout make_parts_layout(const Problem& work, const Extent3& transform, const Cut& cut,
                              const BlockLimits& limits);

/// Pinned room of one batch, or room on the device where it lands or starts.
std::int64_t slot_up_bytes(const PartsLayout& parts);
std::int64_t slot_down_bytes(const PartsLayout& parts);

/// Planes of a part that results come from: they are transformed back and wait for the other parts.
std::int64_t given_planes(const PartsLayout& parts);

/// Lets `planes` travel at once, or as many as there are.
void set_batches(PartsLayout& parts, std::int64_t planes);

/// All of the device's memory that a run takes, also what CUDA takes for its threads.
std::vector<MemoryItem> device_memory_of(const PartsLayout& parts);

/// Pinned memory of the host; scratch of threads and, if the host folds, the parts come in
/// addition.
std::vector<MemoryItem> pinned_memory_of(const PartsLayout& parts);

/// What a thread of the host takes to fold and later to unfold; to finish rows where the device
/// folds.
std::int64_t thread_bytes_of(const PartsLayout& parts);

/// Rows of a plane of results that a thread finishes at once; a multiple of what epilogues align
/// to.
inline constexpr std::int64_t kRowsFinished = 256;

/// Bytes of a plane, or of a pair, that travels, the wider one of both ways.
std::int64_t travelling_bytes(const PartsLayout& parts);

/// Rows of a plane of `planes` that a thread folds at once; into all parts where they are folded
/// ahead.
std::int64_t fold_piece_rows(const Extent3& planes);
std::int64_t ahead_piece_rows(const PartsLayout& parts);

/// Offset of the pieces of all parts in the memory of such a thread, after voxels of the image.
std::int64_t ahead_pieces_at(const PartsLayout& parts);

/// What a whole run moves: bytes over the link, and read or written in the device's memory; and
/// voxels times parts that the host folds and unfolds.
struct PartsTraffic {
  double up = 0, down = 0, device = 0;
  double folded = 0, unfolded = 0;
  double fold_bytes = 0;  ///< that it reads for that, and writes to fold ahead
};
PartsTraffic parts_traffic(const PartsLayout& parts, const Layout& layout);

}  // namespace synthoscope::fftconv::device
