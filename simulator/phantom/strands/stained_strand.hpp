// SPDX-License-Identifier: MIT
// simulator/phantom/strands/stained_strand.hpp — strands that belong to an object and glow.
#pragma once
#include <concepts>
#include <span>
#include "simulator/phantom/strands/strand.hpp"
#include "simulator/phantom/strands/structure.hpp"

namespace synthoscope::simulator {

struct StainedStrand {
  Strand strand;
  double photons_per_um3 = 0;
  Structure structure = Structure::other;
  bool is_labelled = true;  ///< its points belong to the object, also outside the core
};

/// An object that consists of strands, wholly or in part. Its core is the rest, if there is any.
template <class T>
concept HasStrands = requires(const T& body) {
  { body.strands() } -> std::convertible_to<std::span<const StainedStrand>>;
};

/// An object that consists of strands only.
template <class T>
concept IsStrands = HasStrands<T> && T::kIsStrands;

/// Returns the box of an object's core.
template <class T>
Bounds core_bounds(const T& body) {
  if constexpr (requires { body.core_bounds(); })
    return body.core_bounds();
  else
    return body.bounds();
}

template <class T>
bool core_contains(const T& body, const Vector3& point) {
  if constexpr (requires { body.core_contains(point); })
    return body.core_contains(point);
  else
    return body.contains(point);
}

}  // namespace synthoscope::simulator
