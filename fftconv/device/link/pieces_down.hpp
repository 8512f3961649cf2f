// SPDX-License-Identifier: MIT
// fftconv/device/link/pieces_down.hpp — batches of results come to the host piece by piece, and
// each thread stores the piece that came next.
#pragma once
#include <array>
#include <functional>
#include "core/run/task_pool.hpp"
#include "core/volume/batches.hpp"
#include "fftconv/device/link/plane_pieces.hpp"
#include "fftconv/device/link/staging.hpp"

namespace synthoscope::fftconv::device {

/// A batch on the device: rows of voxels without gaps, and rows of a second output.
struct BatchOnDevice {
  PieceCut cut;
  std::int64_t plane_rows = 0;
  const std::byte* voxels = nullptr;
  std::int64_t row_bytes = 0;
  const std::byte* second = nullptr;
  std::int64_t second_row_bytes = 0;  ///< 0 if there is none
};

/// What enqueues work on the stream before the first copy of a batch and after the last.
struct AroundCopies {
  std::function<void()> before, after;
};

/// Copies of a later batch begin while an earlier one is stored. One thread sends and another
/// stores, both in the order of batches.
class PiecesDown {
 public:
  /// As StagingPieces. @param stream  of all copies; must outlive this
  PiecesDown(cuda::Stream& stream, std::int64_t batch_bytes, MemoryBudget& host_memory);

  /// Takes a batch into a free slot. Its pieces are copied as soon as there is memory for them.
  void send(int slot, BatchOnDevice batch, AroundCopies around);

  /// Is called with a piece, its voxels and its second output.
  using Store = std::function<void(const PieceCut::Piece&, const std::byte*, const std::byte*)>;

  /// Calls `store` for all pieces of a batch, with the threads of `pool`; then the slot is free.
  /// @throws what `store` throws, CudaError
  void store(int slot, TaskPool& pool, const Store& store);

 private:
  struct Came {
    int piece;
    std::int64_t number;
  };
  struct Sent {
    BatchOnDevice batch;
    AroundCopies around;
    std::int64_t copied = 0, taken = 0;  ///< pieces so far: enqueued, and taken by threads
    std::deque<Came> came;
  };
  Sent& at(int slot) { return sent_[static_cast<std::size_t>(slot)]; }
  void copy_what_fits();
  void enqueue_piece(Sent& sent, int piece);
  /// Returns the piece to be stored next, which may still be on its way; nothing if all are taken,
  /// or another thread failed.
  std::optional<Came> next(int slot);
  void store_piece(int slot, const Came& came, const Store& store);

  cuda::Stream& stream_;
  StagingPieces pieces_;
  ThreadShare share_;
  std::mutex mutex_;  ///< of all below
  std::condition_variable changed_;
  bool failed_ = false;
  std::array<Sent, kBatches> sent_;
  std::deque<int> to_copy_;  ///< slots with pieces that are not being copied yet, in order
};

}  // namespace synthoscope::fftconv::device
