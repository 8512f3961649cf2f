// SPDX-License-Identifier: MIT
// simulator/phantom/nuclei/nuclei_kind.cpp — draws and places nuclei, and describes them in the
// tables of a world.
#include "simulator/phantom/nuclei/nuclei_kind.hpp"
#include <optional>
#include <utility>
#include "simulator/base/normal_quantile.hpp"
#include "simulator/phantom/geometry/sphere.hpp"
#include "simulator/phantom/nuclei/dividing.hpp"

namespace synthoscope::simulator {

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
  const auto sisters = let_some_divide(nuclei, spec, size_um(grid)[0], seed);
  place(nuclei, spec, grid, {seed, RandomStage::phantom}, context.stop);
  if (!sisters.empty()) separate(nuclei, sisters);
  if (spec.mitotic_fraction == 0) return nuclei;
  context.pool.for_each(count, [&](std::int64_t i) {
    context.stop.check();
    Nucleus& nucleus = nuclei[static_cast<std::size_t>(i)];
    if (nucleus.mitosis().phase != MitoticPhase::interphase)
      keep_amount_of_stain(nucleus, Nucleus::draw(spec, seed, i), spec);
  });
  return nuclei;
}

StainFigures stain_figures(const NucleiSpec& spec) {
  StainFigures stain;
  stain.texture = spec.texture;
  stain.contrast = spec.texture_contrast;
  stain.hole = 1 - spec.nucleolus_density;
  stain.has_nucleoli = spec.nucleoli > 0;
  stain.envelope = spec.envelope_density;
  stain.envelope_um = spec.envelope_um;
  stain.is_warped = is_warped(spec);
  stain.rim = spec.nucleolus_rim;
  stain.rim_um = spec.nucleolus_rim_um;
  if (spec.texture != TextureKind::domains) return stain;
  // The field is a sum of few uniform numbers, nearly normal
  constexpr double kNever = 1e3;
  const auto below = [](double share) { return share > 0 ? normal_quantile(share) : -kNever; };
  stain.domains = {spec.warp_um,
                   spec.domain_border,
                   below(spec.lacuna_share),
                   -below(spec.clump_share),
                   1 - spec.lacuna_density,
                   spec.clump_density};
  return stain;
}

std::int64_t support_bytes() {
  return static_cast<std::int64_t>(separating_directions().size() * sizeof(double));
}

std::int64_t nucleus_bytes(const NucleiSpec& spec) {
  // Drawn and kept nuclei exist at the same time
  const std::int64_t copies = spec.mitotic_fraction > 0 ? 3 : 1;  // with sisters and their bodies
  return copies * std::int64_t{sizeof(std::optional<Nucleus>) + sizeof(Nucleus)} + kPlacingBytes +
         copies * support_bytes() +
         copies * most_lobes_and_bridges(spec) * std::int64_t{sizeof(Lobe)} +
         copies * most_nucleolus_parts(spec) * std::int64_t{sizeof(Nucleolus)} +
         (spec.gap_um < 0 ? kMaxNeighbours * std::int64_t{sizeof(std::size_t)} : 0);
}

void describe_parts(const PlacedObject& placed, const Nucleus& nucleus, const NucleusTables& all) {
  for (const Lobe& lobe : nucleus.lobes()) {
    TableRow its = placed.part(all.lobe, all.owner);
    its.vector("offset_um", lobe.form().offset_um);
    describe(its, lobe.form());
    const Folds& folds = lobe.form().folds;
    for (int i = 0; i < folds.count; ++i) {
      const Fold& fold = folds.all[static_cast<std::size_t>(i)];
      TableRow groove = placed.part(all.fold, all.owner);
      groove.vector("middle", fold.middle);
      groove.vector("across", fold.across);
      groove.real("depth", fold.depth);
      groove.real("half_width", fold.half_width);
      groove.real("end", fold.end);
    }
  }
  for (const Nucleolus& nucleolus : nucleus.nucleoli()) {
    TableRow its = placed.part(all.nucleolus, all.owner);
    its.whole("lobe", static_cast<std::int64_t>(nucleolus.lobe));
    its.vector("middle", nucleolus.middle);
    its.real("radius", nucleolus.radius);
    if (!nucleolus.is_round) continue;
    its.vector("middle_um", nucleolus.own_middle_um);
    its.vector("semi_axes_um", nucleolus.own_semi_axes_um);
  }
}

void describe(TableRow& row, const Nucleus& nucleus) {
  row.vector("centre_um", nucleus.centre());
  row.matrix("turn", nucleus.own_axes());
  row.word("texture_seed", nucleus.texture_seed());
  const NucleusShape shape = nucleus.shape();
  if (shape.nucleolus_warp == 0 || nucleus.nucleoli().empty() ||
      !nucleus.nucleoli().front().is_round)
    return;
  row.real("nucleolus_roughness", shape.nucleolus_warp);
  row.real("warp_cells_per_um", shape.warp->per_um);
  row.matrix("warp_turn", shape.warp->place.turn);
  row.vector("warp_offset", shape.warp->place.offset);
}

void describe(const PlacedObject& placed, const Nucleus& nucleus) {
  TableRow row = placed.row("/nucleus");
  describe(row, nucleus);
  describe_parts(placed, nucleus,
                 {"/nucleus/lobe", "/nucleus/nucleolus", "/nucleus/fold", "nucleus"});
}

}  // namespace synthoscope::simulator
