// SPDX-License-Identifier: MIT
// simulator/phantom/strands/structure_names.hpp — the names of structures.
#pragma once
#include "core/base/names.hpp"
#include "simulator/phantom/strands/structure.hpp"

namespace synthoscope::simulator {

inline constexpr NameTable<Structure, 12> kStructureNames{{
    {Structure::none, "none"},
    {Structure::filopodium, "filopodium"},
    {Structure::membrane, "membrane"},
    {Structure::cytoplasm, "cytoplasm"},
    {Structure::nucleus, "nucleus"},
    {Structure::nucleolus, "nucleolus"},
    {Structure::actin, "actin"},
    {Structure::microtubule, "microtubule"},
    {Structure::mitochondrion, "mitochondrion"},
    {Structure::vesicle, "vesicle"},
    {Structure::spot, "spot"},
    {Structure::other, "other"},
}};

}  // namespace synthoscope::simulator
