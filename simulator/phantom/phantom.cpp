// SPDX-License-Identifier: MIT
#include "simulator/phantom/phantom.hpp"
#include <optional>
#include <utility>
#include "simulator/phantom/placement.hpp"
#include "simulator/phantom/sphere.hpp"

namespace synthoscope::simulator {
namespace {

std::vector<Nucleus> make_nuclei(const NucleiSpec& spec, const Grid& grid, std::uint64_t seed,
                                 const RunContext& context) {
  const std::int64_t count = number_of(spec, grid);
  std::vector<std::optional<Nucleus>> drawn(static_cast<std::size_t>(count));
  context.pool.for_each(count, [&](std::int64_t i) {
    context.stop.check();
    drawn[static_cast<std::size_t>(i)] = Nucleus::draw(spec, seed, i);
    context.progress.advance(1);
  });
  std::vector<Nucleus> nuclei;
  nuclei.reserve(drawn.size());
  for (auto& nucleus : drawn) nuclei.push_back(std::move(*nucleus));
  place(nuclei, spec, grid, seed, context.stop);
  return nuclei;
}

}  // namespace

std::int64_t Phantom::count() const {
  const auto members = std::visit([](const auto& bodies) { return bodies.size(); }, target);
  return static_cast<std::int64_t>(nuclei.size() + beads.size() + members);
}

std::int64_t phantom_bytes(const PhantomSpec& spec, const Grid& grid) {
  // Drawn and kept nuclei are there at once; the support lies apart
  const auto drawn = std::int64_t{sizeof(std::optional<Nucleus>)};
  const auto support = static_cast<std::int64_t>(separating_directions().size() * sizeof(double));
  const std::int64_t nucleus = drawn + std::int64_t{sizeof(Nucleus)} + support;
  // A bead lies in a list and, in a list that grows by doubling, in a node of a table
  const std::int64_t bead = 3 * std::int64_t{sizeof(Bead)} + 128;
  // Lists of places and members grow by doubling
  const std::int64_t member = 3 * std::int64_t{sizeof(StarTarget)};
  return number_of(spec.nuclei, grid) * nucleus + number_of(spec.beads, grid) * bead +
         number_of(spec.target, grid) * member;
}

Phantom make_phantom(const PhantomSpec& spec, const Grid& grid, std::uint64_t seed,
                     const RunContext& context) {
  require_valid(spec, grid);
  context.progress.begin("phantom", number_of(spec.nuclei, grid));
  Phantom phantom{grid, spec, make_nuclei(spec.nuclei, grid, seed, context), {}, {}};
  phantom.beads = scatter_beads(spec.beads, phantom.nuclei, grid, seed, context.stop);
  phantom.target = make_target(spec.target, grid);
  return phantom;
}

}  // namespace synthoscope::simulator
