// SPDX-License-Identifier: MIT
// simulator/phantom/kinds.hpp — the one list of kinds of objects. A new kind adds a line to each
// part of this file and to PhantomSpec; its own folder holds the rest.
#pragma once
#include <cstddef>
#include <memory>
#include <vector>
#include "simulator/phantom/beads/beads_kind.hpp"
#include "simulator/phantom/cells/cells_kind.hpp"
#include "simulator/phantom/kind/kind_list.hpp"
#include "simulator/phantom/neurons/neuron_kind.hpp"
#include "simulator/phantom/nuclei/nuclei_kind.hpp"
#include "simulator/phantom/phantom_spec.hpp"
#include "simulator/phantom/target/target_kind.hpp"
#include "simulator/phantom/tissue/tissue_kind.hpp"
#include "simulator/phantom/volume/volume_kind.hpp"

namespace synthoscope::simulator {

/// All kinds, in the order of their ids, of their tables of keys and of everything else that folds
/// over them.
using Kinds = KindList<kinds::Nuclei, kinds::Cells, kinds::Beads, kinds::Target, kinds::Volume,
                       kinds::Tissue, kinds::Neurons>;

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

/// The objects of a phantom, as they were made.
struct PhantomObjects {
  std::vector<Nucleus> nuclei = {};
  /// For each nucleus, the nuclei of lower number that may overlap it; empty if none may.
  std::vector<std::vector<std::size_t>> overlapped = {};
  std::vector<Bead> beads = {};
  Target target = {};
  std::shared_ptr<const ImportedVolume> volume = {};  ///< null without a volume
  std::vector<Region> regions = {};                   ///< of `volume`
  std::vector<Cell> cells = {};
  std::vector<TissueCell> tissue = {};
  std::vector<Neuron> neurons = {};
};

}  // namespace synthoscope::simulator
