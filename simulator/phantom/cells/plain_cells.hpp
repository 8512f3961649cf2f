// SPDX-License-Identifier: MIT
// simulator/phantom/cells/plain_cells.hpp — cells in arrays of plain data, without their strands;
// compiled for host and devices.
#pragma once
#include <cstdint>
#include "simulator/phantom/cells/cell_light.hpp"
#include "simulator/phantom/nuclei/plain_nuclei.hpp"

namespace synthoscope::simulator::device {

/// A cell and where its parts are in the arrays of nuclei.
struct PlainCell {
  Vector3 centre{};
  Matrix3 turn{};
  int surface = 0;   ///< among lobes
  int nucleus = -1;  ///< among nuclei; none for -1
};

/// The arrays are owned elsewhere.
struct PlainCells {
  const PlainCell* all = nullptr;
  const NoiseField* chromatin = nullptr;  ///< of the nucleus of each cell
  const NoiseField* cytoplasm = nullptr;  ///< of each cell
  CellFigures figures;
};

struct CellBody {
  static constexpr bool kHasLobes = true;
  static double light(const auto& p, std::int32_t number, const Vector3& centre) {
    const PlainCell& cell = p.cells.all[number];
    CellShape shape{cell.centre, cell.turn, p.nuclei.lobes + cell.surface, {}};
    if (cell.nucleus >= 0) shape.nucleus = p.nuclei.at(cell.nucleus);
    const auto texture = [](const NoiseField& field) {
      return [&field](const Vector3& point) {
        return texture_at(TextureKind::chromatin, field, point);
      };
    };
    return light_of_cell(p.cells.figures, shape, centre, p.pitch,
                         texture(p.cells.chromatin[number]), texture(p.cells.cytoplasm[number]));
  }
  static bool contains(const auto& p, std::int32_t number, const Vector3& point) {
    const PlainCell& cell = p.cells.all[number];
    return p.nuclei.lobes[cell.surface].contains(point - cell.centre);
  }
};

}  // namespace synthoscope::simulator::device
