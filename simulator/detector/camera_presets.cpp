// SPDX-License-Identifier: MIT
#include "simulator/detector/camera_presets.hpp"

namespace synthoscope::simulator {
namespace {

struct Preset {
  CameraPreset preset;
  CameraKind kind;
  void (*set_figures)(CameraSpec&);  ///< sets figures that are not typical of the kind
  PresetText text;
};

constexpr Preset kPresets[] = {
    {CameraPreset::none, CameraKind::scmos, [](CameraSpec&) {}, {"values typical of the kind", ""}},
    {CameraPreset::icx285,
     CameraKind::ccd,
     [](CameraSpec& camera) {
       camera.quantum_efficiency = 0.62;
       camera.full_well_electrons = 18000;
       camera.register_full_well_electrons = 36000;
       camera.read_noise_electrons = 7;
       camera.gain_dn_per_electron = 0.2276;
       camera.offset_dn = 192.4;
     },
     {"interline CCD ICX285, as in an ORCA-AG at 12 bits",
      "full well, read noise (1.6 DN) and offset: Hida Observatory, Kyoto University, "
      "noise of the ORCA-AG (2007), "
      "https://www.kwasan.kyoto-u.ac.jp/~ueno/hida/DST/CaNoise/noise_sum.html; gain: full "
      "well over 12 bits; efficiency, dark current and output node typical"}},
    {CameraPreset::ixon_897,
     CameraKind::emccd,
     [](CameraSpec&) {},
     {"back-illuminated EMCCD of 512 x 512 pixels, iXon Ultra 897 at 10 MHz",
      "read noise: Andor, iXon Ultra user manual 1.1 (2013), section 3.1.2; the rest "
      "typical of such cameras"}},
    {CameraPreset::ixon_888,
     CameraKind::emccd,
     [](CameraSpec& camera) {
       camera.quantum_efficiency = 0.95;
       camera.full_well_electrons = 80000;
       camera.register_full_well_electrons = 730000;
       camera.read_noise_electrons = 45.9;
       camera.gain_dn_per_electron = 0.0935;
       camera.dark_current_electrons_per_second = 0.001;
     },
     {"back-illuminated EMCCD of 1024 x 1024 pixels, iXon 888 at 10 MHz",
      "read noise, gain and dark current at -85 C: SOFIA Observer's Handbook, cycle 4, "
      "table 8-3 (FPI+); efficiency and wells: Andor, iXon Ultra 888 specifications; "
      "clock-induced charge and EM gain typical"}},
    {CameraPreset::zyla_42,
     CameraKind::scmos,
     [](CameraSpec& camera) {
       camera.quantum_efficiency = 0.82;
       camera.dark_current_electrons_per_second = 0.1;
       camera.full_well_electrons = 30000;
       camera.read_noise_electrons = 0.9;
     },
     {"front-illuminated sCMOS of the second generation, Zyla 4.2",
      "efficiency, read noise (median) and full well: Andor, Zyla OEM specifications; the "
      "rest typical"}},
    {CameraPreset::gsense400_bsi,
     CameraKind::scmos,
     [](CameraSpec& camera) {
       camera.quantum_efficiency = 0.95;
       camera.dark_current_electrons_per_second = 0.413;
       camera.dark_current_spread = 0.327;
       camera.full_well_electrons = 80000;
       camera.read_noise_electrons = 1.466;
       camera.read_noise_spread = 0.221;
       camera.gain_dn_per_electron = 1.302;
       camera.gain_spread = 0.005;
       camera.offset_dn = 100.46;
     },
     {"back-illuminated sCMOS GSENSE400BSI, as in a Prime 95B at 16 bits and -20 C",
      "gain at low signals, offset, read noise, dark current and their spreads: measured on a "
      "Prime 95B, getframes 2.6.1 (PyPI), preset photometrics_prime_95b; Apergis et al., "
      "arXiv:2510.14484 (2025), find a read noise of 1.57 e- in another camera with that sensor; "
      "efficiency and full well: Teledyne Photometrics, Prime 95B data sheet; spread of the gain "
      "typical"}},
    {CameraPreset::orca_quest,
     CameraKind::scmos,
     [](CameraSpec& camera) {
       camera.dark_current_electrons_per_second = 0.016;
       camera.full_well_electrons = 7000;
       camera.read_noise_electrons = 0.27;
       camera.gain_dn_per_electron = 9.35;
       camera.gain_spread = 0.005;
       camera.offset_dn = 200;
       camera.offset_spread_dn = 0.5;
     },
     {"qCMOS that counts single photons, ORCA-Quest in its ultra quiet scan",
      "read noise, full well, gain (0.107 e-/DN), offset and dark current at -20 C: "
      "Hamamatsu, ORCA-Quest C15550-20UP catalogue; efficiency 0.85 at 460 nm; spreads "
      "typical"}},
    {CameraPreset::spad_512,
     CameraKind::counting,
     [](CameraSpec& camera) {
       camera.one_bit_frames = 255;
       camera.exposure_seconds = 0.00255;
       camera.bit_depth = 8;
     },
     {"array of avalanche diodes of 512 x 512 pixels, SPAD512S, 255 frames of one bit",
      "efficiency at 520 nm, dark counts (below 25 per second) and frames (100000 per "
      "second): Pi Imaging, SPAD512S, https://axiomoptics.com/products/spad512s"}},
    {CameraPreset::spcm_aqrh,
     CameraKind::counting,
     [](CameraSpec& camera) {
       camera.quantum_efficiency = 0.65;
       camera.dark_current_electrons_per_second = 100;
       camera.dead_time_ns = 22;
       camera.afterpulse_probability = 0.005;
       camera.exposure_seconds = 1e-4;
     },
     {"single avalanche diode behind a pinhole, SPCM-AQRH-14",
      "efficiency at 650 nm, dark counts, dead time and afterpulses: Excelitas, SPCM-AQRH "
      "data sheet; the exposure, 0.1 ms a pixel, is typical of scanning"}},
};

const Preset& row_of(CameraPreset preset) {
  for (const Preset& row : kPresets)
    if (row.preset == preset) return row;
  return kPresets[0];
}

}  // namespace

CameraSpec preset_camera(CameraPreset preset) {
  const Preset& row = row_of(preset);
  CameraSpec camera = typical_camera(row.kind);
  row.set_figures(camera);
  camera.preset = preset;
  return camera;
}

PresetText preset_text(CameraPreset preset) {
  return row_of(preset).text;
}

}  // namespace synthoscope::simulator
