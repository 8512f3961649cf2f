// SPDX-License-Identifier: MIT
#include "simulator/optics/pupil/optics_spec.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <charconv>
#include <cmath>
#include "simulator/optics/pupil/optics_keys.hpp"

namespace synthoscope::simulator {
namespace {

void require_excitation(const OpticsSpec& s) {
  // Two photons together have the energy of the one that is emitted, or more
  if (s.model == PsfModel::two_photon &&
      !(s.excitation_nm > s.wavelength_nm && s.excitation_nm <= 2 * s.wavelength_nm))
    throw InvalidSpec(fmt::format(
        "optics: two photons of {} nm cannot excite light of {} nm, which needs more than {} and "
        "at most {} nm; set the excitation to the wavelength of the laser, such as 920 nm",
        s.excitation_nm, s.wavelength_nm, s.wavelength_nm, 2 * s.wavelength_nm));
}

void require_zernike(const OpticsSpec& s) {
  if (!s.zernike.empty() && !is_one_pupil(s.model))
    throw InvalidSpec(
        fmt::format("optics: zernike is \"{}\", but the model is {}; use zernike with born-wolf, "
                    "gibson-lanni or richards-wolf",
                    print(s.zernike), name_in(kPsfModelNames, s.model)));
}

void require_varying(const OpticsSpec& s) {
  if (s.depth_varying && !is_layered(s.model))
    throw InvalidSpec(fmt::format(
        "optics: depth_varying is true, but the model is {}, which does not depend on depth; use "
        "gibson-lanni, richards-wolf, confocal, two-photon, light-sheet or sted",
        name_in(kPsfModelNames, s.model)));
  if (s.depth_varying && s.axial_origin.rule != AxialOrigin::Rule::focus)
    throw InvalidSpec(
        fmt::format("optics: the axial origin is {}, but depth_varying is true, and each depth has "
                    "its own focus; leave the axial origin out, or set it to focus",
                    print(s.axial_origin)));
  if (s.sheet_along != SheetAlong::none && s.model != PsfModel::light_sheet)
    throw InvalidSpec(fmt::format(
        "optics: sheet_along is {}, but the model is {}; set optics.model to light-sheet, or leave "
        "sheet_along out",
        name_in(kSheetAlongNames, s.sheet_along), name_in(kPsfModelNames, s.model)));
}

void require_file(const OpticsSpec& s) {
  if (s.model == PsfModel::file && !s.file)
    throw InvalidSpec(
        "optics: the model is file, but optics.file is not set; name the TIFF, HDF5 or ICS file of "
        "a measured PSF");
  if (s.model != PsfModel::file && s.file)
    throw InvalidSpec(fmt::format(
        "optics: optics.file is {}, but the model is {}; set optics.model to file, or leave the "
        "file out",
        s.file->string(), name_in(kPsfModelNames, s.model)));
  if (s.model == PsfModel::file && s.axial_origin.rule != AxialOrigin::Rule::focus)
    throw InvalidSpec(fmt::format(
        "optics: the axial origin is {}, but the model is file, whose middle optics.file_center "
        "finds; leave the axial origin out, or set it to focus",
        print(s.axial_origin)));
}

void require_odd(const Extent3& size) {
  const auto odd = [](std::int64_t n) { return n > 0 && n % 2 == 1; };
  if (!odd(size.z) || !odd(size.y) || !odd(size.x))
    throw InvalidSpec(fmt::format(
        "optics: the size of the PSF is {}, each of z, y and x must be odd and at least 1 so that "
        "it has a middle voxel; give for example 33,65,65",
        size));
}

}  // namespace

void require_valid(const OpticsSpec& spec) {
  RangeCheck check{"optics", spec};
  list_lens_keys(check);
  list_psf_keys(check);
  if (spec.na >= spec.immersion_index)
    throw InvalidSpec(
        fmt::format("optics: the numerical aperture {} is not below the immersion index {}; lower "
                    "the aperture or name the immersion (oil 1.515, water 1.33, air 1)",
                    spec.na, spec.immersion_index));
  require_excitation(spec);
  require_varying(spec);
  require_file(spec);
  require_zernike(spec);
  if (spec.size) require_odd(*spec.size);
}

double collected_part(const OpticsSpec& spec) {
  if (spec.collection == Collection::all) return 1;
  const double sine = std::min(spec.na, spec.sample_index) / spec.sample_index;
  // (1 - cosine) / 2 without cancellation at small apertures
  return sine * sine / (2 * (1 + std::sqrt(1 - sine * sine)));
}

AxialOrigin parse_axial_origin(std::string_view text) {
  if (text == "nominal") return {AxialOrigin::Rule::nominal, 0};
  if (text == "focus") return {AxialOrigin::Rule::focus, 0};
  double um = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), um);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(um))
    throw InvalidSpec(fmt::format(
        "optics: the axial origin is \"{}\"; give nominal, focus or a number in um", text));
  return {AxialOrigin::Rule::fixed, um};
}

std::string print(const AxialOrigin& origin) {
  switch (origin.rule) {
    case AxialOrigin::Rule::nominal:
      return "nominal";
    case AxialOrigin::Rule::focus:
      return "focus";
    case AxialOrigin::Rule::fixed:
      break;
  }
  return fmt::format("{}", origin.um);
}

}  // namespace synthoscope::simulator
