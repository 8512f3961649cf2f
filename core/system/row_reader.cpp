// SPDX-License-Identifier: MIT
#include "core/system/row_reader.hpp"
#include <algorithm>
#include <cerrno>

namespace synthoscope {

int RowReader::add(std::int64_t offset, std::span<std::byte> out) {
  const std::int64_t gap = offset - end_;
  if (count_ > 0 && (gap < 0 || gap > kLargestGap || count_ + 2 > kMostParts))
    if (const int failure = finish(); failure != 0) return failure;
  if (count_ == 0)
    begin_ = offset;
  else if (gap > 0)
    parts_[count_++] = {between_.data(), static_cast<std::size_t>(gap)};
  parts_[count_++] = {out.data(), out.size()};
  end_ = offset + static_cast<std::int64_t>(out.size());
  return 0;
}

int RowReader::finish() {
  std::span<iovec> left{parts_.data(), count_};
  count_ = 0;
  while (!left.empty()) {
    const ssize_t moved = ::preadv(descriptor_, left.data(), static_cast<int>(left.size()), begin_);
    if (moved < 0 && errno == EINTR) continue;
    if (moved < 0) return errno;
    if (moved == 0) return EIO;
    begin_ += moved;
    for (auto done = static_cast<std::size_t>(moved); done > 0;) {
      iovec& first = left.front();
      const std::size_t of_first = std::min(done, first.iov_len);
      first.iov_base = static_cast<std::byte*>(first.iov_base) + of_first;
      first.iov_len -= of_first;
      done -= of_first;
      if (first.iov_len == 0) left = left.subspan(1);
    }
  }
  return 0;
}

}  // namespace synthoscope
