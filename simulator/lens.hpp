// SPDX-License-Identifier: MIT
// simulator/lens.hpp — the PSFs of a channel: computed and stored once, there for every blur.
#pragma once
#include <memory>
#include <optional>
#include <vector>
#include "core/run/run_context.hpp"
#include "simulator/imaging.hpp"
#include "simulator/references.hpp"
#include "simulator/stacks.hpp"

namespace synthoscope::simulator {

/// The window of the PSFs of all references, which is that of the largest, and what computing one
/// takes. @throws as psf_room.
PsfRoom room_of(const References& references, const SceneSpec& scene, TaskPool& pool,
                const StopFlag& stop);

/// Computes the PSFs of references one after the other, in a window of one size. Those of several
/// are as bright to each other as their models say, and normalised as the first of them is.
class ReferencePsfs {
 public:
  /// References must outlive this.
  ReferencePsfs(const SceneSpec& scene, const References& references, const PsfRoom& room);

  /// Of reference `i`; the first before all others.
  /// @throws as make_psf; InvalidSpec  the first holds no light to be normalised by.
  Psf make(std::size_t i, TaskPool& pool, MemoryBudget* memory, const StopFlag& stop);

 private:
  const References& references_;
  OpticsSpec asked_;  ///< of the scene
  PsfSizing sizing_;
  double scale_ = 1;  ///< of all
};

/// A single PSF stays in memory; several are read from the stacks.
class Lens {
 public:
  /// Computes and stores the PSFs of the channel that is number `index` of `stacks`, and tells
  /// their notes and warnings: of the first and the last, where there are several. References must
  /// outlive this. @throws as ReferencePsfs::make, and what the stacks throw.
  Lens(const SceneSpec& scene, const References& references, const PsfRoom& room,
       const Stacks& stacks, std::size_t index, const RunContext& context);

  [[nodiscard]] const std::vector<BlurTerm>& terms() const { return terms_; }
  [[nodiscard]] double first_origin_um() const { return first_origin_um_; }

 private:
  Psf only_;
  std::vector<std::unique_ptr<Source>> sources_;
  std::vector<BlurTerm> terms_;
  double first_origin_um_ = 0;
};

}  // namespace synthoscope::simulator
