// SPDX-License-Identifier: MIT
#include "simulator/phantom/cells/cell.hpp"
#include <algorithm>
#include <cmath>
#include <utility>
#include "simulator/phantom/cells/organelles.hpp"
#include "simulator/phantom/geometry/sphere.hpp"
#include "simulator/phantom/nuclei/nucleus_voxels.hpp"

namespace synthoscope::simulator {
namespace {

constexpr int kOffsetDraw = 15;

/// Returns whether a nucleus lies wholly inside a surface and margin_um below it; both are relative
/// to the middle of the surface.
bool fits(const Nucleus& nucleus, const Lobe& surface, double margin_um) {
  const Lobe& lobe = nucleus.lobes().front();
  return std::all_of(separating_directions().begin(), separating_directions().end(),
                     [&](const Vector3& u) {
                       const Vector3 p = nucleus.centre() + lobe.surface_point(u);
                       return surface.contains(p) && surface.depth(p).um >= margin_um;
                     });
}

/// Draws a nucleus of a size that suits the cell, near its middle; smaller if it would not fit.
Nucleus draw_nucleus(const CellsSpec& spec, const Nucleus& surface, const Draws& draws) {
  const Lobe& lobe = surface.lobes().front();
  NucleiSpec its = nuclei_of(spec);
  its.radius_um *= cube_root(3 * surface.volume_um3() / (4 * kPi)) / spec.radius_um;
  const auto words = draws.block(kOffsetDraw);
  const Vector3& axes = lobe.form().semi_axes_um;
  const Vector3 offset =
      transposed(surface.own_axes()) * Vector3{0, 0.3 * axes[1] * (2 * uniform32(words[0]) - 1),
                                               0.3 * axes[2] * (2 * uniform32(words[1]) - 1)};
  constexpr int kSizes = 40;
  for (int i = 0; i < kSizes; ++i, its.radius_um *= 0.95) {
    Nucleus nucleus = Nucleus::draw(its, draws, surface.own_axes());
    for (const double share : {1.0, 0.7, 0.5, 0.35, 0.25, 0.0}) {
      nucleus.move_to(share * offset);
      if (fits(nucleus, lobe, 2 * spec.membrane_um)) return nucleus;
    }
  }
  return Nucleus::draw(its, draws, surface.own_axes());  // an eighth of the requested size
}

/// Returns a lobe in the axes of the cell.
Lobe own(const Lobe& lobe, const Vector3& offset, const Matrix3& turn) {
  LobeForm form = lobe.form();
  form.offset_um = turn * offset;
  form.turn = form.turn * transposed(turn);
  return Lobe{form};
}

}  // namespace

Nucleus Cell::draw_surface(const CellsSpec& spec, std::uint64_t seed, std::int64_t number) {
  return Nucleus::draw(shells_of(spec), {RandomStream{seed, RandomStage::cells},
                                         static_cast<std::uint64_t>(number)});
}

double spot_depth_um(const Grid& grid) {
  const Vector3 pitch = vector_of(grid.pitch);
  return std::sqrt(dot(pitch, pitch)) / 2;
}

Cell::Cell(const CellsSpec& spec, Nucleus surface, std::uint64_t seed, std::int64_t number,
           double spot_depth_um)
    : surface_{std::move(surface)} {
  const auto words = organelle_draws(seed, number, Structure::cytoplasm, 0).block(0);
  cytoplasm_seed_ = (std::uint64_t{words[0]} << 32) | words[1];
  const Vector3 centre = surface_.centre();
  const Matrix3 turn = surface_.own_axes();
  CellInterior interior{own(surface_.lobes().front(), {}, turn), std::nullopt, spec.membrane_um};
  if (spec.nucleus_radius_um > 0) {
    const Draws draws{RandomStream{seed, RandomStage::cell_nuclei},
                      static_cast<std::uint64_t>(number)};
    Nucleus nucleus = draw_nucleus(spec, surface_, draws);
    interior.nucleus = own(nucleus.lobes().front(), nucleus.centre(), turn);
    nucleus.move_to(centre + nucleus.centre());
    nucleus_.push_back(std::move(nucleus));
  }

  // From the cell's own frame to the grid
  const Matrix3 back = transposed(turn);
  strands_ = draw_organelles(spec, seed, number, interior, spot_depth_um);
  for (StainedStrand& stained : strands_)
    stained.strand.place_points([&](const Vector3& p) { return centre + back * p; });
  measure();
}

Cell Cell::posed(const Pose& pose) const {
  const Matrix3 grown = from_drawn(pose, surface_.own_axes());
  const auto place = [&](const Vector3& p) {
    return pose.centre + grown * (p - surface_.centre());
  };
  Cell cell = *this;
  cell.surface_ = surface_.posed(pose);
  for (Nucleus& nucleus : cell.nucleus_) {
    Pose its = pose;
    its.centre = place(nucleus.centre());
    nucleus = nucleus.posed(its);
  }
  for (StainedStrand& stained : cell.strands_) stained.strand.place_points(place);
  cell.measure();
  return cell;
}

void Cell::move_by(const Vector3& way) {
  surface_.move_to(surface_.centre() + way);
  for (Nucleus& nucleus : nucleus_) nucleus.move_to(nucleus.centre() + way);
  for (StainedStrand& stained : strands_)
    stained.strand.place_points([&](const Vector3& p) { return p + way; });
  bounds_ = {bounds_.low + way, bounds_.high + way};
  centroid_ = centroid_ + way;
}

void Cell::cut_filopodia(const std::function<bool(const Segment&)>& stop) {
  for (StainedStrand& stained : strands_)
    if (stained.structure == Structure::filopodium) stained.strand = stained.strand.cut_where(stop);
  std::erase_if(strands_, [](const StainedStrand& stained) { return stained.strand.empty(); });
  measure();
}

void Cell::measure() {
  bounds_ = surface_.bounds();
  volume_um3_ = surface_.volume_um3();
  Vector3 moment = volume_um3_ * surface_.centroid();
  for (const StainedStrand& stained : strands_) {
    if (!stained.is_labelled) continue;
    bounds_ = hull(bounds_, stained.strand.bounds());
    const auto moments = stained.strand.moments();
    volume_um3_ += moments.volume_um3;
    moment = moment + moments.volume_um3 * moments.centroid_um;
  }
  centroid_ = (1 / volume_um3_) * moment;
}

CellShape Cell::shape(const VoxelShape* voxel) const {
  CellShape shape{surface_.centre(), surface_.own_axes(), surface_.lobes().data(), {}};
  if (!nucleus_.empty()) shape.nucleus = {nucleus_.front().shape(), voxel};
  return shape;
}

bool Cell::contains(const Vector3& point) const {
  return core_contains(point) ||
         std::any_of(strands_.begin(), strands_.end(), [&](const StainedStrand& stained) {
           return stained.is_labelled && stained.strand.contains(point);
         });
}

Structure Cell::core_structure(const Vector3& point, double membrane_um) const {
  if (!core_contains(point)) return Structure::none;
  if (!nucleus_.empty() && nucleus_.front().contains(point))
    return nucleus_.front().shape().nucleolus_distance(point) <= 1 ? Structure::nucleolus
                                                                   : Structure::nucleus;
  const Lobe& lobe = surface_.lobes().front();
  return lobe.depth(point - surface_.centre()).um < membrane_um ? Structure::membrane
                                                                : Structure::cytoplasm;
}

CellFigures cell_figures(const CellsSpec& spec, const Vector3& pitch) {
  const double voxel_um3 = pitch[0] * pitch[1] * pitch[2];
  return {spec.membrane_um,
          spec.membrane_photons_per_um3 * voxel_um3,
          spec.cytoplasm_photons_per_um3 * voxel_um3,
          spec.nucleus_photons_per_um3 * voxel_um3,
          spec.cytoplasm_contrast,
          stain_figures(nuclei_of(spec))};
}

}  // namespace synthoscope::simulator
