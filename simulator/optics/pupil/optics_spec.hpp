// SPDX-License-Identifier: MIT
// simulator/optics/pupil/optics_spec.hpp — the lens: everything a point spread function is made
// from.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include "core/base/names.hpp"
#include "core/base/units.hpp"
#include "core/volume/extent.hpp"
#include "fftconv/kernel/kernel.hpp"
#include "simulator/optics/functions/zernike.hpp"

namespace synthoscope::simulator {

enum class PsfModel {
  gaussian,
  born_wolf,
  gibson_lanni,
  richards_wolf,
  confocal,
  two_photon,
  light_sheet,
  sted,
  file
};
inline constexpr NameTable<PsfModel, 9> kPsfModelNames{{
    {PsfModel::gaussian, "gaussian"},
    {PsfModel::born_wolf, "born-wolf"},
    {PsfModel::gibson_lanni, "gibson-lanni"},
    {PsfModel::richards_wolf, "richards-wolf"},
    {PsfModel::confocal, "confocal"},
    {PsfModel::two_photon, "two-photon"},
    {PsfModel::light_sheet, "light-sheet"},
    {PsfModel::sted, "sted"},
    {PsfModel::file, "file"},
}};

/// Returns whether light comes through one pupil and is not multiplied with other light.
constexpr bool is_one_pupil(PsfModel model) {
  return model == PsfModel::born_wolf || model == PsfModel::gibson_lanni ||
         model == PsfModel::richards_wolf;
}

/// Returns whether the model includes the light that excites.
constexpr bool is_excited(PsfModel model) {
  return model == PsfModel::confocal || model == PsfModel::two_photon || model == PsfModel::sted;
}

/// How a lens of the models confocal to sted is computed: as gibson-lanni or as richards-wolf.
enum class Diffraction { scalar, vectorial };
inline constexpr NameTable<Diffraction, 2> kDiffractionNames{{
    {Diffraction::scalar, "scalar"},
    {Diffraction::vectorial, "vectorial"},
}};

/// Returns whether the model looks through sample, cover glass and immersion, so that depth
/// matters.
constexpr bool is_layered(PsfModel model) {
  return model != PsfModel::gaussian && model != PsfModel::born_wolf && model != PsfModel::file;
}

/// The face of a volume beyond which the cover glass lies. Above: the objective withdraws from the
/// glass as the plane number grows, so PSFs have the z of the model. Below: PSFs are mirrored along
/// z.
enum class CoverGlass { above, below };
inline constexpr NameTable<CoverGlass, 2> kCoverGlassNames{{
    {CoverGlass::above, "above"},
    {CoverGlass::below, "below"},
}};

/// The direction of a light sheet through the field, along which it widens.
enum class SheetAlong { none, y, x };
inline constexpr NameTable<SheetAlong, 3> kSheetAlongNames{{
    {SheetAlong::none, "none"},
    {SheetAlong::y, "y"},
    {SheetAlong::x, "x"},
}};

/// How the voxels of a PSF are scaled.
///   plane  the energy of one infinite plane is 1 (if planes differ, as for Gaussian and confocal
///   to
///          sted, of the plane in focus; for file, of its whole middle plane), so brightness does
///          not depend on the window, and energy outside the window is lost and reported
///   sum    the voxels of the window add up to 1
///   peak   the largest voxel is 1
///   none   the value of the model's equation, averaged over the pixel if integrated
enum class PsfNormalization { plane, sum, peak, none };
inline constexpr NameTable<PsfNormalization, 4> kPsfNormalizationNames{{
    {PsfNormalization::plane, "plane"},
    {PsfNormalization::sum, "sum"},
    {PsfNormalization::peak, "peak"},
    {PsfNormalization::none, "none"},
}};

/// The photons that a scene counts: with `all`, photons that the objective collects, at any
/// aperture; with `aperture`, emitted photons, of which the aperture collects a part.
enum class Collection { all, aperture };
inline constexpr NameTable<Collection, 2> kCollectionNames{{
    {Collection::all, "all"},
    {Collection::aperture, "aperture"},
}};

/// The point of a measured PSF that lies in the middle; centre_of_light documents how it is found.
enum class FileCenter { peak, centroid, middle };
inline constexpr NameTable<FileCenter, 3> kFileCenterNames{{
    {FileCenter::peak, "peak"},
    {FileCenter::centroid, "centroid"},
    {FileCenter::middle, "middle"},
}};

/// The axial position that the centre plane of the PSF shows: z = 0 of the design, the plane of
/// largest on-axis intensity, or a z in micrometres.
struct AxialOrigin {
  enum class Rule { nominal, focus, fixed };
  Rule rule = Rule::focus;
  double um = 0;  ///< read only for `fixed`
  friend bool operator==(const AxialOrigin&, const AxialOrigin&) = default;
};

/// The distance of a point's image from the point: chromatic shift, or a misaligned camera.
struct ImageShift {
  double z_um = 0, y_um = 0, x_um = 0;
  [[nodiscard]] bool is_lateral() const { return y_um != 0 || x_um != 0; }
  friend bool operator==(const ImageShift&, const ImageShift&) = default;
};

inline constexpr double kMaxShiftUm = 100;

/// Everything a point spread function is made from. Indices are relative to vacuum. An absent
/// design value equals the actual one.
struct OpticsSpec {
  PsfModel model = PsfModel::gibson_lanni;
  double na = 1.4;                               ///< numerical aperture, > 0, < immersion_index
  double wavelength_nm = 520;                    ///< emission, in vacuum, 100 to 10000
  double immersion_index = 1.515;                ///< n_i, 1 to 4, as the other indices
  double sample_index = 1.33;                    ///< n_s
  double coverslip_index = 1.515;                ///< n_g
  std::optional<double> design_immersion_index;  ///< n_i*
  std::optional<double> design_coverslip_index;  ///< n_g*
  double coverslip_um = 170;                     ///< t_g, >= 0
  std::optional<double> design_coverslip_um;     ///< t_g*
  double working_distance_um = 150;              ///< t_i*, immersion thickness in design, >= 0
  double depth_um = 0;                           ///< z_p, emitter below the cover glass, >= 0
  /// Emitters lie at the depths of their planes, and `depth_um` is the depth of the face nearest to
  /// the glass; layered models only. DepthReferences has the depths at which PSFs are computed.
  bool depth_varying = false;
  CoverGlass cover_glass = CoverGlass::above;  ///< layered models only
  /// Largest error of PSFs between references, relative to the peak, 0.0005 to 0.5.
  double reference_error = 0.01;
  Diffraction diffraction = Diffraction::scalar;  ///< of the lens; confocal to sted only
  double excitation_nm = 488;  ///< in vacuum, 100 to 10000; is_excited, light sheets and stripes
  double pinhole_au = 1;       ///< diameter, in 1.22 wavelength / NA, 0.01 to 100; confocal, sted
  double sheet_waist_um = 2;   ///< 1/e^2 radius of a light sheet at its thinnest, 0.1 to 1000
  SheetAlong sheet_along = SheetAlong::none;  ///< light_sheet; none: constant thickness
  double sheet_focus_um = 0;  ///< waist, from the middle of the field, -20000 to 20000
  double depletion_nm = 592;  ///< sted; in vacuum, 100 to 10000
  double saturation = 10;  ///< sted; number of times light halves at the ring's crest, 0 to 10000
  Collection collection = Collection::all;  ///< any model
  ZernikeTerms zernike;                     ///< aberrations of the lens; is_one_pupil models only
  double glare_share = 0;    ///< of the light, that goes into a halo, 0 to 0.9; any model
  double glare_um = 2;       ///< the halo falls as exp(-r / glare_um), 0.01 to 1000
  AxialOrigin axial_origin;  ///< its focus ignores zernike
  ImageShift shift;          ///< any model; each within kMaxShiftUm
  /// Integrate over the pixel (y, x); otherwise sample its centre. Absent: make_psf integrates. A
  /// file was recorded with pixels: true widens their extent to the grid's pixels, and absent
  /// leaves it unchanged, unless samples would miscount the light.
  std::optional<bool> pixel_integration;
  PsfNormalization normalization = PsfNormalization::plane;
  std::optional<std::filesystem::path> file;  ///< TIFF, HDF5 or ICS; model `file` only
  fftconv::BackgroundRule file_background;    ///< subtracted from each voxel of the file
  FileCenter file_center = FileCenter::peak;
  std::optional<VoxelSize> file_pitch;  ///< voxel size of the file; absent: as the file states
  std::optional<Extent3> size;          ///< voxels, each odd; chosen by make_psf when absent
};

/// Returns whether the planes of the PSF run opposite to the model's z axis.
inline bool is_mirrored(const OpticsSpec& spec) {
  return spec.cover_glass == CoverGlass::below && is_layered(spec.model);
}

/// Returns the part of the emitted light that the objective collects: 1 for Collection::all. For
/// `aperture` it is the solid angle of the cone of half angle theta relative to a sphere:
///
///     (1 - cos theta) / 2,  sin theta = min(NA, n) / n,  n = sample_index
///
/// An emitter sends light equally in all directions; reflection at interfaces is not counted.
double collected_part(const OpticsSpec& spec);

/// Checks all values.
/// @throws InvalidSpec  names the first value outside the ranges above and what is accepted.
void require_valid(const OpticsSpec& spec);

/// Reads "nominal", "focus" or a number in micrometres. @throws InvalidSpec
AxialOrigin parse_axial_origin(std::string_view text);

/// The inverse of parse_axial_origin.
std::string print(const AxialOrigin& origin);

}  // namespace synthoscope::simulator
