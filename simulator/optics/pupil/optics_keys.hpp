// SPDX-License-Identifier: MIT
// simulator/optics/pupil/optics_keys.hpp — the keys of [optics].
#pragma once
#include "simulator/base/range_check.hpp"
#include "simulator/optics/pupil/optics_spec.hpp"

namespace synthoscope::simulator {

template <>
struct BoundedNumbers<ZernikeTerms> {
  static std::vector<double> of(const ZernikeTerms&) { return {}; }  // checked where it is parsed
};
template <>
struct BoundedNumbers<AxialOrigin> {
  static std::vector<double> of(const AxialOrigin& origin) {
    if (origin.rule == AxialOrigin::Rule::fixed) return {origin.um};
    return {};
  }
};
template <>
struct BoundedNumbers<ImageShift> {
  static std::vector<double> of(const ImageShift& shift) {
    return {shift.z_um * 1000, shift.y_um * 1000, shift.x_um * 1000};
  }
};
template <>
struct BoundedNumbers<fftconv::BackgroundRule> {
  static std::vector<double> of(const fftconv::BackgroundRule& rule) {
    if (rule.kind == fftconv::BackgroundRule::Kind::given) return {rule.value};
    return {};
  }
};

/// Lists the keys of the lens, the light and the sample.
template <class Rows>
void list_lens_keys(Rows& rows) {
  const Range index{1, 4}, length{0, 20000};
  rows.add(
      "model", "", kAny,
      "model of the point spread function. gibson-lanni models sample, cover glass and immersion; "
      "richards-wolf also the polarisation of light, which matters for an aperture above 1; "
      "gaussian and born-wolf model a lens without aberrations and ignore sample, cover glass, "
      "working distance, depth and design; confocal (also for spinning disks), two-photon, "
      "light-sheet and sted multiply the excitation by the detection; file is a measured one",
      &OpticsSpec::model);
  rows.add("na", "", Range{0.01, 4}, "numerical aperture, smaller than immersion_index",
           &OpticsSpec::na);
  rows.add(
      "collection", "", kAny,
      "which photons the keys of light (photons, photons_per_um3 and others) give. all: the "
      "photons that the objective collects, so that na does not change the amount of light; "
      "aperture: the photons that are emitted in all directions, of which the objective collects "
      "the share (1 - cos(a)) / 2, with sin(a) = min(na, sample_index) / sample_index. na is that "
      "of the detection objective, for light-sheet too; background does not change",
      &OpticsSpec::collection);
  rows.add("wavelength_nm", "nm", Range{100, 10000}, "wavelength of the emitted light, in vacuum",
           &OpticsSpec::wavelength_nm);
  rows.add("immersion_index", "", index, "refractive index of the immersion",
           &OpticsSpec::immersion_index);
  rows.add("sample_index", "", index, "refractive index of the sample", &OpticsSpec::sample_index);
  rows.add("coverslip_index", "", index, "refractive index of the cover glass",
           &OpticsSpec::coverslip_index);
  rows.add_optional("as immersion_index", "design_immersion_index", "", index,
                    "refractive index of the immersion that the objective is designed for",
                    &OpticsSpec::design_immersion_index);
  rows.add_optional("as coverslip_index", "design_coverslip_index", "", index,
                    "refractive index of the cover glass that the objective is designed for",
                    &OpticsSpec::design_coverslip_index);
  rows.add("coverslip_um", "um", length, "thickness of the cover glass", &OpticsSpec::coverslip_um);
  rows.add_optional("as coverslip_um", "design_coverslip_um", "um", length,
                    "thickness of the cover glass that the objective is designed for",
                    &OpticsSpec::design_coverslip_um);
  rows.add("working_distance_um", "um", length, "thickness of the immersion, by design",
           &OpticsSpec::working_distance_um);
  rows.add("depth_um", "um", Range{0, 1000}, "depth of the emitter below the cover glass",
           &OpticsSpec::depth_um);
  rows.add(
      "depth_varying", "", kAny,
      "the PSF varies with the depth of the emitter, through layers with different refractive "
      "indices; depth_um is then the depth of the face of the grid nearest to the cover glass. "
      "Several PSFs are computed, as many as reference_error requires, each with its own blur",
      &OpticsSpec::depth_varying);
  rows.add(
      "cover_glass", "", kAny,
      "position of the cover glass: above, beyond the last plane, and depth decreases from plane "
      "to plane; below, before the first, as in a stack that begins at the glass: the PSF is "
      "mirrored along z",
      &OpticsSpec::cover_glass);
  rows.add(
      "reference_error", "of the peak", Range{0.0005, 0.5},
      "for depth_varying and sheet_along: largest error of a PSF that is interpolated between two "
      "computed ones; a smaller value needs more PSFs and more time",
      &OpticsSpec::reference_error);
  rows.add(
      "diffraction", "", kAny,
      "model of the lens for confocal, two-photon, light-sheet and sted: scalar, as gibson-lanni, "
      "or vectorial, as richards-wolf",
      &OpticsSpec::diffraction);
  rows.add(
      "excitation_nm", "nm", Range{100, 10000},
      "wavelength of the excitation, in vacuum, for confocal, two-photon (above wavelength_nm, up "
      "to twice it), sted and [pattern], and for light-sheet if the sheet widens",
      &OpticsSpec::excitation_nm);
  rows.add("pinhole_au", "Airy units", Range{0.01, 100},
           "diameter of the pinhole for confocal and sted; a unit is 1.22 wavelength_nm / na",
           &OpticsSpec::pinhole_au);
  rows.add("sheet_waist_um", "um", Range{0.1, 1000},
           "1/e^2 radius of the sheet for light-sheet, where it is thinnest",
           &OpticsSpec::sheet_waist_um);
  rows.add(
      "sheet_along", "", kAny,
      "direction of the sheet of light-sheet: along it the sheet widens from its waist, by "
      "diffraction of excitation_nm in sample_index, and gets dimmer accordingly; none: it has the "
      "same thickness everywhere in the field",
      &OpticsSpec::sheet_along);
  rows.add("sheet_focus_um", "um", Range{-20000, 20000},
           "for sheet_along: position of the waist, from the middle of the field",
           &OpticsSpec::sheet_focus_um);
  rows.add("depletion_nm", "nm", Range{100, 10000},
           "wavelength of the depletion ring for sted, in vacuum", &OpticsSpec::depletion_nm);
  rows.add(
      "saturation", "", Range{0, 10000},
      "for sted: how many times the depletion halves the light at the maximum of the ring. The "
      "spot is 0.79, 0.58, 0.35 and 0.12 of the confocal one at 1, 3, 10 and 100, wider than 1 / "
      "sqrt(1 + saturation)",
      &OpticsSpec::saturation);
  rows.add(
      "zernike", "waves rms", kAny,
      "aberrations for born-wolf, gibson-lanni and richards-wolf: Noll's index, 1 to 66, and "
      "waves, -2 to 2, of each term; 2 and 3 are tilt (along x, y), 4 defocus, 5 and 6 "
      "astigmatism, 7 and 8 coma, 9 and 10 trefoil, 11 spherical aberration. Positive tilt and "
      "defocus move the image to larger x, y and z",
      &OpticsSpec::zernike);
  rows.add("glare_share", "", Range{0, 0.9},
           "share of the light of each point that lens and sample scatter into a wide halo around "
           "its image (veiling glare); for every model",
           &OpticsSpec::glare_share);
  rows.add("glare_um", "um", Range{0.01, 1000},
           "distance from a point in the image at which this halo has fallen to 1/e",
           &OpticsSpec::glare_um);
  rows.add(
      "axial_origin", "um", Range{-20000, 20000},
      "z of the centre plane of the PSF: \"focus\", the brightest plane; \"nominal\", the focus by "
      "design; or a position",
      &OpticsSpec::axial_origin);
  rows.add("shift_nm", "nm", Range{-1000 * kMaxShiftUm, 1000 * kMaxShiftUm},
           "displacement of the image of a point from the point along z, y and x, with subvoxel "
           "precision: chromatic shift, or a misaligned camera. Labels do not move",
           &OpticsSpec::shift);
  rows.add_optional("on for points alone, and if pixels are too coarse for sampling",
                    "pixel_integration", "", kAny,
                    "average the PSF over the pixel: correct for points; bodies are already "
                    "averaged over voxels. For model file, resample the file's pixels to the "
                    "size of the grid's pixels, if those are larger",
                    &OpticsSpec::pixel_integration);
}

/// Lists the keys of how the PSF is scaled, measured and cut.
template <class Rows>
void list_psf_keys(Rows& rows) {
  rows.add("normalization", "", kAny,
           "what is scaled to 1: the energy of an infinite plane, the sum, the peak, or nothing",
           &OpticsSpec::normalization);
  rows.add_optional("none", "file", "", kAny,
                    "for model file: TIFF, HDF5 or ICS file with a measured "
                    "PSF, as stack.tif or stack.h5:/path/to/dataset",
                    &OpticsSpec::file);
  rows.add(
      "file_background", "as the file's voxels", Range{-1e12, 1e12},
      "value to subtract from each voxel of the file: \"none\"; \"auto\", the median of its border "
      "or of all its voxels, whichever is smaller; or a number",
      &OpticsSpec::file_background);
  rows.add(
      "file_center", "", kAny,
      "the part of the file that is placed in the middle, with subvoxel precision. peak: the top "
      "of a Gaussian through the largest voxel, or plateau, and its neighbours; centroid: the "
      "centre of mass of voxels above a tenth of the peak; middle: the file's own middle",
      &OpticsSpec::file_center);
  rows.add_optional("the voxel size in the file", "file_pitch_nm", "nm", Range{1e-3, 1e9},
                    "distance between the file's voxels along z, y and x", &OpticsSpec::file_pitch);
  rows.add_optional(
      "large enough for the light", "size", "voxels", Range{1, 0x1p20},
      "size of the PSF along z, y and x, odd; with oversample in voxels of the finer grid",
      &OpticsSpec::size);
}

}  // namespace synthoscope::simulator
