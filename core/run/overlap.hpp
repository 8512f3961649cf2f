// SPDX-License-Identifier: MIT
// core/run/overlap.hpp — loading, computing and storing at the same time: threads that hand
// each other slots.
#pragma once
#include <span>
#include "core/volume/batches.hpp"

namespace synthoscope {

/// The work on batches. A slot is memory for one batch; each direction has its own slots, numbered
/// from 0. The functions of one group are called by one thread, in order.
class BatchWork {
 public:
  virtual ~BatchWork() = default;

  /// The loader: starts loading a batch of `inputs` into an unused slot.
  virtual void load(const Batch& batch, int slot) = 0;

  /// The receiver: returns when the batch has arrived. If a batch were taken before that, the
  /// device would wait for it, together with all work enqueued after it, even results that are
  /// ready.
  virtual void receive(const Batch& batch, int slot) = 0;

  /// The caller of run_overlapped: `take` gets a loaded batch, `give` an unused slot. The slot of
  /// `take` is free when `take` returns: the next load into it waits for the work that was
  /// enqueued.
  virtual void take(const Batch& batch, int slot) = 0;
  virtual void compute(std::size_t step) = 0;
  virtual void give(const Batch& batch, int slot) = 0;

  /// The storer: stores what `give` put into the slot. `finish` is called when all results of a
  /// step are stored.
  virtual void store(const Batch& batch, int slot) = 0;
  virtual void finish(std::size_t step) = 0;
};

/// Does all steps, in order. Gives the results of a step and takes the inputs of the next one
/// alternately, results first, and then computes the next step. At most `slots` batches are in
/// flight in each direction. With `reuses_room`, inputs overwrite the memory of results, so that
/// all results are given first.
/// @throws what a function of `work` threw first, once all have returned; the others end before
/// their next batch.
void run_overlapped(std::span<const PipelineStep> steps, int slots, bool reuses_room,
                    BatchWork& work);

}  // namespace synthoscope
