// SPDX-License-Identifier: MIT
// fftconv/plan/cuts/candidates.hpp — the cuts of a convolution that the planner considers, and
// their cost on the host or a GPU.
#pragma once
#include <cstdint>
#include <vector>
#include "fftconv/lines/shape.hpp"
#include "fftconv/plan.hpp"

namespace synthoscope::fftconv {

/// Host or GPU as the planner sees them: their lengths of lines, and the memory and time of a cut.
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
  /// Returns whether planes can be convolved each by itself without spectra in memory, if all of
  /// them are there at once.
  [[nodiscard]] virtual bool convolves_planes_alone() const = 0;

  /// Returns the cut with its memory and its predicted time.
  [[nodiscard]] virtual Candidate measured(Strategy strategy, const Problem& work,
                                           const Extent3& transform, const Cut& cut) const = 0;
};

class HostSite final : public Site {
 public:
  /// @param host_bytes  a cut that leaves so little of them that threads find no room for their
  ///     scratch is charged for it; 0: nothing is
  explicit HostSite(const MachineRates& rates = {}, FftLibrary library = FftLibrary::own,
                    std::int64_t host_bytes = 0)
      : rates_{rates}, library_{library}, host_bytes_{host_bytes} {}
  [[nodiscard]] std::vector<std::int64_t> lengths(std::int64_t least, LineKind kind) const override;
  [[nodiscard]] bool can_transform(std::int64_t length) const override;
  [[nodiscard]] std::vector<std::int64_t> part_rows(std::int64_t least) const override;
  [[nodiscard]] bool can_fold() const override { return false; }
  [[nodiscard]] bool may_keep_transfer() const override { return true; }
  [[nodiscard]] bool convolves_planes_alone() const override { return false; }
  [[nodiscard]] Candidate measured(Strategy strategy, const Problem& work, const Extent3& transform,
                                   const Cut& cut) const override;

 private:
  /// Returns by how much the time of a cut grows where not every thread has room.
  [[nodiscard]] double wait_for_room(std::int64_t plan_bytes, std::int64_t bytes_of_a_thread) const;

  MachineRates rates_;
  FftLibrary library_;
  std::int64_t host_bytes_;
};

/// Every part reads the whole image and adds to every result: many more do not pay.
inline constexpr std::int64_t kMaxParts = 256;

/// Planes of a kernel that may be summed along z; deeper ones are always cheaper to transform.
inline constexpr std::int64_t kThinKernel = 16;

/// One tile, one turn: transforms that are long enough on every axis; or on y and x alone, where
/// the kernel is one plane and the site convolves planes by themselves.
std::vector<Candidate> in_core_candidates(const Problem& work, const Site& site = HostSite{});

/// Whole planes, several turns: rings of fewer planes than the problem has. Empty where the
/// kernel is so deep, or the terms so many, that no ring can be shorter.
std::vector<Candidate> ring_candidates(const Problem& work, const Site& site = HostSite{});

/// Planes cut in XY, each tile with a ring or at once. Empty where nothing can be cut.
std::vector<Candidate> tile_candidates(const Problem& work, const Site& site = HostSite{});

/// Frequency parts along z or y, kept in memory or on disk until all are there, or nowhere where
/// the site can do without: a few numbers of them, or `parts`. Empty with several terms.
std::vector<Candidate> parts_candidates(const Problem& work, const Site& site = HostSite{},
                                        std::int64_t parts = 0);

}  // namespace synthoscope::fftconv
