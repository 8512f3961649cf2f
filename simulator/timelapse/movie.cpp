// SPDX-License-Identifier: MIT
#include "simulator/timelapse/movie.hpp"
#include <algorithm>
#include <optional>
#include <utility>
#include "simulator/phantom/placement.hpp"
#include "simulator/timelapse/colony.hpp"
#include "simulator/timelapse/seen.hpp"

namespace synthoscope::simulator {
namespace {

std::vector<Life> lineage_of(const MovieSpec& spec, std::uint64_t seed) {
  return lineage_of(number_of(spec.phantom.nuclei, spec.grid), spec.time, spec.frames, seed);
}

}  // namespace

PhantomSpec fullest(const MovieSpec& spec, std::uint64_t seed) {
  PhantomSpec phantom = spec.phantom;
  phantom.nuclei.count = headcount_of(lineage_of(spec, seed), spec.frames).most;
  phantom.nuclei.density_per_mm3.reset();
  return phantom;
}

std::int64_t Movie::bytes(const MovieSpec& spec, std::uint64_t seed) {
  const auto lineage = lineage_of(spec, seed);
  const auto lives = static_cast<std::int64_t>(lineage.size());
  const std::int64_t others =
      number_of(spec.phantom, spec.grid) - number_of(spec.phantom.nuclei, spec.grid);
  constexpr std::int64_t kMember = std::max({sizeof(Bead), sizeof(StarTarget), sizeof(Region)});
  // Objects may have several tracks; as many again is what borders cost
  return 2 * lives * std::int64_t{sizeof(Life)} +
         headcount_of(lineage, spec.frames).rows * std::int64_t{sizeof(PosedNucleus)} +
         spec.frames * std::int64_t{sizeof(std::size_t)} + 2 * others * kMember +
         Tracks::bytes(2 * (lives + others));
}

std::int64_t Movie::working_bytes(const MovieSpec& spec, std::uint64_t seed) {
  // Nuclei as they were drawn, as they are now, and as the camera sees them
  return 3 * phantom_bytes(fullest(spec, seed), spec.grid);
}

Movie::Movie(const MovieSpec& spec, std::uint64_t seed, const RunContext& context)
    : spec_{spec}, seed_{seed}, lineage_{lineage_of(spec, seed)} {
  const auto working = context.memory.reserve(working_bytes(spec, seed), "the world of a movie");
  rows_.reserve(static_cast<std::size_t>(headcount_of(lineage_, spec.frames).rows));
  starts_.reserve(static_cast<std::size_t>(spec.frames) + 1);
  context.progress.begin("movie", spec.frames);

  starts_.push_back(0);
  Colony colony{spec.phantom.nuclei, spec.time, spec.grid, lineage_, seed, context};
  still_ = phantom_around(colony.nuclei(), spec.phantom, spec.grid, seed, context);
  still_.nuclei.clear();
  still_.overlapped.clear();
  for (std::int64_t frame = 0; frame < spec.frames; ++frame) {
    context.stop.check();
    if (frame > 0) colony.step(frame);
    for (const PosedNucleus& nucleus : colony.posed()) rows_.push_back(nucleus);
    starts_.push_back(rows_.size());

    const auto present = objects(frame);
    std::vector<std::int64_t> mothers;
    for (const std::int64_t object : present)
      mothers.push_back(object < static_cast<std::int64_t>(lineage_.size())
                            ? lineage_[static_cast<std::size_t>(object)].mother
                            : -1);
    tracks_.add(present, objects_seen(shown(colony.nuclei(), frame)), mothers);
    context.progress.advance(1);
  }
}

std::span<const PosedNucleus> Movie::nuclei(std::int64_t frame) const {
  const auto begin = starts_.at(static_cast<std::size_t>(frame)),
             end = starts_.at(static_cast<std::size_t>(frame) + 1);
  return {rows_.data() + begin, end - begin};
}

std::vector<std::int64_t> Movie::objects(std::int64_t frame) const {
  std::vector<std::int64_t> numbers;
  for (const PosedNucleus& nucleus : nuclei(frame)) numbers.push_back(nucleus.number);
  const auto first = static_cast<std::int64_t>(lineage_.size());
  for (std::int64_t i = 0; i < still_.count(); ++i) numbers.push_back(first + i);
  return numbers;
}

std::vector<std::uint16_t> Movie::labels(std::int64_t frame) const {
  std::vector<std::uint16_t> labels;
  for (const std::int64_t object : objects(frame))
    labels.push_back(static_cast<std::uint16_t>(tracks_.at(object, frame).label));
  return labels;
}

Vector3 Movie::drift_um(std::int64_t frame) const {
  return spec_.time.seconds(frame) * vector_of(spec_.time.drift_um_per_second);
}

Phantom Movie::shown(std::vector<Nucleus> nuclei, std::int64_t frame) const {
  Phantom phantom = still_;
  phantom.nuclei = std::move(nuclei);
  phantom.spec.nuclei.count = static_cast<std::int64_t>(phantom.nuclei.size());
  phantom.spec.nuclei.density_per_mm3.reset();
  shift(phantom, drift_um(frame));
  phantom.brightness = brightness_of(spec_.time, frame);
  phantom.overlapped = overlaps_of(phantom.nuclei, spec_.phantom.nuclei.gap_um);
  return phantom;
}

Phantom Movie::phantom(std::int64_t frame, const RunContext& context) const {
  const auto posed = nuclei(frame);
  std::vector<std::optional<Nucleus>> made(posed.size());
  context.pool.for_each(static_cast<std::int64_t>(posed.size()), [&](std::int64_t i) {
    context.stop.check();
    const auto& [number, pose] = posed[static_cast<std::size_t>(i)];
    made[static_cast<std::size_t>(i)] = drawn(number).posed(pose);
  });
  std::vector<Nucleus> nuclei;
  nuclei.reserve(made.size());
  for (auto& nucleus : made) nuclei.push_back(std::move(*nucleus));
  return shown(std::move(nuclei), frame);
}

}  // namespace synthoscope::simulator
