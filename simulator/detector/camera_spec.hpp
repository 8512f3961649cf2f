// SPDX-License-Identifier: MIT
// simulator/detector/camera_spec.hpp — the camera: what turns photons into digital numbers (DN).
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include "core/base/names.hpp"

namespace synthoscope::simulator {

/// scmos: every pixel has its own amplifier. ccd: all charge passes one amplifier, and pixels may
/// be binned before it. emccd: a ccd with a multiplication register before the amplifier. counting:
/// every pixel counts photons one by one, as avalanche diodes and hybrid detectors do. Random draws
/// depend on the numbers of kinds and presets: add new ones at the end.
enum class CameraKind { scmos, ccd, emccd, counting };
inline constexpr NameTable<CameraKind, 4> kCameraKindNames{{{CameraKind::scmos, "scmos"},
                                                            {CameraKind::ccd, "ccd"},
                                                            {CameraKind::emccd, "emccd"},
                                                            {CameraKind::counting, "counting"}}};

/// Cameras with published figures; camera_presets.hpp has them with their sources.
enum class CameraPreset {
  none,
  icx285,
  ixon_897,
  ixon_888,
  zyla_42,
  gsense400_bsi,
  orca_quest,
  spad_512,
  spcm_aqrh
};
inline constexpr NameTable<CameraPreset, 9> kCameraPresetNames{
    {{CameraPreset::none, "none"},
     {CameraPreset::icx285, "icx285"},
     {CameraPreset::ixon_897, "ixon-897"},
     {CameraPreset::ixon_888, "ixon-888"},
     {CameraPreset::zyla_42, "zyla-4.2"},
     {CameraPreset::gsense400_bsi, "gsense400-bsi"},
     {CameraPreset::orca_quest, "orca-quest"},
     {CameraPreset::spad_512, "spad-512"},
     {CameraPreset::spcm_aqrh, "spcm-aqrh"}}};

/// All figures of a camera. A spread is the standard deviation from pixel to pixel: relative to the
/// mean for read noise and gain, in DN for the offset. The defaults are
/// typical_camera(CameraKind::scmos).
struct CameraSpec {
  CameraPreset preset = CameraPreset::none;  ///< source of the figures, before changes
  CameraKind kind = CameraKind::scmos;
  double quantum_efficiency = 0.85;                 ///< electrons per photon, > 0, <= 1
  double dark_current_electrons_per_second = 1.03;  ///< >= 0
  double exposure_seconds = 0.1;                    ///< > 0
  double clock_induced_charge_electrons = 0;        ///< mean per pixel and readout, >= 0
  double full_well_electrons = 30000;               ///< of a pixel, >= 1, <= 1e9
  double em_gain = 1;                               ///< mean, >= 1; above 1 for emccd only
  double register_full_well_electrons = 1e9;        ///< of a pixel that is read out, >= 1, <= 1e9
  double read_noise_electrons = 1.2;                ///< rms, >= 0
  double read_noise_spread = 0.2;                   ///< 0 to 1
  double gain_dn_per_electron = 2.0;                ///< of the electrons at the amplifier, > 0
  double gain_spread = 0.01;                        ///< 0 to 1
  double offset_dn = 100;                           ///< >= 0
  double offset_spread_dn = 2;                      ///< >= 0
  int bit_depth = 16;                               ///< 1 to 16; counts are uint8 up to 8

  // Further differences between pixels; see make_camera_maps
  double dark_current_spread = 0;                    ///< 0 to 1, relative
  double hot_pixels = 0;                             ///< share of hot pixels, 0 to 1
  double hot_dark_current_electrons_per_second = 0;  ///< mean excess of a hot pixel, >= 0
  double dead_pixels = 0;                            ///< share of the pixels read out, 0 to 1
  double column_offset_spread_dn = 0, row_offset_spread_dn = 0;  ///< >= 0
  double column_gain_spread = 0;                                 ///< 0 to 1, relative
  double row_noise_electrons = 0;  ///< rms of the common part of a row in a frame, >= 0

  // For kind counting only; see photon_counting.hpp
  double dead_time_ns = 0;            ///< >= 0: a pixel is blind for this time after a count
  std::int64_t one_bit_frames = 0;    ///< per exposure, up to 65535; 0: every photon counts
  double afterpulse_probability = 0;  ///< that a false count follows a count; 0 to 0.5
  /// Pixels along y and x that form one, 1 to 16: charge is added before it is read out (ccd,
  /// emccd), digital numbers after it (scmos, counting).
  int binning = 1;
  /// Images [y, x] in the units of the value that they replace; with a map the value and its spread
  /// are not read. One value for each pixel that is read out: for ccd and emccd, of the binned
  /// field.
  std::optional<std::filesystem::path> offset_map, gain_map, read_noise_map;
  /// Electrons per second of each pixel of the sensor, binned or not.
  std::optional<std::filesystem::path> dark_current_map;

  /// Returns whether binning adds charge on the chip, not digital numbers after it.
  [[nodiscard]] bool adds_charge() const {
    return kind == CameraKind::ccd || kind == CameraKind::emccd;
  }
  /// Returns whether the dark current differs from pixel to pixel.
  [[nodiscard]] bool has_dark_map() const {
    return dark_current_map || dark_current_spread > 0 || hot_pixels > 0;
  }
};

/// Returns a camera with the figures of its kind. Measure your own for quantitative work.
///
/// scmos: figures typical of air-cooled scientific CMOS cameras, not of one product.
/// ccd:   an interline CCD read out at 12 bits: read noise 10 e-, dark current 0.005 e-/s, full
///        well 40000 e-. @source Murphy, Davidson, Fundamentals of Light Microscopy and Electronic
///        Imaging, chapter 14: table 14-1 and the dynamic range next to it. Quantum efficiency 0.6
///        and an output node of two full wells are typical.
/// emccd: a back-illuminated EMCCD of 512 x 512 pixels at 10 MHz: read noise 50 e-. @source Andor,
///        iXon Ultra user manual 1.1 (2013), section 3.1.2, for the iXon Ultra 897. Gain 300, wells
///        of 180000 and 800000 e-, quantum efficiency 0.92, dark current 0.001 e-/s and
///        clock-induced charge 0.005 e- are typical of such cameras.
/// counting: an actively quenched avalanche diode in every pixel, without noise of an amplifier: a
///        count is a number. Efficiency 0.5, 25 dark counts per second, typical of such pixels; no
///        dead time, no afterpulses.
CameraSpec typical_camera(CameraKind kind);

/// Checks all figures.
/// @throws InvalidSpec  names the first value outside the ranges above and what is accepted.
void require_valid(const CameraSpec& spec);

}  // namespace synthoscope::simulator
