// SPDX-License-Identifier: MIT
#include "fftconv/device/link/staging.hpp"

namespace synthoscope::fftconv::device {

StagingPieces::StagingPieces(cuda::DeviceId device, std::int64_t batch_bytes,
                             MemoryBudget& host_memory, std::string_view what)
    : piece_bytes_{piece_bytes(batch_bytes)},
      memory_{device, host_memory, piece_bytes_ * piece_count(batch_bytes), what} {
  for (std::int64_t i = piece_count(batch_bytes); i-- > 0;) {
    events_.emplace_back(device);
    free_.push_back(static_cast<int>(i));
  }
}

int StagingPieces::take() {
  std::unique_lock lock{mutex_};
  given_back_.wait(lock, [&] { return !copied_.empty() || !free_.empty(); });
  const bool is_oldest_done = !copied_.empty() && is_copied(copied_.front());
  if (!is_oldest_done && !free_.empty()) {
    const int piece = free_.back();
    free_.pop_back();
    return piece;
  }
  const int oldest = copied_.front();
  copied_.pop_front();
  lock.unlock();
  if (!is_oldest_done) wait(oldest);
  return oldest;
}

std::optional<int> StagingPieces::take_free() {
  const std::scoped_lock lock{mutex_};
  if (free_.empty()) return std::nullopt;
  const int piece = free_.back();
  free_.pop_back();
  return piece;
}

void StagingPieces::give_back(int piece) {
  {
    const std::scoped_lock lock{mutex_};
    free_.push_back(piece);
  }
  given_back_.notify_one();
}

void StagingPieces::give_back_after(int piece, const cuda::Stream& stream) {
  {
    // The list has the order of the marks
    const std::scoped_lock lock{mutex_};
    mark(piece, stream);
    copied_.push_back(piece);
  }
  given_back_.notify_one();
}

void StagingPieces::mark(int piece, const cuda::Stream& stream) {
  event_of(piece).record(stream);
}

}  // namespace synthoscope::fftconv::device
