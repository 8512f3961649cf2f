// SPDX-License-Identifier: MIT
// simulator/phantom/stained_strand.hpp — strands that belong to an object and glow.
#pragma once
#include <concepts>
#include <span>
#include "simulator/phantom/strand.hpp"

namespace synthoscope::simulator {

struct StainedStrand {
  Strand strand;
  double photons_per_um3 = 0;
  bool is_labelled = true;  ///< its points are the object's, also where its core does not lie
};

/// An object of which a part, or all, consists of strands. Its core is the rest, if there is any.
template <class T>
concept HasStrands = requires(const T& body) {
  { body.strands() } -> std::convertible_to<std::span<const StainedStrand>>;
};

/// An object that is nothing but its strands.
template <class T>
concept IsStrands = HasStrands<T> && T::kIsStrands;

}  // namespace synthoscope::simulator
