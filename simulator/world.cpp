// SPDX-License-Identifier: MIT
#include "simulator/world.hpp"
#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>
#include "simulator/phantom/population.hpp"

namespace synthoscope::simulator {
namespace {

using imageio::Hdf5Table;

constexpr std::int64_t kHarmonics = (kMaxDegree + 1) * (kMaxDegree + 1);

/// What one table may hold.
struct TableRoom {
  const char* group;
  std::int64_t most_rows, values;  ///< values in a row
};

std::vector<TableRoom> table_rooms(const WorldRoom& room) {
  const auto& [spec, grid, frames, movie_frames, nucleus_poses, cell_poses, tracks] = room;
  const std::int64_t cells = frames * number_of(spec.cells, grid);
  const std::int64_t tissue = frames * number_of(spec.tissue, grid);
  const std::int64_t nuclei = frames * number_of(spec.nuclei, grid) + tissue;
  const std::int64_t lobes = 2 * spec.nuclei.most_lobes - 1;  // with the bridges between them
  const std::int64_t target = frames * number_of(spec.target, grid);
  const auto members = [&](TargetKind kind) { return room.spec.target.kind == kind ? target : 0; };
  return {{"/nucleus", nuclei, 15},
          {"/nucleus/lobe", nuclei * lobes, 17 + kHarmonics},
          {"/nucleus/nucleolus", nuclei * spec.nuclei.nucleoli, 6},
          {"/nucleus/pose", nucleus_poses, 14},
          {"/bead", frames * number_of(spec.beads, grid), 7},
          {"/point", members(TargetKind::points), 6},
          {"/line", members(TargetKind::lines), 8},
          {"/shell", members(TargetKind::shells), 8},
          {"/star", members(TargetKind::star), 9},
          {"/region", frames * number_of(room.spec.volume), 8},
          {"/cell", cells, 16},
          {"/cell/surface", cells, 14 + kHarmonics},
          {"/cell/nucleus", cells, 18 + kHarmonics},
          {"/cell/nucleolus", cells * spec.cells.nucleoli, 5},
          {"/cell/pose", cell_poses, 14},
          {"/cell/segment", frames * strands_of(spec, grid).pieces, 11},
          {"/tissue", tissue, 6},
          {"/tissue/side", tissue * kMostSides, 5},
          {"/neuron", frames * number_of(spec.neuron), 3},
          {"/neuron/segment", frames * std::ssize(points_of(spec.neuron)), 10},
          {"/track", tracks, 5},
          {"/frame", movie_frames, 7}};
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

/// Size, turn and surface of a lobe.
void describe(TableRow& row, const LobeForm& form) {
  row.matrix("turn", form.turn);
  row.vector("semi_axes_um", form.semi_axes_um);
  row.real("roughness", form.roughness);
  row.reals("harmonics", {kHarmonics}, form.harmonics.coefficients());
}

void describe(TableRow& row, const Segment& segment) {
  row.whole("before", segment.before);
  row.vector("from_um", segment.from);
  row.vector("to_um", segment.to);
  row.real("from_radius_um", segment.from_radius_um);
  row.real("to_radius_um", segment.to_radius_um);
}

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
    describe(its, form);
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

void describe_nucleus_of_cell(const PlacedObject& placed, const Nucleus& nucleus) {
  TableRow row{placed.tables, "/cell/nucleus"};
  row.whole("cell", placed.id);
  row.vector("centre_um", nucleus.centre());
  row.word("texture_seed", nucleus.texture_seed());
  describe(row, nucleus.lobes().front().form());
  for (const Nucleolus& nucleolus : nucleus.nucleoli()) {
    TableRow its{placed.tables, "/cell/nucleolus"};
    its.whole("cell", placed.id);
    its.vector("middle", nucleolus.middle);
    its.real("radius", nucleolus.radius);
  }
}

void describe(const PlacedObject& placed, const Cell& cell) {
  TableRow row = placed.row("/cell");
  row.vector("centre_um", cell.surface().centre());
  row.matrix("turn", cell.surface().turn());
  row.word("cytoplasm_seed", cell.cytoplasm_seed());
  TableRow surface{placed.tables, "/cell/surface"};
  surface.whole("cell", placed.id);
  describe(surface, cell.surface().lobes().front().form());
  if (cell.nucleus()) describe_nucleus_of_cell(placed, *cell.nucleus());
  for (const StainedStrand& stained : cell.strands())
    for (const Segment& segment : stained.strand.segments()) {
      TableRow its{placed.tables, "/cell/segment"};
      its.whole("cell", placed.id);
      its.whole("structure", static_cast<std::int64_t>(stained.structure));
      describe(its, segment);
    }
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
    describe(its, segment);
  }
}

/// Says how a body lies in one frame. @param drawn  its turn as it was drawn
void add_pose(TableRow row, const char* kind, std::int64_t id, std::int64_t frame, const Pose& pose,
              const Vector3& drift, const Matrix3& drawn) {
  row.whole(kind, id);
  row.whole("frame", frame);
  row.vector("centre_um", pose.centre + drift);
  row.matrix("to_shape", transposed(drawn) * to_own_frame(pose));
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
  for_each_object(phantom, [&](std::int64_t id, const auto& body) {
    describe(
        PlacedObject{{tables_, most_rows_}, labels.at(static_cast<std::size_t>(id - 1)), frame},
        body);
  });
}

void World::add(const Movie& movie) {
  const Tables tables{tables_, most_rows_};
  const Tracks& tracks = movie.tracks();
  std::vector<std::optional<Matrix3>> nucleus_turns(movie.nuclei().lineage().size()),
      cell_turns(movie.cells().lineage().size());  // as they were drawn
  for (std::int64_t frame = 0; frame < movie.frames(); ++frame) {
    const Vector3 drift = movie.drift_um(frame);
    for (const PosedBody& body : movie.nuclei().at(frame)) {
      const std::int64_t id = tracks.first(body.number).label;
      auto& turn = nucleus_turns[static_cast<std::size_t>(body.number)];
      if (!turn) {
        Nucleus drawn = movie.drawn_nucleus(body.number);
        turn = drawn.turn();
        drawn.move_to(body.pose.centre + drift);
        describe(PlacedObject{tables, id, frame}, drawn);
      }
      add_pose({tables, "/nucleus/pose"}, "nucleus", id, frame, body.pose, drift, *turn);
    }
    for (const PosedBody& body : movie.cells().at(frame)) {
      const std::int64_t id = tracks.first(movie.object_of_cell(body.number)).label;
      auto& turn = cell_turns[static_cast<std::size_t>(body.number)];
      if (!turn) {
        Cell drawn = movie.drawn_cell(body);
        turn = drawn.surface().turn();
        drawn.move_by(body.pose.centre + drift);
        describe(PlacedObject{tables, id, frame}, drawn);
      }
      add_pose({tables, "/cell/pose"}, "cell", id, frame, Movie::pose_of_cell(body), drift, *turn);
    }
    TableRow row{tables, "/frame"};
    row.real("seconds", movie.seconds(frame));
    row.vector("drift_um", drift);
    row.real("focus_um", movie.focus_um(frame));
    row.real("brightness", movie.brightness(frame));
  }
  for_each_object(movie.still(), [&](std::int64_t id, const auto& body) {
    const std::int64_t label = tracks.first(movie.object_of_still(id - 1)).label;
    describe(PlacedObject{tables, label, 0}, body);
  });
  for (const Track& track : tracks.all()) {
    if (!track.is_seen()) continue;
    TableRow row{tables, "/track"};
    row.whole("id", track.label);
    row.whole("begin", track.begin);
    row.whole("end", track.end);
    row.whole("parent", track.parent);
    row.whole("object", tracks.first(track.object).label);
  }
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
