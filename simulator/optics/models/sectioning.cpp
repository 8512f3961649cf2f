// SPDX-License-Identifier: MIT
#include "simulator/optics/models/sectioning.hpp"
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include "simulator/optics/models/gibson_lanni.hpp"
#include "simulator/optics/models/pinhole.hpp"
#include "simulator/optics/models/richards_wolf.hpp"
#include "simulator/optics/models/wide_field.hpp"
#include "simulator/optics/pupil/optical_band.hpp"

namespace synthoscope::simulator {
namespace {

/// Returns the lens at another wavelength, with a vortex of `charge`.
std::unique_ptr<const SymmetricPupil> pupil_at(OpticsSpec spec, double wavelength_nm, int charge) {
  spec.wavelength_nm = wavelength_nm;
  if (spec.diffraction == Diffraction::vectorial)
    return std::make_unique<RichardsWolf>(spec, charge);
  return std::make_unique<GibsonLanni>(spec, charge);
}

std::unique_ptr<const RadialModel> lens_at(const OpticsSpec& spec, double wavelength_nm) {
  return std::make_unique<WideField>(pupil_at(spec, wavelength_nm, 0));
}

/// Returns the ring that depletes. The exponential multiplies its errors by `rate`, so it is finer.
std::unique_ptr<const RadialModel> ring_of(const OpticsSpec& spec) {
  const double rate = std::numbers::ln2 * spec.saturation;
  return std::make_unique<WideField>(pupil_at(spec, spec.depletion_nm, 1),
                                     std::pow(1 + rate, 1.0 / 6));
}

void multiply(RadialTable& table, const RadialTable& by) {
  std::transform(table.intensity.begin(), table.intensity.end(), by.intensity.begin(),
                 table.intensity.begin(), std::multiplies{});
}

std::int64_t table_bytes(const RadialGrid& grid) {
  return grid.radii * grid.planes() * std::int64_t{sizeof(double)};
}

constexpr int kFarOctave = 3;  // eight depths of field from the focus

/// Returns the integral over an infinite plane of light that `table` follows to its end.
double plane_energy_um2(const RadialTable& table, std::int64_t plane) {
  // What the sum of r I(r) misses at r = 0, with 2 (I_1 - I_0) for I'' (Euler-Maclaurin)
  const double first = table.row(0)[plane], second = table.row(1)[plane];
  double sum = first / 12 - (second - first) / 120;
  for (std::int64_t j = 1; j < table.radii; ++j)
    sum += static_cast<double>(j) * table.row(j)[plane];
  return 2 * std::numbers::pi * table.step_um * table.step_um * sum;
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

/// Returns the octave of the distance from the focus; planes of one octave need about the same
/// radii.
int SectioningModel::octave_of(double z_um) const {
  const double field = spec_.wavelength_nm * 1e-3 * spec_.immersion_index / (spec_.na * spec_.na);
  return std::ilogb(std::max(1.0, std::abs(z_um - focus_um_) / field));
}

/// Returns a grid for each octave, from the focus outwards, that reaches as far as its light. A sum
/// of samples 3 / lateral apart is as exact as a finer one, apart from what it misses at the
/// middle, which is little if light is spread out.
std::vector<RadialGrid> SectioningModel::energy_grids(const std::vector<double>& z_um) const {
  std::map<int, RadialGrid> grids;
  for (const double z : z_um) grids[octave_of(z)].z_um.push_back(z);
  // Light fills a cone, beyond which it falls as the sixth power of the radius
  const double sine = spec_.na / spec_.immersion_index, slope = sine / std::sqrt(1 - sine * sine);
  const double k_na = 2 * std::numbers::pi * spec_.na / (spec_.wavelength_nm * 1e-3);
  std::vector<RadialGrid> all;
  for (auto& [octave, grid] : grids) {
    double farthest = 0;
    for (const double z : grid.z_um) farthest = std::max(farthest, std::abs(z - focus_um_));
    const double reach = 1.2 * farthest * slope + 80 / k_na;
    grid.step_um = (octave < kFarOctave ? 0.5 : 1.5) / band_of(spec_).lateral;
    grid.radii = static_cast<std::int64_t>(reach / grid.step_um) + 2;
    all.push_back(std::move(grid));
  }
  return all;
}

std::int64_t SectioningModel::energy_working_bytes(const std::vector<double>& z_um,
                                                   int threads) const {
  std::int64_t most = 0;
  for (const RadialGrid& grid : energy_grids(z_um))
    most = std::max(most, table_bytes(grid) + working_bytes(grid, threads));
  return most;
}

std::vector<double> SectioningModel::plane_energies_um2(const std::vector<double>& z_um,
                                                        TaskPool& pool) const {
  std::map<double, double> energies;
  for (const RadialGrid& grid : energy_grids(z_um)) {
    const RadialTable table = radial_table(grid, pool);
    for (std::int64_t p = 0; p < table.planes; ++p)
      energies[grid.z_um[static_cast<std::size_t>(p)]] = plane_energy_um2(table, p);
  }
  std::vector<double> in_order;
  for (const double z : z_um) in_order.push_back(energies.at(z));
  return in_order;
}

Confocal::Confocal(const OpticsSpec& spec)
    : SectioningModel{spec},
      excitation_{lens_at(spec, spec.excitation_nm)},
      emission_{lens_at(spec, spec.wavelength_nm)},
      pinhole_radius_um_{0.61 * spec.pinhole_au * spec.wavelength_nm * 1e-3 / spec.na} {
  find_focus(excitation_->focus_um(), emission_->focus_um());
}

double Confocal::emission_lateral() const {
  return 2 * std::numbers::pi * spec().na / (spec().wavelength_nm * 1e-3);
}

/// Returns the grid of the emission: as fine as its own band requires, up to twice as coarse if
/// `grid` is coarser.
RadialGrid Confocal::widened(const RadialGrid& grid) const {
  const double step_um = kRadialStep / emission_lateral();
  return grid_about_disc(grid, pinhole_radius_um_, std::clamp(grid.step_um, step_um, 2 * step_um));
}

RadialTable Confocal::radial_table(const RadialGrid& grid, TaskPool& pool) const {
  RadialTable seen =
      through_pinhole(emission_->radial_table(widened(grid), pool), pinhole_radius_um_,
                      emission_lateral(), grid.step_um, grid.radii, pool);
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

Sted::Sted(const OpticsSpec& spec) : SectioningModel{spec}, spot_{spec}, ring_{ring_of(spec)} {
  // The crest lies within the first dark ring of a spot of the depleting light
  const double k_na = 2 * std::numbers::pi * spec.na / (spec.depletion_nm * 1e-3);
  constexpr double kStep = 1.0 / 256, kReach = 4;
  TaskPool alone{1};
  const RadialTable focus = ring_->radial_table(
      {kStep / k_na, static_cast<std::int64_t>(kReach / kStep), {ring_->focus_um()}}, alone);
  crest_ = *std::max_element(focus.intensity.begin(), focus.intensity.end());
  set_focus(spot_.focus_um());  // the axis of a vortex is dark
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
