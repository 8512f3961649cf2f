// SPDX-License-Identifier: MIT
#include "simulator/spots.hpp"
#include <fmt/format.h>

namespace synthoscope::simulator {

SpotTable::SpotTable() : csv_{"id,cell,frame,z_um,y_um,x_um,radius_um,photons\n"} {}

void SpotTable::add(std::int64_t frame, const std::vector<std::uint16_t>& labels,
                    const Phantom& phantom) {
  for_each_object(phantom, [&]<class T>(std::int64_t id, const T& body) {
    if constexpr (HasStrands<T>)
      for (const StainedStrand& stained : body.strands()) {
        if (stained.structure != Structure::spot) continue;
        for (const Segment& spot : stained.strand.segments())
          csv_ += fmt::format("{},{},{},{:.6f},{:.6f},{:.6f},{:.6f},{:.6g}\n", ++spots_,
                              labels[static_cast<std::size_t>(id - 1)], frame, spot.from[0],
                              spot.from[1], spot.from[2], spot.from_radius_um,
                              phantom.brightness * phantom.spec.cells.spot_photons);
      }
  });
}

bool SpotTable::has(const PhantomSpec& spec, const Grid& grid) {
  return spec.cells.spots > 0 && number_of(spec.cells, grid) > 0;
}

std::int64_t SpotTable::bytes(const PhantomSpec& spec, const Grid& grid, std::int64_t frames) {
  constexpr std::int64_t kLongestLine = 128;  // twice: a string grows by doubling
  return has(spec, grid)
             ? 2 * kLongestLine * frames * number_of(spec.cells, grid) * spec.cells.spots
             : 0;
}

}  // namespace synthoscope::simulator
