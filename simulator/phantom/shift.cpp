// SPDX-License-Identifier: MIT
// simulator/phantom/shift.cpp — moves all objects of a phantom, as the drift of a sample does.
#include "simulator/phantom/kinds.hpp"
#include "simulator/phantom/phantom.hpp"

namespace synthoscope::simulator {

void shift(Phantom& phantom, const Vector3& way) {
  if (way == Vector3{}) return;
  const Bounds field{{}, size_um(phantom.grid)};
  for_each_kind(phantom, [&](auto& bodies) {
    for (auto& body : bodies) move_by(body, way, field);
  });
  Kinds::for_each([&]<class Kind>(Kind) {
    if constexpr (requires { Kind::move_shared(phantom, way); }) Kind::move_shared(phantom, way);
  });
}

}  // namespace synthoscope::simulator
