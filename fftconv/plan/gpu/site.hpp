// SPDX-License-Identifier: MIT
// fftconv/plan/gpu/site.hpp — what a cut takes on the GPU of a machine.
#pragma once
#include "fftconv/plan/cuts/candidates.hpp"
#include "fftconv/plan/cuts/layout.hpp"

namespace synthoscope::fftconv::device {

class GpuSite final : public Site {
 public:
  /// @param machine  with a GPU; outlives this
  explicit GpuSite(const Machine& machine, FftLibrary library = FftLibrary::own)
      : machine_{machine}, library_{library} {}
  [[nodiscard]] std::vector<std::int64_t> lengths(std::int64_t least, LineKind kind) const override;
  [[nodiscard]] bool can_transform(std::int64_t length) const override;
  [[nodiscard]] std::vector<std::int64_t> part_rows(std::int64_t least) const override;
  [[nodiscard]] bool can_fold() const override { return true; }
  [[nodiscard]] bool may_keep_transfer() const override { return false; }  // it always is
  [[nodiscard]] bool convolves_planes_alone() const override { return true; }

  /// Chooses the fastest batch that fits both memories; one plane if none fits.
  [[nodiscard]] Candidate measured(Strategy strategy, const Problem& work, const Extent3& transform,
                                   const Cut& cut) const override;

 private:
  [[nodiscard]] Candidate in_passes(Strategy strategy, const Problem& work, const Layout& layout,
                                    const Cut& cut) const;
  [[nodiscard]] Candidate in_parts(const Problem& work, const Layout& layout, const Cut& cut) const;

  const Machine& machine_;
  FftLibrary library_;
};

}  // namespace synthoscope::fftconv::device
