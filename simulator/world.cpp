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

/// Adds one row to a table, whose columns come into being with its first.
class Row {
 public:
  Row(std::vector<Hdf5Table>& tables, const char* group)
      : table_{*std::find_if(tables.begin(), tables.end(),
                             [&](const Hdf5Table& table) { return table.group == group; })} {
    ++table_.rows;
  }
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
  template <class Value>
  void one(const char* name, Value value) {
    column<Value>(name, {}).push_back(value);
  }
  template <class Value>
  std::vector<Value>& column(const char* name, std::vector<std::int64_t> row) {
    using Values = std::vector<Value>;
    for (auto& known : table_.columns)
      if (known.name == name) return std::get<Values>(known.values);
    table_.columns.push_back({name, std::move(row), Values{}});
    return std::get<Values>(table_.columns.back().values);
  }
  Hdf5Table& table_;
};

/// One object of one frame.
struct Placed {
  std::vector<Hdf5Table>& tables;
  std::int64_t id, frame;
  [[nodiscard]] Row row(const char* group) const {
    Row row{tables, group};
    row.whole("id", id);
    row.whole("frame", frame);
    return row;
  }
};

void describe(const Placed& placed, const Nucleus& nucleus) {
  Row row = placed.row("/nucleus");
  row.vector("centre_um", nucleus.centre());
  row.matrix("turn", nucleus.turn());
  row.word("texture_seed", nucleus.texture_seed());
  for (const Lobe& lobe : nucleus.lobes()) {
    const LobeForm& form = lobe.form();
    Row its{placed.tables, "/nucleus/lobe"};
    its.whole("nucleus", placed.id);
    its.vector("offset_um", form.offset_um);
    its.matrix("turn", form.turn);
    its.vector("semi_axes_um", form.semi_axes_um);
    its.real("roughness", form.roughness);
    its.reals("harmonics", {kHarmonics}, form.harmonics.coefficients());
  }
  for (const Nucleolus& nucleolus : nucleus.nucleoli()) {
    Row its{placed.tables, "/nucleus/nucleolus"};
    its.whole("nucleus", placed.id);
    its.whole("lobe", static_cast<std::int64_t>(nucleolus.lobe));
    its.vector("middle", nucleolus.middle);
    its.real("radius", nucleolus.radius);
  }
}

void describe(const Placed& placed, const Bead& bead) {
  Row row = placed.row("/bead");
  row.vector("centre_um", bead.centre);
  row.real("radius_um", bead.radius_um);
  row.real("photons_per_um3", bead.photons_per_um3);
}

void describe(const Placed& placed, const PointTarget& point) {
  Row row = placed.row("/point");
  row.vector("centre_um", point.at);
  row.real("photons", point.photons);
}

void describe(const Placed& placed, const LineTarget& line) {
  Row row = placed.row("/line");
  row.vector("centre_um", line.centre);
  row.real("radius_um", line.radius_um);
  row.real("half_length_um", line.half_length_um);
  row.real("photons_per_um3", line.photons_per_um3);
}

void describe(const Placed& placed, const ShellTarget& shell) {
  Row row = placed.row("/shell");
  row.vector("centre_um", shell.centre);
  row.real("radius_um", shell.radius_um);
  row.real("inner_um", shell.inner_um);
  row.real("photons_per_um3", shell.photons_per_um3);
}

void describe(const Placed& placed, const StarTarget& star) {
  Row row = placed.row("/star");
  row.vector("centre_um", star.centre);
  row.real("radius_um", star.radius_um);
  row.real("half_height_um", star.half_height_um);
  row.whole("spokes", star.spokes);
  row.real("photons_per_um3", star.photons_per_um3);
}

}  // namespace

World::World() {
  for (const char* group : {"/nucleus", "/nucleus/lobe", "/nucleus/nucleolus", "/bead", "/point",
                            "/line", "/shell", "/star"})
    tables_.push_back({group, 0, {}});
}

void World::add(std::int64_t frame, std::int64_t before, const Phantom& phantom) {
  for_each_object(phantom, [&](std::int64_t id, const auto& body) {
    describe(Placed{tables_, before + id, frame}, body);
  });
}

void World::write(const std::filesystem::path& path, const std::string& provenance) const {
  imageio::write_hdf5_tables(path, tables_, provenance, false);
}

std::int64_t World::bytes(const PhantomSpec& spec, const Grid& grid, std::int64_t frames) {
  // Values in a row, in lists that grow by doubling
  constexpr std::int64_t kTimes = 3, kValue = sizeof(double);
  constexpr std::int64_t kNucleus = 15, kLobe = 17 + kHarmonics, kNucleolus = 6, kOther = 9;
  const std::int64_t lobes = 2 * spec.nuclei.most_lobes - 1;  // with the bridges between them
  const std::int64_t nucleus = kNucleus + lobes * kLobe + spec.nuclei.nucleoli * kNucleolus;
  const std::int64_t others = number_of(spec.beads, grid) + number_of(spec.target, grid);
  return kTimes * kValue * frames * (number_of(spec.nuclei, grid) * nucleus + others * kOther);
}

}  // namespace synthoscope::simulator
