// SPDX-License-Identifier: MIT
#include "simulator/world.hpp"
#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace synthoscope::simulator {
namespace {

using imageio::Hdf5Table;

constexpr std::int64_t kHarmonics = (kMaxDegree + 1) * (kMaxDegree + 1);

/// What one table may hold.
struct TableRoom {
  const char* group;
  std::int64_t most_rows, values;  ///< values in a row
};

std::vector<TableRoom> table_rooms(const PhantomSpec& spec, const Grid& grid, std::int64_t frames) {
  const std::int64_t cells = frames * number_of(spec.tissue, grid);
  const std::int64_t nuclei = frames * number_of(spec.nuclei, grid) + cells;
  const std::int64_t lobes = 2 * spec.nuclei.most_lobes - 1;  // with the bridges between them
  const auto members = [&](TargetKind kind) {
    return spec.target.kind == kind ? frames * number_of(spec.target, grid) : 0;
  };
  return {{"/nucleus", nuclei, 15},
          {"/nucleus/lobe", nuclei * lobes, 17 + kHarmonics},
          {"/nucleus/nucleolus", nuclei * spec.nuclei.nucleoli, 6},
          {"/bead", frames * number_of(spec.beads, grid), 7},
          {"/point", members(TargetKind::points), 6},
          {"/line", members(TargetKind::lines), 8},
          {"/shell", members(TargetKind::shells), 8},
          {"/star", members(TargetKind::star), 9},
          {"/region", frames * number_of(spec.volume), 8},
          {"/tissue", cells, 6},
          {"/tissue/side", cells * kMostSides, 5},
          {"/neuron", frames * number_of(spec.neuron), 3},
          {"/neuron/segment", frames * strands_of(spec, grid).pieces, 10}};
}

/// The tables of a world, and how many rows each gets at most.
struct Tables {
  std::vector<Hdf5Table>& tables;
  const std::vector<std::int64_t>& most_rows;
};

/// Adds one row to a table. Columns come into being with its first, with room for all rows: a list
/// that grew would hold some of them twice.
class TableRow {
 public:
  TableRow(const Tables& all, const char* group)
      : TableRow{all, std::find_if(all.tables.begin(), all.tables.end(),
                                   [&](const Hdf5Table& table) { return table.group == group; }) -
                          all.tables.begin()} {}
  void whole(const char* name, std::int64_t value) { one(name, value); }
  void word(const char* name, std::uint64_t value) { one(name, value); }
  void real(const char* name, double value) { reals(name, {}, {&value, 1}); }
  void vector(const char* name, const Vector3& v) { reals(name, {3}, v); }
  void matrix(const char* name, const Matrix3& m) {
    std::array<double, 9> all{};
    for (std::size_t i = 0; i < 9; ++i) all[i] = m[i / 3][i % 3];
    reals(name, {3, 3}, all);
  }
  void reals(const char* name, std::vector<std::int64_t> row, std::span<const double> values) {
    auto& all = column<double>(name, std::move(row));
    all.insert(all.end(), values.begin(), values.end());
  }

 private:
  TableRow(const Tables& all, std::ptrdiff_t number)
      : table_{all.tables[static_cast<std::size_t>(number)]},
        most_rows_{all.most_rows[static_cast<std::size_t>(number)]} {
    ++table_.rows;
  }
  template <class Value>
  void one(const char* name, Value value) {
    column<Value>(name, {}).push_back(value);
  }
  template <class Value>
  std::vector<Value>& column(const char* name, std::vector<std::int64_t> row) {
    using Values = std::vector<Value>;
    for (auto& known : table_.columns)
      if (known.name == name) return std::get<Values>(known.values);
    std::int64_t count = most_rows_;
    for (const std::int64_t size : row) count *= size;
    Values values;
    values.reserve(static_cast<std::size_t>(count));
    table_.columns.push_back({name, std::move(row), std::move(values)});
    return std::get<Values>(table_.columns.back().values);
  }
  Hdf5Table& table_;
  std::int64_t most_rows_;
};

/// One object of one frame.
struct PlacedObject {
  Tables tables;
  std::int64_t id, frame;
  [[nodiscard]] TableRow row(const char* group) const {
    TableRow row{tables, group};
    row.whole("id", id);
    row.whole("frame", frame);
    return row;
  }
};

void describe(const PlacedObject& placed, const Nucleus& nucleus) {
  TableRow row = placed.row("/nucleus");
  row.vector("centre_um", nucleus.centre());
  row.matrix("turn", nucleus.turn());
  row.word("texture_seed", nucleus.texture_seed());
  for (const Lobe& lobe : nucleus.lobes()) {
    const LobeForm& form = lobe.form();
    TableRow its{placed.tables, "/nucleus/lobe"};
    its.whole("nucleus", placed.id);
    its.vector("offset_um", form.offset_um);
    its.matrix("turn", form.turn);
    its.vector("semi_axes_um", form.semi_axes_um);
    its.real("roughness", form.roughness);
    its.reals("harmonics", {kHarmonics}, form.harmonics.coefficients());
  }
  for (const Nucleolus& nucleolus : nucleus.nucleoli()) {
    TableRow its{placed.tables, "/nucleus/nucleolus"};
    its.whole("nucleus", placed.id);
    its.whole("lobe", static_cast<std::int64_t>(nucleolus.lobe));
    its.vector("middle", nucleolus.middle);
    its.real("radius", nucleolus.radius);
  }
}

void describe(const PlacedObject& placed, const Bead& bead) {
  TableRow row = placed.row("/bead");
  row.vector("centre_um", bead.centre);
  row.real("radius_um", bead.radius_um);
  row.real("photons_per_um3", bead.photons_per_um3);
}

void describe(const PlacedObject& placed, const PointTarget& point) {
  TableRow row = placed.row("/point");
  row.vector("centre_um", point.at);
  row.real("photons", point.photons);
}

void describe(const PlacedObject& placed, const LineTarget& line) {
  TableRow row = placed.row("/line");
  row.vector("centre_um", line.centre);
  row.real("radius_um", line.radius_um);
  row.real("half_length_um", line.half_length_um);
  row.real("photons_per_um3", line.photons_per_um3);
}

void describe(const PlacedObject& placed, const ShellTarget& shell) {
  TableRow row = placed.row("/shell");
  row.vector("centre_um", shell.centre);
  row.real("radius_um", shell.radius_um);
  row.real("inner_um", shell.inner_um);
  row.real("photons_per_um3", shell.photons_per_um3);
}

void describe(const PlacedObject& placed, const StarTarget& star) {
  TableRow row = placed.row("/star");
  row.vector("centre_um", star.centre);
  row.real("radius_um", star.radius_um);
  row.real("half_height_um", star.half_height_um);
  row.whole("spokes", star.spokes);
  row.real("photons_per_um3", star.photons_per_um3);
}

void describe(const PlacedObject& placed, const Region& region) {
  TableRow row = placed.row("/region");
  row.whole("file_label", region.file_label);
  row.vector("centroid_um", region.middle);
  row.real("volume_um3", region.um3);
  row.real("photons_per_um3", region.photons_per_um3);
}

void describe(const PlacedObject& placed, const TissueCell& cell) {
  TableRow row = placed.row("/tissue");
  row.vector("centroid_um", cell.centroid());
  row.real("volume_um3", cell.volume_um3());
  for (const HalfSpace& side : cell.sides()) {
    TableRow its{placed.tables, "/tissue/side"};
    its.whole("cell", placed.id);
    its.vector("normal", side.normal);
    its.real("offset_um", side.offset);
  }
  if (cell.nucleus) describe(placed, *cell.nucleus);
}

void describe(const PlacedObject& placed, const Neuron& neuron) {
  TableRow row = placed.row("/neuron");
  row.real("photons_per_um3", neuron.strands().front().photons_per_um3);
  for (const Segment& segment : neuron.strands().front().strand.segments()) {
    TableRow its{placed.tables, "/neuron/segment"};
    its.whole("neuron", placed.id);
    its.whole("before", segment.before);
    its.vector("from_um", segment.from);
    its.vector("to_um", segment.to);
    its.real("from_radius_um", segment.from_radius_um);
    its.real("to_radius_um", segment.to_radius_um);
  }
}

}  // namespace

World::World(const PhantomSpec& spec, const Grid& grid, std::int64_t frames) {
  for (const auto& room : table_rooms(spec, grid, frames)) {
    tables_.push_back({room.group, 0, {}});
    most_rows_.push_back(room.most_rows);
  }
}

void World::add(std::int64_t frame, std::int64_t before, const Phantom& phantom) {
  for_each_object(phantom, [&](std::int64_t id, const auto& body) {
    describe(PlacedObject{{tables_, most_rows_}, before + id, frame}, body);
  });
}

void World::write(const std::filesystem::path& path, const std::string& provenance) const {
  imageio::write_hdf5_tables(path, tables_, provenance, false);
}

std::int64_t World::bytes(const PhantomSpec& spec, const Grid& grid, std::int64_t frames) {
  constexpr std::int64_t kValue = sizeof(double);
  std::int64_t values = 0;
  for (const auto& room : table_rooms(spec, grid, frames)) values += room.most_rows * room.values;
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
