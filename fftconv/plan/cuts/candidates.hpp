// SPDX-License-Identifier: MIT
// fftconv/plan/cuts/candidates.hpp — every way of cutting a convolution that is worth a thought,
// with its cost.
#pragma once
#include <vector>
#include "fftconv/plan/cuts/site.hpp"

namespace synthoscope::fftconv {

/// Every part reads the whole image and adds to every result: many more do not pay.
inline constexpr std::int64_t kMostParts = 256;

/// Planes of a kernel that may be summed along z; deeper ones are always cheaper to transform.
inline constexpr std::int64_t kThinKernel = 16;

/// One tile, one turn: transforms that are long enough on every axis.
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
