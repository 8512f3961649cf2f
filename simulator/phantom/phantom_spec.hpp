// SPDX-License-Identifier: MIT
// simulator/phantom/phantom_spec.hpp — what follows from the numbers of a phantom before it is
// made.
#pragma once
#include <cstdint>
#include "simulator/phantom/kinds.hpp"

namespace synthoscope::simulator {

/// Returns the number of objects of one kind.
template <class Kind>
std::int64_t number_of_kind(const PhantomSpec& all, const Grid& grid) {
  const auto& spec = Kind::part(all);
  if constexpr (requires { number_of(spec, grid); })
    return number_of(spec, grid);
  else
    return number_of(spec);
}

/// Returns whether there is any object of one kind, or anything else that it makes.
template <class Kind>
bool has_kind(const PhantomSpec& all, const Grid& grid) {
  if constexpr (requires { Kind::is_present(Kind::part(all)); })
    return Kind::is_present(Kind::part(all));
  else
    return number_of_kind<Kind>(all, grid) > 0;
}

/// Returns the number of objects on a grid. @throws IoError, InvalidInput  a file cannot be used.
std::int64_t number_of(const PhantomSpec& spec, const Grid& grid);

/// Returns the largest numbers of strands and of their pieces.
StrandCount strands_of(const PhantomSpec& spec, const Grid& grid);

/// Returns whether objects consist of structures, as cells do.
bool has_structures(const PhantomSpec& spec, const Grid& grid);

/// @throws InvalidSpec  a value is outside its range, or there are more objects than labels hold.
void require_valid(const PhantomSpec& spec, const Grid& grid);

}  // namespace synthoscope::simulator
