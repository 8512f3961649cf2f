// SPDX-License-Identifier: MIT
// fftconv/plan/cuts/site.hpp — host or GPU as the planner sees them: their lengths of lines, and
// the memory and time of a cut.
#pragma once
#include <cstdint>
#include <vector>
#include "fftconv/lines/shape.hpp"
#include "fftconv/plan.hpp"

namespace synthoscope::fftconv {

class Site {
 public:
  virtual ~Site() = default;

  /// Returns the few cheapest lengths >= `least` of complex lines, cheapest first; none if no such
  /// length can be transformed.
  [[nodiscard]] virtual std::vector<std::int64_t> lengths(std::int64_t least,
                                                          LineKind kind) const = 0;
  /// Returns whether complex lines of `length` can be transformed.
  [[nodiscard]] virtual bool can_transform(std::int64_t length) const = 0;
  /// As `lengths`, for rows of frequency parts: even numbers of voxels.
  [[nodiscard]] virtual std::vector<std::int64_t> part_rows(std::int64_t least) const = 0;
  /// Returns whether the processor that transforms the parts can also fold and unfold, so that
  /// finished parts need not be kept.
  [[nodiscard]] virtual bool can_fold() const = 0;
  /// Returns whether the kernel can be transformed either once for all turns or again in each.
  [[nodiscard]] virtual bool may_keep_transfer() const = 0;

  /// Returns the cut with its memory and its predicted time.
  [[nodiscard]] virtual Candidate measured(Strategy strategy, const Problem& work,
                                           const Extent3& transform, const Cut& cut) const = 0;
};

class HostSite final : public Site {
 public:
  explicit HostSite(const MachineRates& rates = {}) : rates_{rates} {}
  [[nodiscard]] std::vector<std::int64_t> lengths(std::int64_t least, LineKind kind) const override;
  [[nodiscard]] bool can_transform(std::int64_t length) const override;
  [[nodiscard]] std::vector<std::int64_t> part_rows(std::int64_t least) const override;
  [[nodiscard]] bool can_fold() const override { return false; }
  [[nodiscard]] bool may_keep_transfer() const override { return true; }
  [[nodiscard]] Candidate measured(Strategy strategy, const Problem& work, const Extent3& transform,
                                   const Cut& cut) const override;

 private:
  MachineRates rates_;
};

}  // namespace synthoscope::fftconv
