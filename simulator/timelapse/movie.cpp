// SPDX-License-Identifier: MIT
#include "simulator/timelapse/movie.hpp"
#include <optional>
#include <utility>
#include "simulator/phantom/cells/cells_kind.hpp"
#include "simulator/phantom/nuclei/dividing.hpp"
#include "simulator/phantom/nuclei/placement.hpp"
#include "simulator/phantom/object_lights.hpp"
#include "simulator/timelapse/colony.hpp"
#include "simulator/timelapse/seen.hpp"

namespace synthoscope::simulator {
namespace {

/// Returns cells that have the same labels, without content.
CellsSpec outlined(CellsSpec spec) {
  spec.nucleus_radius_um = 0;
  spec.mitochondria = spec.microtubules = spec.actin_fibres = spec.vesicles = spec.spots = 0;
  return spec;
}

/// Returns `make(body)` of all bodies, computed by the threads of a pool.
template <class Body, class Make>
std::vector<Body> made_of(std::span<const PosedBody> bodies, const RunContext& context,
                          Make&& make) {
  std::vector<std::optional<Body>> made(bodies.size());
  context.pool.for_each(std::ssize(bodies), [&](std::int64_t i) {
    context.stop.check();
    made[static_cast<std::size_t>(i)] = make(bodies[static_cast<std::size_t>(i)]);
  });
  std::vector<Body> all;
  all.reserve(made.size());
  for (auto& body : made) all.push_back(std::move(*body));
  return all;
}

/// Returns the numbers of a body and of the bodies that it comes from, the oldest first.
Ancestry ancestry_of(const std::vector<Life>& lineage, std::int64_t number) {
  Ancestry all;
  for (std::int64_t one = number; one >= 0; one = lineage[static_cast<std::size_t>(one)].mother)
    all.insert(all.begin(), one);
  return all;
}

/// Returns the spec of the objects that stay where they are: all but nuclei and cells.
PhantomSpec resting(PhantomSpec spec) {
  spec.nuclei.count = spec.cells.count = 0;
  spec.nuclei.density_per_mm3.reset();
  spec.cells.density_per_mm3.reset();
  return spec;
}

}  // namespace

MovingHeadcounts headcounts_of(const MovieSpec& spec, std::uint64_t seed) {
  const auto count_of = [&](const MovingKind& kind) {
    return headcount_of(kind.lineage(spec.time, spec.sample(), spec.frames, seed), spec.frames);
  };
  return {count_of(moving_nuclei(spec.phantom)),
          count_of(moving_cells(spec.phantom, spec.sample()))};
}

PhantomSpec fullest(const MovieSpec& spec, std::uint64_t seed) {
  PhantomSpec phantom = spec.phantom;
  const auto [nuclei, cells] = headcounts_of(spec, seed);
  phantom.nuclei.count = nuclei.most;
  phantom.nuclei.density_per_mm3.reset();
  phantom.cells.count = cells.most;
  phantom.cells.density_per_mm3.reset();
  return phantom;
}

std::int64_t Movie::bytes(const MovieSpec& spec, std::uint64_t seed) {
  const auto [nuclei, cells] = headcounts_of(spec, seed);
  const PhantomSpec others = resting(spec.phantom);
  // Objects that cross borders have several tracks: twice as many are counted
  return History::bytes(nuclei, spec.frames) + History::bytes(cells, spec.frames) +
         phantom_bytes(others, spec.sample()) +
         Tracks::bytes(2 * (nuclei.lives + cells.lives + number_of(others, spec.sample())));
}

std::int64_t Movie::working_bytes(const MovieSpec& spec, std::uint64_t seed) {
  // Bodies as they were drawn, as they are now, and as the camera sees them
  PhantomSpec all = fullest(spec, seed);
  all.cells = outlined(all.cells);
  return 3 * phantom_bytes(all, spec.sample()) +
         seeing_bytes(number_of(all, spec.sample()), spec.grid);
}

Movie::Movie(const MovieSpec& spec, std::uint64_t seed, const RunContext& context)
    : spec_{spec},
      seed_{seed},
      nuclei_kind_{moving_nuclei(spec.phantom)},
      cells_kind_{moving_cells(spec.phantom, spec.sample())},
      nuclei_{nuclei_kind_.lineage(spec.time, spec.sample(), spec.frames, seed), spec.frames},
      cells_{cells_kind_.lineage(spec.time, spec.sample(), spec.frames, seed), spec.frames} {
  require_valid(fullest(spec, seed), spec.sample());
  const auto working = context.memory.reserve(working_bytes(spec, seed), "the world of a movie");
  context.progress.begin("movie", spec.frames);

  std::vector<Colony> colonies;
  colonies.reserve(2);
  const auto& nuclei = colonies.emplace_back(nuclei_kind_, spec_.time, spec_.sample(),
                                             nuclei_.lineage(), seed, context);
  const auto& cells =
      colonies.emplace_back(cells_kind_, spec_.time, spec_.sample(), cells_.lineage(), seed,
                            context, nuclei.surfaces(), spec_.phantom.nuclei.gap_um);
  const CellsSpec outlines = outlined(spec_.phantom.cells);
  for (std::int64_t frame = 0; frame < spec.frames; ++frame) {
    context.stop.check();
    if (frame > 0) step(colonies, frame, context.stop);
    nuclei_.add(nuclei.posed());
    cells_.add(cells.posed());
    auto in_frame = cells_in(frame, outlines, context);
    if (frame == 0) {
      Phantom drawn{.grid = spec_.sample(), .spec = spec_.phantom};
      drawn.nuclei = nuclei.surfaces();
      drawn.cells = in_frame;
      still_ = completed_phantom(std::move(drawn), seed, context);
      still_.nuclei.clear();
      still_.cells.clear();
      still_.lower_neighbours.clear();
      draw_lights(still_, seed);
    }
    const auto [objects, mothers] = present(frame);
    const Phantom now = shown(nuclei.surfaces(), std::move(in_frame), frame);
    tracks_.add(objects, objects_seen(now, context, spec_.masks, spec_.margin.z), mothers);
    context.progress.advance(1);
  }
}

Movie::Present Movie::present(std::int64_t frame) const {
  Present there;
  const auto add = [&](const History& history, std::int64_t first) {
    for (const PosedBody& body : history.at(frame)) {
      const std::int64_t mother = history.lineage()[static_cast<std::size_t>(body.number)].mother;
      there.objects.push_back(first + body.number);
      there.mothers.push_back(mother < 0 ? -1 : first + mother);
    }
  };
  add(nuclei_, 0);
  add(cells_, object_of_cell(0));
  for (std::int64_t place = 0; place < still_.count(); ++place) {
    there.objects.push_back(object_of_still(place));
    there.mothers.push_back(-1);
  }
  return there;
}

std::vector<std::uint16_t> Movie::labels(std::int64_t frame) const {
  std::vector<std::uint16_t> labels;
  for (const std::int64_t object : present(frame).objects)
    labels.push_back(static_cast<std::uint16_t>(tracks_.at(object, frame).label));
  return labels;
}

std::vector<std::uint16_t> Movie::first_labels(std::int64_t frame) const {
  std::vector<std::uint16_t> labels;
  for (const std::int64_t object : present(frame).objects)
    labels.push_back(static_cast<std::uint16_t>(tracks_.first(object).label));
  return labels;
}

Vector3 Movie::drift_um(std::int64_t frame) const {
  return spec_.time.seconds(frame) * vector_of(spec_.time.drift_um_per_second);
}

Nucleus Movie::drawn_nucleus(std::int64_t number) const {
  return nuclei_kind_.draw(seed_, number);
}

Cell Movie::drawn_cell(const PosedBody& body) const {
  return drawn_cell(body, spec_.phantom.cells);
}

Cell Movie::drawn_cell(const PosedBody& body, const CellsSpec& contents) const {
  MovingKind newborn = cells_kind_;
  newborn.surfaces.radius_um *= body.birth_scale;
  return {contents, newborn.draw(seed_, body.number), seed_, body.number,
          spot_depth_um(spec_.sample())};
}

Pose Movie::pose_of_cell(const PosedBody& body) {
  Pose pose = body.pose;
  pose.scale /= body.birth_scale;
  return pose;
}

Nucleus Movie::nucleus_of(const PosedBody& body) const {
  const Nucleus drawn = drawn_nucleus(body.number);
  Nucleus nucleus = drawn.posed(body.pose);
  nucleus.set_mitosis(body.mitosis);
  if (body.mitosis.phase == MitoticPhase::interphase) return nucleus;
  const NucleiSpec& spec = spec_.phantom.nuclei;
  const std::int64_t mother = nuclei_.lineage()[static_cast<std::size_t>(body.number)].mother;
  double born_with = 1;
  if (body.mitosis.phase >= MitoticPhase::anaphase && mother >= 0) {
    const double birth_um3 =
        drawn.volume_um3() * (body.birth_scale * body.birth_scale * body.birth_scale);
    born_with = interphase_stain(drawn_nucleus(mother), 2 * birth_um3, spec) /
                (2 * interphase_stain(drawn, birth_um3, spec));
  }
  keep_amount_of_stain(nucleus, drawn, spec, born_with);
  return nucleus;
}

std::vector<Nucleus> Movie::nuclei_in(std::int64_t frame, const RunContext& context) const {
  return made_of<Nucleus>(nuclei_.at(frame), context,
                          [&](const PosedBody& body) { return nucleus_of(body); });
}

std::vector<Cell> Movie::cells_in(std::int64_t frame, const CellsSpec& contents,
                                  const RunContext& context) const {
  return made_of<Cell>(cells_.at(frame), context, [&](const PosedBody& body) {
    return drawn_cell(body, contents).posed(pose_of_cell(body));
  });
}

Phantom Movie::shown(std::vector<Nucleus> nuclei, std::vector<Cell> cells,
                     std::int64_t frame) const {
  Phantom phantom = still_;
  phantom.nuclei = std::move(nuclei);
  phantom.spec.nuclei.count = std::ssize(phantom.nuclei);
  phantom.spec.nuclei.density_per_mm3.reset();
  phantom.cells = std::move(cells);
  phantom.spec.cells.count = std::ssize(phantom.cells);
  phantom.spec.cells.density_per_mm3.reset();
  end_filopodia_at_neighbours(phantom.cells, phantom.nuclei);
  phantom.grid = spec_.grid;
  shift(phantom, way_to_grid_um(frame));
  phantom.brightness = brightness_of(spec_.time, frame);
  phantom.lower_neighbours = overlaps_of(phantom.nuclei, spec_.phantom.nuclei.gap_um);
  draw_lights(phantom, seed_, [&](std::string_view kind, std::int64_t place) -> Ancestry {
    const auto at = static_cast<std::size_t>(place);
    if (kind == kinds::Nuclei::kName)
      return ancestry_of(nuclei_.lineage(), nuclei_.at(frame)[at].number);
    if (kind == kinds::Cells::kName)
      return ancestry_of(cells_.lineage(), cells_.at(frame)[at].number);
    return {place};
  });
  return phantom;
}

bool Movie::has_lights() const {
  return has_uneven_light(spec_.phantom);
}

ObjectLight Movie::light_of(const Nucleus& posed, std::int64_t number) const {
  return light_of_object<kinds::Nuclei>(spec_.phantom, posed, seed_,
                                        ancestry_of(nuclei_.lineage(), number));
}

ObjectLight Movie::light_of(const Cell& posed, std::int64_t number) const {
  return light_of_object<kinds::Cells>(spec_.phantom, posed, seed_,
                                       ancestry_of(cells_.lineage(), number));
}

Phantom Movie::phantom(std::int64_t frame, const RunContext& context) const {
  return shown(nuclei_in(frame, context), cells_in(frame, spec_.phantom.cells, context), frame);
}

}  // namespace synthoscope::simulator
