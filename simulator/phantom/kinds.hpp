// SPDX-License-Identifier: MIT
// simulator/phantom/kinds.hpp — the one list of kinds of objects. docs/architecture.md lists what a
// new kind adds, here and elsewhere.
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <variant>
#include <vector>
#include "simulator/phantom/adherent/adherent_kind.hpp"
#include "simulator/phantom/beads/beads_kind.hpp"
#include "simulator/phantom/cells/cells_kind.hpp"
#include "simulator/phantom/kind/kind_list.hpp"
#include "simulator/phantom/neurons/neuron_kind.hpp"
#include "simulator/phantom/nuclei/nuclei_kind.hpp"
#include "simulator/phantom/phantom.hpp"
#include "simulator/phantom/phantom_spec.hpp"
#include "simulator/phantom/target/target_kind.hpp"
#include "simulator/phantom/tissue/tissue_kind.hpp"
#include "simulator/phantom/volume/volume_kind.hpp"

namespace synthoscope::simulator {

/// All kinds, in the order of their ids, of their tables of keys and of everything else that folds
/// over them.
using Kinds = KindList<kinds::Nuclei, kinds::Cells, kinds::Beads, kinds::Target, kinds::Volume,
                       kinds::Tissue, kinds::Neurons, kinds::Adherent>;

/// Calls `visit(kind)` in the order of records and of world.h5: kinds of the first release, then
/// the others.
template <class Visit>
void for_each_in_records(Visit&& visit) {
  const auto is_first = []<class Kind>(Kind) {
    return requires {
      Kind::kFirstInRecords;
    };
  };
  for (const bool first : {true, false})
    Kinds::for_each([&](auto kind) {
      if (is_first(kind) == first) visit(kind);
    });
}

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

/// Returns whether something that gives light is so thin or small that a plane misses most of it:
/// beads, neurons, filaments, vesicles, spots.
inline bool has_small_lights(const PhantomSpec& all, const Grid& grid, const LightSpec& light) {
  return Kinds::any([&]<class Kind>(Kind) {
    if constexpr (requires { Kind::has_small_lights(Kind::part(all), light); })
      return has_kind<Kind>(all, grid) && Kind::has_small_lights(Kind::part(all), light);
    return false;
  });
}

/// Calls `visit(kind, bodies)` for the objects of each kind, in the order of ids.
template <class AnyPhantom, class Visit>
void for_each_kind(AnyPhantom& phantom, Visit&& visit) {
  Kinds::for_each([&]<class Kind>(Kind kind) {
    auto& bodies = Kind::bodies(phantom);
    if constexpr (requires { bodies.size(); })
      visit(kind, bodies);
    else
      std::visit([&](auto& members) { visit(kind, members); }, bodies);
  });
}

/// Calls `visit(id, body)` for every object in the order of ids; `body` has the object's own type.
template <class Visit>
void for_each_object(const Phantom& phantom, Visit&& visit) {
  std::int64_t id = 0;
  for_each_kind(phantom, [&](auto, const auto& bodies) {
    for (const Body auto& body : bodies) visit(++id, body);
  });
}

/// Calls `visit(id, body)` for one object, 1 <= id <= phantom.count().
template <class Visit>
void visit_object(const Phantom& phantom, std::int64_t id, Visit&& visit) {
  std::int64_t place = id - 1;
  for_each_kind(phantom, [&](auto, const auto& bodies) {
    if (place >= 0 && place < std::ssize(bodies))
      visit(id, bodies[static_cast<std::size_t>(place)]);
    place -= std::ssize(bodies);
  });
}

/// Returns what the objects of a phantom are for others that keep away from them.
std::vector<Obstacles> obstacles_of(const Phantom& phantom);

}  // namespace synthoscope::simulator
