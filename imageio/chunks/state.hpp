// SPDX-License-Identifier: MIT
// imageio/chunks/state.hpp — the state of an unfinished file of chunks, for a run that resumes it.
#pragma once
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>
#include "core/base/json_fwd.hpp"
#include "core/math/content_sum.hpp"
#include "core/run/stop.hpp"
#include "core/run/task_pool.hpp"
#include "core/stream/stream.hpp"
#include "imageio/chunks/grid.hpp"
#include "imageio/image/name.hpp"
#include "imageio/image/spec.hpp"

namespace synthoscope::imageio {

/// Boxes of a volume, each with the sum of its voxels (ContentSum, places counted in the volume).
/// Boxes that touch become one, so that a run of many steps is a few of them.
class WrittenPieces {
 public:
  /// Of a volume of extent `all`.
  WrittenPieces(const Extent3& all, PixelType type) : all_{all}, type_{type} {}

  /// A box that was written, which touches none that was. Several threads may add at once.
  void add(const Box3& box, ConstVoxelView voxels);

  /// [[z, y, x, size z, size y, size x, sum], ...]
  [[nodiscard]] Json json() const;

  /// In place of all that was added. @throws Json::exception  it is nothing that json() gives.
  void set(const Json& pieces);

  /// Reads the voxels of `box`, which lies in one chunk. Returns false if some are missing. Several
  /// threads may read at once.
  using ReadBox = std::function<bool(const Box3& box, std::span<std::byte> voxels)>;

  /// Reads all pieces again, in parts that lie in one chunk of `grid`, by all threads of `pool`,
  /// which may be null.
  /// @returns whether all of them are there as they were written
  /// @throws Interrupted  `stop` was requested, and what `read` throws.
  [[nodiscard]] bool are_there(const ChunkGrid& grid, const ReadBox& read, TaskPool* pool,
                               const StopFlag* stop) const;

 private:
  struct Piece {
    Box3 box;
    ContentSum sum;
  };
  [[nodiscard]] ContentSum sum_of(const Box3& box, ConstVoxelView voxels) const;
  /// Returns the sum of what is read of a box; none if some of it is missing.
  [[nodiscard]] std::optional<ContentSum> sum_read(const Box3& box, const ReadBox& read,
                                                   const StopFlag* stop) const;
  void merge(Piece piece);

  Extent3 all_;
  PixelType type_;
  mutable std::mutex mutex_;
  std::vector<Piece> pieces_;
};

/// JSON of these numbers, and of what image the file will hold.
std::string print_state(const ImageSpec& spec,
                        std::initializer_list<std::pair<const char*, std::int64_t>> numbers);

/// The same, with the boxes that were written.
std::string print_state(const ImageSpec& spec,
                        std::initializer_list<std::pair<const char*, std::int64_t>> numbers,
                        const WrittenPieces& pieces);

/// Returns the numbers of these keys.
/// @throws InvalidSpec  one is missing or negative, or the state is that of another image.
std::vector<std::int64_t> read_state(const ImageName& name, const ImageSpec& spec,
                                     const std::string& state,
                                     std::initializer_list<const char*> keys);

/// The boxes that a state names. @throws InvalidSpec  there are none.
void read_pieces(const ImageName& name, const std::string& state, WrittenPieces& pieces);

/// @throws InvalidSpec  always
[[noreturn]] void refuse_to_resume(const ImageName& name);

}  // namespace synthoscope::imageio
