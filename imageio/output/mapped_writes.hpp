// SPDX-License-Identifier: MIT
// imageio/output/mapped_writes.hpp — many threads write one file that lies in memory.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace synthoscope::imageio {

/// Writes to a file of tmpfs through a mapping. Threads that write to an open file wait for each
/// other, because the file system locks it, but pages of a mapping have no such lock. With 16
/// threads, 2 GiB take 0.46 s instead of 0.93 s, and 0.12 s instead of 0.52 s where the space is
/// allocated.
class MappedWrites {
 public:
  /// Fewer threads write faster without a mapping.
  static constexpr int kMinThreads = 4;

  /// Maps `bytes` of a file, which must be that long. Returns null if the file does not lie in
  /// memory, or cannot be mapped. The descriptor may be closed afterwards.
  static std::unique_ptr<MappedWrites> of(int descriptor, std::int64_t bytes);
  ~MappedWrites();
  MappedWrites(const MappedWrites&) = delete;
  MappedWrites& operator=(const MappedWrites&) = delete;

  /// Writes all of `bytes` at `offset`. Returns false if that fails, for example because the memory
  /// is full, or because others have cut the file; a part may then be written. Several threads may
  /// write disjoint ranges at once. Of each thread's range, at most 2 MiB are resident in this
  /// process.
  bool write(std::int64_t offset, std::span<const std::byte> bytes);

 private:
  MappedWrites(std::byte* pages, std::int64_t bytes) : pages_{pages}, bytes_{bytes} {}
  [[nodiscard]] bool write_piece(std::int64_t offset, std::span<const std::byte> piece) const;

  std::byte* pages_;
  std::int64_t bytes_;
};

}  // namespace synthoscope::imageio
