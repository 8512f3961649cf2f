// SPDX-License-Identifier: MIT
// core/system/row_reader.hpp — many short pieces of a file, read in few calls.
#pragma once
#include <sys/uio.h>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace synthoscope {

/// Reads pieces whose offsets rise. Pieces near to each other are read in one call, which also
/// reads what lies between them: that takes less time than a second call. For one thread.
class RowReader {
 public:
  explicit RowReader(int descriptor) : descriptor_{descriptor} {}

  /// Reads `out` from byte `offset` on, now or in a later call. Returns errno's value: 0, EIO where
  /// the file ends, or the value of a failure, perhaps of an earlier piece.
  [[nodiscard]] int add(std::int64_t offset, std::span<std::byte> out);

  /// Reads what was added and not yet read. Returns as `add` does.
  [[nodiscard]] int finish();

 private:
  static constexpr std::size_t kMostParts = 256;
  static constexpr std::int64_t kLargestGap = 4096;

  int descriptor_;
  std::int64_t begin_ = 0, end_ = 0;  ///< of the waiting parts in the file
  std::size_t count_ = 0;
  std::array<iovec, kMostParts> parts_;
  std::array<std::byte, kLargestGap> between_;
};

}  // namespace synthoscope
