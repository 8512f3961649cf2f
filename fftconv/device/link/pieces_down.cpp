// SPDX-License-Identifier: MIT
#include "fftconv/device/link/pieces_down.hpp"
#include <utility>

namespace synthoscope::fftconv::device {

PiecesDown::PiecesDown(cuda::Stream& stream, std::int64_t batch_bytes, MemoryBudget& host_memory)
    : stream_{stream},
      pieces_{stream.device(), batch_bytes, host_memory, "voxels from the device"} {}

void PiecesDown::send(int slot, BatchOnDevice batch, AroundCopies around) {
  const std::scoped_lock lock{mutex_};
  at(slot) = {std::move(batch), std::move(around), 0, 0, {}};
  to_copy_.push_back(slot);
  copy_what_fits();
}

void PiecesDown::copy_what_fits() {
  while (!to_copy_.empty()) {
    Sent& sent = at(to_copy_.front());
    if (sent.copied == 0) {
      // Once, even if there is no memory for the first piece yet
      if (const auto before = std::exchange(sent.around.before, {})) before();
    }
    if (sent.copied < sent.batch.cut.count()) {
      const auto piece = pieces_.take_free();
      if (!piece) return;
      enqueue_piece(sent, *piece);
      changed_.notify_one();
    }
    if (sent.copied < sent.batch.cut.count()) continue;
    sent.around.after();
    to_copy_.pop_front();
  }
}

void PiecesDown::enqueue_piece(Sent& sent, int piece) {
  const BatchOnDevice& b = sent.batch;
  const PieceCut::Piece p = b.cut[sent.copied];
  const std::int64_t row = p.plane * b.plane_rows + p.row, rows = p.planes * p.rows;
  std::byte* const to = pieces_.at(piece);
  cuda::enqueue_copy(stream_, to, b.voxels + row * b.row_bytes, rows * b.row_bytes);
  if (b.second_row_bytes > 0)
    cuda::enqueue_copy(stream_, to + rows * b.row_bytes, b.second + row * b.second_row_bytes,
                       rows * b.second_row_bytes);
  pieces_.mark(piece, stream_);
  sent.came.push_back({piece, sent.copied++});
}

void PiecesDown::store(int slot, TaskPool& pool, const Store& store) {
  share_.for_each_thread(pool, at(slot).batch.cut.count(), [&](std::int64_t) {
    while (const std::optional<Came> came = next(slot)) store_piece(slot, *came, store);
  });
}

std::optional<PiecesDown::Came> PiecesDown::next(int slot) {
  std::unique_lock lock{mutex_};
  Sent& sent = at(slot);
  if (sent.taken == sent.batch.cut.count()) return std::nullopt;
  ++sent.taken;
  changed_.wait(lock, [&] { return failed_ || !sent.came.empty(); });
  if (failed_) return std::nullopt;  // another thread says why
  const Came came = sent.came.front();
  sent.came.pop_front();
  return came;
}

void PiecesDown::store_piece(int slot, const Came& came, const Store& store) {
  try {
    stop_point();
    pieces_.wait(came.piece);
    const BatchOnDevice& b = at(slot).batch;
    const PieceCut::Piece p = b.cut[came.number];
    const std::byte* const voxels = pieces_.at(came.piece);
    store(p, voxels, voxels + p.planes * p.rows * b.row_bytes);
    const std::scoped_lock lock{mutex_};
    pieces_.give_back(came.piece);
    copy_what_fits();
  } catch (...) {
    const std::scoped_lock lock{mutex_};
    failed_ = true;
    changed_.notify_all();
    throw;
  }
}

}  // namespace synthoscope::fftconv::device
