// SPDX-License-Identifier: MIT
#include "simulator/truth/spots.hpp"
#include <fmt/format.h>
#include "simulator/phantom/kinds.hpp"

namespace synthoscope::simulator {

SpotTable::SpotTable() : csv_{"id,cell,frame,z_um,y_um,x_um,radius_um,photons\n"} {}

void SpotTable::add(std::int64_t frame, const FrameNames& names, const Phantom& phantom) {
  for_each_object(phantom, [&]<class T>(std::int64_t object, const T& body) {
    if constexpr (HasStrands<T>) {
      const auto place = static_cast<std::size_t>(object - 1);
      const std::int64_t before = names.objects[place] - 1;
      std::int64_t id = before * phantom.spec.cells.spots;
      for (const StainedStrand& stained : body.strands()) {
        if (stained.structure != Structure::spot) continue;
        for (const Segment& spot : stained.strand.segments())
          csv_ += fmt::format("{},{},{},{:.6f},{:.6f},{:.6f},{:.6f},{:.6g}\n", ++id,
                              names.labels[place], frame, spot.from[0], spot.from[1], spot.from[2],
                              spot.from_radius_um,
                              phantom.brightness * phantom.spec.cells.spot_photons);
      }
    }
  });
}

bool SpotTable::has(const PhantomSpec& spec, const Grid& grid) {
  return spec.cells.spots > 0 && number_of(spec.cells, grid) > 0;
}

std::int64_t SpotTable::bytes(const SceneSpec& scene) {
  constexpr std::int64_t kLongestLine = 128;  // counted twice: a string grows by doubling
  if (!has(phantom_of(scene), scene.grid)) return 0;
  return 2 * kLongestLine * headcounts_of(scene).cells.rows * scene.cells.spots;
}

}  // namespace synthoscope::simulator
