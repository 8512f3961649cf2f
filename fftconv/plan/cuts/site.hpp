// SPDX-License-Identifier: MIT
// fftconv/plan/cuts/site.hpp — where a cut would run: which lengths are worth a thought there, and
// what a run takes.
#pragma once
#include <cstdint>
#include <vector>
#include "fftconv/lines/kind.hpp"
#include "fftconv/plan.hpp"

namespace synthoscope::fftconv {

class Site {
 public:
  virtual ~Site() = default;

  /// The few lengths >= `least` of complex lines that cost least, cheapest first. Empty where none
  /// can be transformed.
  [[nodiscard]] virtual std::vector<std::int64_t> lengths(std::int64_t least,
                                                          LineKind kind) const = 0;
  /// True if complex lines of `length` can be transformed.
  [[nodiscard]] virtual bool can_transform(std::int64_t length) const = 0;
  /// As lengths, for rows of frequency parts, in voxels and even.
  [[nodiscard]] virtual std::vector<std::int64_t> part_rows(std::int64_t least) const = 0;
  /// True where voxels may be folded into parts, and added up from them, by what transforms the
  /// parts: then none has to wait for the others.
  [[nodiscard]] virtual bool can_fold() const = 0;
  /// True if transforming the kernel once for all turns is an alternative, not the only way.
  [[nodiscard]] virtual bool may_keep_transfer() const = 0;

  /// The cut with its memory and its predicted time.
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
