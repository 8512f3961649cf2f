// SPDX-License-Identifier: MIT
// simulator/imaging/lens.hpp — the PSFs of a channel, computed and stored once for all blurs.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>
#include "core/run/run_context.hpp"
#include "simulator/imaging/imaging.hpp"
#include "simulator/imaging/psf_memory.hpp"
#include "simulator/imaging/references.hpp"
#include "simulator/imaging/stacks.hpp"

namespace synthoscope::simulator {

/// Returns the largest window that a reference needs, which all PSFs get, and the memory for
/// computing one PSF. @throws as psf_size.
PsfSize psf_size_of(const References& references, const SceneSpec& scene, TaskPool& pool,
                    const StopFlag& stop);

/// The PSFs of references, computed one at a time in windows of one size. Several PSFs keep the
/// relative brightness of their models; the first determines the normalisation of all.
class ReferencePsfs {
 public:
  /// References must outlive this.
  ReferencePsfs(const SceneSpec& scene, const References& references, const PsfSize& largest);

  /// Returns everything that determines the PSF of the only reference, as text.
  [[nodiscard]] std::string key() const;

  /// Computes the PSF of reference `i`; the first must be made before all others.
  /// @throws as make_psf; InvalidSpec  the first holds no light to normalise by.
  Psf make(std::size_t i, TaskPool& pool, MemoryBudget* memory, const StopFlag& stop);

 private:
  const References& references_;
  OpticsSpec asked_;  ///< of the scene
  PsfSizing sizing_;
  double scale_ = 1;  ///< factor of all PSFs
};

/// The PSFs of a channel. A single PSF stays in memory; several are read from the stacks.
class Lens {
 public:
  /// Computes and stores the PSFs of channel number `index` of `stacks`, and logs their notes and
  /// warnings; for several PSFs, only of the first and the last. References must outlive this.
  /// @param memory  may have the PSF of an earlier data set; null: it is always computed
  /// @throws as ReferencePsfs::make, and what the stacks throw.
  Lens(const SceneSpec& scene, const References& references, const PsfSize& largest,
       const Stacks& stacks, std::size_t index, PsfMemory* memory, const RunContext& context);

  [[nodiscard]] const std::vector<BlurTerm>& terms() const { return terms_; }
  [[nodiscard]] double first_origin_um() const { return first_origin_um_; }

 private:
  std::shared_ptr<const Psf> only_;  ///< null for several PSFs
  std::vector<std::unique_ptr<Source>> sources_;
  std::vector<BlurTerm> terms_;
  double first_origin_um_ = 0;
};

}  // namespace synthoscope::simulator
