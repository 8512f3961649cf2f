// SPDX-License-Identifier: MIT
#include "simulator/phantom/tissue/tissue.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <utility>
#include "core/base/error.hpp"
#include "core/math/random.hpp"
#include "simulator/base/range_check.hpp"
#include "simulator/phantom/geometry/draws.hpp"
#include "simulator/phantom/geometry/population.hpp"
#include "simulator/phantom/geometry/power_diagram.hpp"
#include "simulator/phantom/tissue/tissue_kind.hpp"
#include "simulator/phantom/tissue/tissue_spec.hpp"

namespace synthoscope::simulator {
namespace {

constexpr std::uint16_t kPlaceDraw = 0, kClaimDraw = 1;
constexpr double kNowhereUm = 1e9;  ///< distance of a side that leaves nothing of the grid, despite
                                    ///< any drift
constexpr std::int64_t kNucleusNumbers = std::int64_t{1} << 40;

Vector3 divided(const Vector3& v, const Vector3& by) {
  return {v[0] / by[0], v[1] / by[1], v[2] / by[2]};
}

/// Draws points, in units of the axis ratios.
std::vector<PowerSeed> draw_seeds(const TissueSpec& spec, const Bounds& box, std::int64_t count,
                                  std::uint64_t seed) {
  const RandomStream stream{seed, RandomStage::tissue};
  const Vector3 size = box.high - box.low;
  const double mean_radius =
      cube_root(0.75 / kPi * size[0] * size[1] * size[2] / static_cast<double>(count));
  std::vector<PowerSeed> seeds;
  seeds.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    const auto number = static_cast<std::uint64_t>(i);
    const auto place = stream.block(number, kPlaceDraw);
    PowerSeed drawn;
    for (std::size_t axis = 0; axis < 3; ++axis)
      drawn.at[axis] = uniform32(place[axis]) * size[axis];
    const double radius =
        mean_radius * (1 + spec.size_spread * bell(stream.block(number, kClaimDraw)));
    drawn.weight = radius * radius;
    seeds.push_back(drawn);
  }
  return seeds;
}

/// Returns a side in the grid's own lengths, half a gap farther in.
HalfSpace stretched(const HalfSpace& side, const Vector3& ratios, double gap_um) {
  const Vector3 normal = divided(side.normal, ratios);
  const double length = std::sqrt(dot(normal, normal));
  return {(1 / length) * normal, side.offset / length - gap_um / 2};
}

/// Draws a nucleus, shrunk until it is clear of the membrane; none if not even a point is.
std::optional<Nucleus> nucleus_in(const TissueCell& cell, double membrane_um,
                                  const NucleiSpec& spec, std::uint64_t seed, std::int64_t number) {
  constexpr double kClearance = 0.95;
  double room = 1e300;
  for (const HalfSpace& side : cell.sides())
    room = std::min(room, kClearance * (side.depth(cell.centroid()) - membrane_um));
  if (!(room > 0) || cell.volume_um3() == 0) return std::nullopt;
  Nucleus nucleus = Nucleus::draw(spec, seed, kNucleusNumbers + number);
  if (nucleus.bounding_radius_um() > room) {
    NucleiSpec smaller = spec;
    smaller.radius_um *= room / nucleus.bounding_radius_um();
    nucleus = Nucleus::draw(smaller, seed, kNucleusNumbers + number);
  }
  nucleus.move_to(cell.centroid());
  return nucleus;
}

}  // namespace

TissueCell::TissueCell(std::vector<HalfSpace> sides, const Bounds& field)
    : sides_{std::move(sides)} {
  Polyhedron body{field};
  for (std::size_t i = 0; i < sides_.size(); ++i) body.cut(sides_[i], static_cast<int>(i));
  volume_um3_ = body.volume();
  if (!(volume_um3_ > 0)) return;
  bounds_ = body.bounds();
  centroid_ = body.centroid();
}

void move_by(TissueCell& cell, const Vector3& way, const Bounds& field) {
  std::vector<HalfSpace> sides = cell.sides();
  for (HalfSpace& side : sides) side.offset += dot(side.normal, way);
  TissueCell moved{std::move(sides), field};
  if (cell.nucleus) {
    cell.nucleus->move_to(cell.nucleus->centre() + way);
    moved.nucleus.emplace(std::move(*cell.nucleus));
  }
  cell = std::move(moved);
}

std::int64_t most_sides_of(std::int64_t cells) {
  // An empty cell has one artificial side
  return cells * std::clamp<std::int64_t>(cells - 1, 1, kMaxSides);
}

std::int64_t tissue_cell_bytes() {
  // A body with its faces while cells are made; the sides in the diagram and in the cell, in lists
  // that grow by doubling; seeds and their cubes
  constexpr std::int64_t kCorners = 8,
                         kFaceBytes = 64 + 2 * kCorners * std::int64_t{sizeof(Vector3)};
  constexpr std::int64_t kSeedBytes = std::int64_t{sizeof(PowerSeed)} + 64;
  return kMaxSides * (kFaceBytes + 4 * std::int64_t{sizeof(HalfSpace)}) + kSeedBytes +
         2 * std::int64_t{sizeof(std::optional<PowerCell>)} +
         2 * std::int64_t{sizeof(std::optional<TissueCell>)};
}

std::vector<TissueCell> make_tissue(const TissueSpec& spec, const NucleiSpec& nuclei,
                                    const Grid& grid, std::uint64_t seed,
                                    const RunContext& context) {
  const std::int64_t count = number_of(spec, grid);
  if (count == 0) return {};
  const Vector3 ratios = vector_of(spec.axis_ratios);
  const Bounds field{{}, size_um(grid)}, box{{}, divided(field.high, ratios)};
  std::vector<PowerSeed> seeds = draw_seeds(spec, box, count, seed);
  std::vector<PowerCell> diagram = power_diagram(seeds, box, context);
  for (std::int64_t turn = 0; turn < spec.regularity; ++turn) {
    for (std::size_t i = 0; i < seeds.size(); ++i)
      if (diagram[i].body.volume() > 0) seeds[i].at = diagram[i].body.centroid();
    diagram.clear();
    diagram = power_diagram(seeds, box, context);
  }

  std::vector<std::optional<TissueCell>> made(seeds.size());
  context.pool.for_each(count, [&](std::int64_t i) {
    context.stop.check();
    const auto number = static_cast<std::size_t>(i);
    std::vector<HalfSpace> sides;
    for (const HalfSpace& side : diagram[number].sides)
      sides.push_back(stretched(side, ratios, spec.gap_um));
    if (diagram[number].body.empty()) sides.push_back({{1, 0, 0}, -kNowhereUm});
    made[number].emplace(std::move(sides), field);
    if (spec.nuclei)
      made[number]->nucleus = nucleus_in(*made[number], spec.membrane_um, nuclei, seed, i);
  });
  std::vector<TissueCell> cells;
  cells.reserve(made.size());
  std::int64_t sides = 0;
  for (auto& cell : made) {
    sides += std::ssize(cell->sides());
    cells.push_back(std::move(*cell));
  }
  if (sides > most_sides_of(count))
    throw InvalidSpec(fmt::format(
        "make the tissue: its {} cells have {} sides, and memory is counted for at most {}; use "
        "another seed, a larger tissue.regularity or a smaller tissue.size_spread",
        count, sides, most_sides_of(count)));
  const auto empty = std::count_if(cells.begin(), cells.end(),
                                   [](const TissueCell& cell) { return !(cell.volume_um3() > 0); });
  if (empty > 0)
    context.log.warn(
        fmt::format("tissue: {} of {} cells do not fit at all; a smaller tissue.gap_um or "
                    "tissue.size_spread, or fewer cells, make room for them",
                    empty, cells.size()));
  return cells;
}

void describe(const PlacedObject& placed, const TissueCell& cell) {
  TableRow row = placed.row("/tissue");
  row.vector("centroid_um", cell.centroid());
  row.real("volume_um3", cell.volume_um3());
  for (const HalfSpace& side : cell.sides()) {
    TableRow its = placed.part("/tissue/side", "cell");
    its.vector("normal", side.normal);
    its.real("offset_um", side.offset);
  }
  if (!cell.nucleus) return;
  TableRow nucleus = placed.part("/tissue/nucleus", "cell");
  describe(nucleus, *cell.nucleus);
  describe_parts(placed, *cell.nucleus,
                 {"/tissue/lobe", "/tissue/nucleolus", "/tissue/fold", "cell"});
}

std::int64_t number_of(const TissueSpec& spec, const Grid& grid) {
  return number_of(spec, 0, grid);
}

void require_valid(const TissueSpec& s) {
  require_one_number("tissue", s.count, s.density_per_mm3);
  RangeCheck check{"tissue", s};
  list_tissue_keys(check);
}

}  // namespace synthoscope::simulator
