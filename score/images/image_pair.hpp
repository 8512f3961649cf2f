// SPDX-License-Identifier: MIT
// score/images/image_pair.hpp — the two images of a score, read as doubles row by row.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>
#include "core/run/host_buffer.hpp"
#include "core/run/run_context.hpp"
#include "core/stream/stream.hpp"

namespace synthoscope::score {

/// An image of any type, and its name in messages.
struct ScoredImage {
  Source& voxels;
  std::string name;
};

/// @throws InvalidSpec  the images differ in size.
void require_same_grid(const ScoredImage& truth, const ScoredImage& result);

/// Reads boxes of an image as doubles. For one thread.
class RowReader {
 public:
  /// @param voxels  of the largest box that is read
  RowReader(const ScoredImage& image, std::int64_t voxels, MemoryBudget& memory);

  /// Fills `out` with the voxels of `box`, contiguous.
  /// @throws InvalidInput  a voxel is NaN or infinite.  @throws what the source throws
  void read(const Box3& box, double* out);

 private:
  const ScoredImage* image_;
  HostBuffer<std::byte> native_;
};

/// Both images, for one thread.
struct PairReader {
  PairReader(const ScoredImage& in_truth, const ScoredImage& in_result, std::int64_t voxels,
             MemoryBudget& memory)
      : truth{in_truth, voxels, memory}, result{in_result, voxels, memory} {}
  RowReader truth, result;
};

/// Rows of one plane that one thread takes at a time. They depend on the extent alone, so that sums
/// over bands, added in their order, are the same for all threads, types and memories.
class RowBands {
 public:
  explicit RowBands(const Extent3& extent);
  [[nodiscard]] std::int64_t count() const { return extent_.z * in_plane_; }
  [[nodiscard]] std::int64_t in_plane() const { return in_plane_; }
  /// Returns the voxels of the largest band.
  [[nodiscard]] std::int64_t voxels() const { return rows_ * extent_.x; }
  /// Returns band `i` of count(), in z, y order.
  [[nodiscard]] Box3 at(std::int64_t i) const;

 private:
  Extent3 extent_;
  std::int64_t rows_ = 1, in_plane_ = 1;
};

}  // namespace synthoscope::score
