// SPDX-License-Identifier: MIT
#include "core/volume/boundary.hpp"
#include <array>
#include "core/base/names.hpp"

namespace synthoscope {
namespace {

constexpr NameTable<Boundary, 5> kBoundaryNames{{{Boundary::zero, "zero"},
                                                 {Boundary::nearest, "nearest"},
                                                 {Boundary::reflect, "reflect"},
                                                 {Boundary::mirror, "mirror"},
                                                 {Boundary::wrap, "wrap"}}};

}  // namespace

std::string_view name_of(Boundary boundary) {
  return name_in(kBoundaryNames, boundary);
}

std::optional<Boundary> boundary_named(std::string_view name) {
  return named_in(kBoundaryNames, name);
}

}  // namespace synthoscope
