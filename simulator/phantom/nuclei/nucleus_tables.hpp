// SPDX-License-Identifier: MIT
// simulator/phantom/nuclei/nucleus_tables.hpp — nuclei and their parts in the tables of a world.
#pragma once
#include "simulator/phantom/kind/table.hpp"
#include "simulator/phantom/nuclei/nucleus.hpp"

namespace synthoscope::simulator {

/// Nuclei that are separate objects, with their lobes and nucleoli.
void describe(const PlacedObject& placed, const Nucleus& nucleus);

/// The tables for parts of nuclei, which are separate or lie in other objects.
struct NucleusTables {
  const char *lobe, *nucleolus;
  const char* owner;  ///< the column with the id of the object that has the nucleus
};
/// Place, turn and texture of a nucleus; its lobes and nucleoli.
void describe(TableRow& row, const Nucleus& nucleus);
void describe_parts(const PlacedObject& placed, const Nucleus& nucleus, const NucleusTables& all);

}  // namespace synthoscope::simulator
