// SPDX-License-Identifier: MIT
#include "simulator/world/world.hpp"
#include <algorithm>
#include "simulator/phantom/geometry/population.hpp"
#include "simulator/phantom/kinds.hpp"
#include "simulator/phantom/object_lights.hpp"
#include "simulator/world/kinds.hpp"

namespace synthoscope::simulator {
namespace {

/// Returns the tables of all kinds of objects. Groups precede what they hold.
TableSizes table_sizes(const WorldSize& size) {
  TableSizes all;
  const auto add = [&](const TableSizes& its) { all.insert(all.end(), its.begin(), its.end()); };
  for_each_in_records([&]<class Kind>(Kind) { add(Kind::tables(size)); });
  add(table_sizes_of_movie(size));
  add(table_sizes_of_lights(size));
  return all;
}

}  // namespace

TableSizes table_sizes_of_lights(const WorldSize& size) {
  if (!has_uneven_light(size.spec)) return {};
  return {{"/light", size.frames * number_of(size.spec, size.grid), 10}};
}

void describe(const PlacedObject& placed, const ObjectLight& light) {
  TableRow row = placed.row("/light");
  row.real("brightness", light.factor);
  row.real("uneven_stain", light.uneven);
  row.vector("middle_um", light.middle);
  row.vector("slope_per_um", light.slope);
}

WorldSize WorldSize::of(const SceneSpec& scene) {
  WorldSize size{phantom_of(scene), sample_grid(scene), scene.frames};
  if (!scene.time.is_movie()) return size;
  const Headcounts count = headcounts_of(scene);
  size.spec.nuclei.count = count.nuclei.lives;
  size.spec.nuclei.density_per_mm3.reset();
  size.spec.cells.count = count.cells.lives;
  size.spec.cells.density_per_mm3.reset();
  size.frames = 1;
  size.movie_frames = scene.frames;
  size.nucleus_poses = count.nuclei.rows;
  size.cell_poses = count.cells.rows;
  size.tracks = std::min(kMaxObjects, count.all.rows);
  return size;
}

World::World(const WorldSize& all) {
  for (const TableSize& table : table_sizes(all)) {
    tables_.push_back({table.group, 0, {}});
    most_rows_.push_back(table.most_rows);
  }
}

void World::add(std::int64_t frame, const std::vector<std::uint16_t>& labels,
                const Phantom& phantom) {
  const WorldTables tables{tables_, most_rows_};
  for_each_object(phantom, [&](std::int64_t id, const auto& body) {
    const auto place = static_cast<std::size_t>(id - 1);
    const PlacedObject placed{tables, labels.at(place), frame};
    describe(placed, body);
    if (!phantom.lights.empty()) describe(placed, phantom.lights[place]);
  });
}

void World::add(const Movie& movie) {
  describe(WorldTables{tables_, most_rows_}, movie);
}

void World::write(const std::filesystem::path& path, const std::string& provenance) const {
  imageio::write_hdf5_tables(path, tables_, provenance, false);
}

std::int64_t World::bytes(const WorldSize& all) {
  constexpr std::int64_t kValue = sizeof(double);
  std::int64_t values = 0;
  for (const TableSize& table : table_sizes(all)) values += table.most_rows * table.values;
  return kValue * values;
}

std::int64_t World::held_bytes() const {
  std::int64_t bytes = 0;
  for (const auto& table : tables_)
    for (const auto& column : table.columns)
      bytes += std::visit(
          [](const auto& values) { return static_cast<std::int64_t>(8 * values.capacity()); },
          column.values);
  return bytes;
}

}  // namespace synthoscope::simulator
