// SPDX-License-Identifier: MIT
// fftconv/device/link/staging.hpp — the pinned memory of pieces, through which threads of the host
// copy voxels to or from a device.
#pragma once
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>
#include "core/cuda/memory/buffer.hpp"
#include "core/cuda/runtime/stream.hpp"
#include "fftconv/plan/gpu/pieces.hpp"

namespace synthoscope::fftconv::device {

/// The pinned memory. Thread-safe. Pieces that were used before are taken first, because they are
/// still in the cache.
class StagingPieces {
 public:
  /// @param batch_bytes  of the largest batch
  StagingPieces(cuda::DeviceId device, std::int64_t batch_bytes, MemoryBudget& host_memory,
                std::string_view what);

  [[nodiscard]] std::byte* at(int piece) const { return memory_.data() + piece * piece_bytes_; }

  /// Returns a piece that nothing uses; waits if there is none.
  /// @throws CudaError  also if work before a copy failed
  int take();

  /// Returns a piece that was given back, or never used; nothing if there is none.
  std::optional<int> take_free();

  /// Frees a piece, now or when the copies that are enqueued on `stream` are done.
  void give_back(int piece);
  void give_back_after(int piece, const cuda::Stream& stream);

  /// Marks the end of the copies of a piece that are enqueued on `stream`, and waits for the mark.
  void mark(int piece, const cuda::Stream& stream);
  [[nodiscard]] bool is_copied(int piece) { return event_of(piece).has_passed(); }
  void wait(int piece) { event_of(piece).finish(); }

 private:
  cuda::Event& event_of(int piece) { return events_[static_cast<std::size_t>(piece)]; }

  std::int64_t piece_bytes_;
  cuda::PinnedBuffer<std::byte> memory_;
  std::vector<cuda::Event> events_;
  std::mutex mutex_;
  std::condition_variable given_back_;
  std::vector<int> free_;
  std::deque<int> copied_;  ///< oldest first
};

}  // namespace synthoscope::fftconv::device
