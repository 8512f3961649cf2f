// SPDX-License-Identifier: MIT
#include "simulator/world/world.hpp"
#include <algorithm>
#include "simulator/phantom/geometry/population.hpp"
#include "simulator/world/kinds.hpp"

namespace synthoscope::simulator {
namespace {

/// Returns the tables of all kinds of objects. Groups precede what they hold.
TableRooms table_rooms(const WorldRoom& room) {
  TableRooms all;
  const auto add = [&](const TableRooms& its) { all.insert(all.end(), its.begin(), its.end()); };
  for_each_in_records([&]<class Kind>(Kind) { add(Kind::tables(room)); });
  add(rooms_of_movie(room));
  return all;
}

}  // namespace

WorldRoom WorldRoom::of(const SceneSpec& scene) {
  WorldRoom room{phantom_of(scene), scene.grid, scene.frames};
  if (!scene.time.is_movie()) return room;
  const Headcounts count = headcounts_of(scene);
  room.spec.nuclei.count = count.nuclei.lives;
  room.spec.nuclei.density_per_mm3.reset();
  room.spec.cells.count = count.cells.lives;
  room.spec.cells.density_per_mm3.reset();
  room.frames = 1;
  room.movie_frames = scene.frames;
  room.nucleus_poses = count.nuclei.rows;
  room.cell_poses = count.cells.rows;
  room.tracks = std::min(kMostObjects, count.all.rows);
  return room;
}

World::World(const WorldRoom& all) {
  for (const auto& room : table_rooms(all)) {
    tables_.push_back({room.group, 0, {}});
    most_rows_.push_back(room.most_rows);
  }
}

void World::add(std::int64_t frame, const std::vector<std::uint16_t>& labels,
                const Phantom& phantom) {
  const WorldTables tables{tables_, most_rows_};
  for_each_object(phantom, [&](std::int64_t id, const auto& body) {
    describe(PlacedObject{tables, labels.at(static_cast<std::size_t>(id - 1)), frame}, body);
  });
}

void World::add(const Movie& movie) {
  describe(WorldTables{tables_, most_rows_}, movie);
}

void World::write(const std::filesystem::path& path, const std::string& provenance) const {
  imageio::write_hdf5_tables(path, tables_, provenance, false);
}

std::int64_t World::bytes(const WorldRoom& all) {
  constexpr std::int64_t kValue = sizeof(double);
  std::int64_t values = 0;
  for (const auto& room : table_rooms(all)) values += room.most_rows * room.values;
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
