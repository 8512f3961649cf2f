// SPDX-License-Identifier: MIT
#include "core/boundary.hpp"
#include <algorithm>
#include <array>
#include "core/names.hpp"

namespace synthoscope {
namespace {

constexpr NameTable<Boundary, 5> kBoundaryNames{{{Boundary::zero, "zero"},
                                                 {Boundary::nearest, "nearest"},
                                                 {Boundary::reflect, "reflect"},
                                                 {Boundary::mirror, "mirror"},
                                                 {Boundary::wrap, "wrap"}}};

/// i modulo n, in [0, n).
std::int64_t wrapped(std::int64_t i, std::int64_t n) {
  const std::int64_t rest = i % n;
  return rest < 0 ? rest + n : rest;
}

}  // namespace

std::string_view name_of(Boundary boundary) {
  return name_in(kBoundaryNames, boundary);
}

std::optional<Boundary> boundary_named(std::string_view name) {
  return named_in(kBoundaryNames, name);
}

std::int64_t mapped_index(Boundary boundary, std::int64_t i, std::int64_t n) {
  if (i >= 0 && i < n) return i;
  switch (boundary) {
    case Boundary::zero:
      return kOutside;
    case Boundary::nearest:
      return std::clamp<std::int64_t>(i, 0, n - 1);
    case Boundary::wrap:
      return wrapped(i, n);
    case Boundary::reflect: {
      const std::int64_t j = wrapped(i, 2 * n);
      return j < n ? j : 2 * n - 1 - j;
    }
    case Boundary::mirror:
      break;
  }
  if (n == 1) return 0;
  const std::int64_t j = wrapped(i, 2 * n - 2);
  return j < n ? j : 2 * n - 2 - j;
}

}  // namespace synthoscope
