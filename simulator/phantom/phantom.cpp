// SPDX-License-Identifier: MIT
#include "simulator/phantom/phantom.hpp"
#include <optional>
#include <utility>
#include "simulator/phantom/neurons.hpp"
#include "simulator/phantom/placement.hpp"
#include "simulator/phantom/relaxation.hpp"
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

std::vector<std::vector<std::size_t>> overlaps_of(const std::vector<Nucleus>& nuclei,
                                                  double gap_um) {
  if (gap_um >= 0) return {};
  std::vector<std::vector<std::size_t>> overlapped(nuclei.size());
  for (std::size_t i = 0; i < nuclei.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (!are_apart(nuclei[i], nuclei[j], 0)) overlapped[i].push_back(j);
  return overlapped;
}

}  // namespace

std::int64_t Phantom::count() const {
  std::int64_t count = 0;
  for_each_kind(*this, [&](const auto& bodies) { count += std::ssize(bodies); });
  return count;
}

std::int64_t phantom_bytes(const PhantomSpec& spec, const Grid& grid) {
  // Drawn and kept nuclei are there at once; the support lies apart
  const auto drawn = std::int64_t{sizeof(std::optional<Nucleus>)};
  const auto support = static_cast<std::int64_t>(separating_directions().size() * sizeof(double));
  const std::int64_t lobes = spec.nuclei.most_lobes == 1 ? 1 : 2 * spec.nuclei.most_lobes - 1;
  constexpr std::int64_t kPlacing = 2 * std::int64_t{sizeof(Room)};  // rooms and orders
  const std::int64_t nucleus =
      drawn + kPlacing + std::int64_t{sizeof(Nucleus)} + support +
      lobes * std::int64_t{sizeof(Lobe)} + spec.nuclei.nucleoli * std::int64_t{sizeof(Nucleolus)} +
      (spec.nuclei.gap_um < 0 ? kMostNeighbours * std::int64_t{sizeof(std::size_t)} : 0);
  // A bead lies in a list and, in a list that grows by doubling, in a node of a table
  const std::int64_t bead = 3 * std::int64_t{sizeof(Bead)} + 128;
  // Lists of places and members grow by doubling
  const std::int64_t member = 3 * std::int64_t{sizeof(StarTarget)};
  constexpr std::int64_t kIndexed = 2 * ObjectIndex::kBytesPerObject;  // by light and by labels
  const auto [strands, pieces] = strands_of(spec, grid);
  return number_of(spec.nuclei, grid) * (nucleus + kIndexed) +
         number_of(spec.beads, grid) * (bead + kIndexed) +
         number_of(spec.target, grid) * (member + kIndexed) +
         number_of(spec.volume) * (std::int64_t{sizeof(Region)} + kIndexed) +
         number_of(spec.tissue, grid) * (tissue_cell_bytes() + nucleus + kIndexed) +
         number_of(spec.neuron) * (std::int64_t{sizeof(Neuron)} + kIndexed) +
         // Points of a file; tubes, in lists that grow by doubling; and placed, by light and by
         // labels
         pieces * std::int64_t{2 * sizeof(SwcPoint) + 3 * sizeof(Segment)} +
         strands * std::int64_t{sizeof(StainedStrand)} +
         2 * PlacedStrands::bytes(strands, pieces, grid.extent);
}

Phantom make_phantom(const PhantomSpec& spec, const Grid& grid, std::uint64_t seed,
                     const RunContext& context) {
  require_valid(spec, grid);
  context.progress.begin("phantom", number_of(spec.nuclei, grid));
  Phantom phantom{grid, spec, make_nuclei(spec.nuclei, grid, seed, context), {}, {}, {}, {}, {}};
  phantom.overlapped = overlaps_of(phantom.nuclei, spec.nuclei.gap_um);
  phantom.beads = scatter_beads(spec.beads, phantom.nuclei, grid, seed, context.stop);
  phantom.target = make_target(spec.target, grid);
  phantom.volume = import_volume(spec.volume, grid, context);
  if (phantom.volume) phantom.regions = regions_of(*phantom.volume, spec.volume);
  phantom.tissue = make_tissue(spec.tissue, spec.nuclei, grid, seed, context);
  phantom.neurons = make_neurons(spec.neuron, grid);
  return phantom;
}

}  // namespace synthoscope::simulator
