// SPDX-License-Identifier: MIT
#include "simulator/optics/sectioning.hpp"
#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include "simulator/optics/gibson_lanni.hpp"
#include "simulator/optics/optical_band.hpp"
#include "simulator/optics/pinhole.hpp"
#include "simulator/optics/richards_wolf.hpp"
#include "simulator/optics/wide_field.hpp"

namespace synthoscope::simulator {
namespace {

/// The lens at another wavelength, its light a vortex of that charge.
std::unique_ptr<const RadialModel> lens_at(OpticsSpec spec, double wavelength_nm, int charge = 0) {
  spec.wavelength_nm = wavelength_nm;
  if (spec.diffraction == Diffraction::vectorial)
    return std::make_unique<WideField>(std::make_unique<RichardsWolf>(spec, charge));
  return std::make_unique<WideField>(std::make_unique<GibsonLanni>(spec, charge));
}

void multiply(RadialTable& table, const RadialTable& by) {
  std::transform(table.intensity.begin(), table.intensity.end(), by.intensity.begin(),
                 table.intensity.begin(), std::multiplies{});
}

std::int64_t table_bytes(const RadialGrid& grid) {
  return grid.radii * grid.planes() * std::int64_t{sizeof(double)};
}

std::vector<double> evenly(double low, double high, int count) {
  std::vector<double> z;
  for (int i = 0; i < count; ++i) z.push_back(low + (high - low) * i / (count - 1));
  return z;
}

}  // namespace

void SectioningModel::find_focus(double one_um, double other_um) {
  constexpr int kPlanes = 41, kZooms = 6;
  const double field = spec_.wavelength_nm * 1e-3 * spec_.immersion_index / (spec_.na * spec_.na);
  double low = std::min(one_um, other_um) - field, high = std::max(one_um, other_um) + field;
  TaskPool alone{1};
  for (int zoom = 0; zoom < kZooms; ++zoom) {
    const auto z = evenly(low, high, kPlanes);
    const RadialTable axis = radial_table({kRadialStep / band_of(spec_).lateral, 1, z}, alone);
    const auto brightest =
        std::max_element(axis.intensity.begin(), axis.intensity.end()) - axis.intensity.begin();
    focus_um_ = z[static_cast<std::size_t>(brightest)];
    const double step = (high - low) / (kPlanes - 1);
    low = focus_um_ - step;
    high = focus_um_ + step;
  }
}

RadialGrid SectioningModel::energy_grid(const std::vector<double>& z_um) const {
  // Light fills a cone; what lies beyond falls as the sixth power of the radius
  double farthest = 0;
  for (const double z : z_um) farthest = std::max(farthest, std::abs(z - focus_um_));
  const double sine = spec_.na / spec_.immersion_index, slope = sine / std::sqrt(1 - sine * sine);
  const double k_na = 2 * std::numbers::pi * spec_.na / (spec_.wavelength_nm * 1e-3);
  const double reach = 1.2 * farthest * slope + 80 / k_na, step = 0.5 / band_of(spec_).lateral;
  return {step, static_cast<std::int64_t>(reach / step) + 2, z_um};
}

std::int64_t SectioningModel::energy_working_bytes(const std::vector<double>& z_um,
                                                   int threads) const {
  const RadialGrid grid = energy_grid(z_um);
  return table_bytes(grid) + working_bytes(grid, threads);
}

std::vector<double> SectioningModel::plane_energies_um2(const std::vector<double>& z_um,
                                                        TaskPool& pool) const {
  const RadialTable table = radial_table(energy_grid(z_um), pool);
  const double step = table.step_um;
  std::vector<double> energies;
  for (std::int64_t p = 0; p < table.planes; ++p) {
    // What the sum of r I(r) misses at r = 0, with 2 (I_1 - I_0) for I'' (Euler-Maclaurin)
    const double first = table.row(0)[p], second = table.row(1)[p];
    double sum = first / 12 - (second - first) / 120;
    for (std::int64_t j = 1; j < table.radii; ++j) sum += static_cast<double>(j) * table.row(j)[p];
    energies.push_back(2 * std::numbers::pi * step * step * sum);
  }
  return energies;
}

Confocal::Confocal(const OpticsSpec& spec)
    : SectioningModel{spec},
      excitation_{lens_at(spec, spec.excitation_nm)},
      emission_{lens_at(spec, spec.wavelength_nm)},
      pinhole_radius_um_{0.61 * spec.pinhole_au * spec.wavelength_nm * 1e-3 / spec.na} {
  find_focus(excitation_->focus_um(), emission_->focus_um());
}

RadialGrid Confocal::widened(const RadialGrid& grid) const {
  return {grid.step_um, radii_about_disc(grid, pinhole_radius_um_), grid.z_um};
}

RadialTable Confocal::radial_table(const RadialGrid& grid, TaskPool& pool) const {
  const double lateral = 2 * std::numbers::pi * spec().na / (spec().wavelength_nm * 1e-3);
  RadialTable seen = through_pinhole(emission_->radial_table(widened(grid), pool),
                                     pinhole_radius_um_, lateral, grid.radii, pool);
  multiply(seen, excitation_->radial_table(grid, pool));
  return seen;
}

std::int64_t Confocal::working_bytes(const RadialGrid& grid, int threads) const {
  return table_bytes(widened(grid)) +
         std::max(emission_->working_bytes(widened(grid), threads),
                  table_bytes(grid) + excitation_->working_bytes(grid, threads));
}

TwoPhoton::TwoPhoton(const OpticsSpec& spec)
    : SectioningModel{spec}, excitation_{lens_at(spec, spec.excitation_nm)} {
  find_focus(excitation_->focus_um(), excitation_->focus_um());
}

RadialTable TwoPhoton::radial_table(const RadialGrid& grid, TaskPool& pool) const {
  RadialTable light = excitation_->radial_table(grid, pool);
  for (double& i : light.intensity) i *= i;
  return light;
}

std::int64_t TwoPhoton::working_bytes(const RadialGrid& grid, int threads) const {
  return excitation_->working_bytes(grid, threads);
}

LightSheet::LightSheet(const OpticsSpec& spec)
    : SectioningModel{spec},
      emission_{lens_at(spec, spec.wavelength_nm)},
      sheet_focus_um_{emission_->focus_um()} {
  find_focus(sheet_focus_um_, sheet_focus_um_);
}

double LightSheet::sheet(double z_um) const {
  const double z = (z_um - sheet_focus_um_) / spec().sheet_waist_um;
  return std::exp(-2 * z * z);
}

RadialTable LightSheet::radial_table(const RadialGrid& grid, TaskPool& pool) const {
  RadialTable light = emission_->radial_table(grid, pool);
  for (std::size_t i = 0; i < light.intensity.size(); ++i)
    light.intensity[i] *= sheet(grid.z_um[i % grid.z_um.size()]);
  return light;
}

std::vector<double> LightSheet::plane_energies_um2(const std::vector<double>& z_um,
                                                   TaskPool& pool) const {
  std::vector<double> energies = emission_->plane_energies_um2(z_um, pool);
  for (std::size_t i = 0; i < z_um.size(); ++i) energies[i] *= sheet(z_um[i]);
  return energies;
}

std::int64_t LightSheet::working_bytes(const RadialGrid& grid, int threads) const {
  return emission_->working_bytes(grid, threads);
}

Sted::Sted(const OpticsSpec& spec)
    : SectioningModel{spec}, spot_{spec}, ring_{lens_at(spec, spec.depletion_nm, 1)} {
  // The crest lies within the first dark ring of a spot of that light
  const double k_na = 2 * std::numbers::pi * spec.na / (spec.depletion_nm * 1e-3);
  constexpr double kStep = 1.0 / 256, kReach = 4;
  TaskPool alone{1};
  const RadialTable focus = ring_->radial_table(
      {kStep / k_na, static_cast<std::int64_t>(kReach / kStep), {ring_->focus_um()}}, alone);
  crest_ = *std::max_element(focus.intensity.begin(), focus.intensity.end());
  set_focus(spot_.focus_um());  // the axis stays dark of a vortex
}

RadialTable Sted::radial_table(const RadialGrid& grid, TaskPool& pool) const {
  RadialTable light = spot_.radial_table(grid, pool);
  const RadialTable ring = ring_->radial_table(grid, pool);
  const double rate = std::numbers::ln2 * spec().saturation / crest_;
  for (std::size_t i = 0; i < light.intensity.size(); ++i)
    light.intensity[i] *= std::exp(-rate * ring.intensity[i]);
  return light;
}

std::int64_t Sted::working_bytes(const RadialGrid& grid, int threads) const {
  return std::max(spot_.working_bytes(grid, threads),
                  table_bytes(grid) + ring_->working_bytes(grid, threads));
}

}  // namespace synthoscope::simulator
