// SPDX-License-Identifier: MIT
// tests/support/camera_case.hpp — cameras of every kind, and photons of every size for them.
#pragma once
#include <cmath>
#include "core/stream/memory_stream.hpp"
#include "simulator/detector/camera.hpp"

namespace synthoscope::simulator::test {

inline constexpr Box3 kMiddle{{2, 6, 12}, {3, 30, 42}};

struct CameraCase {
  const char* name;
  CameraKind kind = CameraKind::scmos;
  double most_photons = 1e6;
  int binning = 1, bit_depth = 16;
  bool saturates = false;  ///< wells are small
  Box3 box = kMiddle;
  void (*change)(CameraSpec&) = nullptr;  ///< of what else is not typical

  [[nodiscard]] CameraSpec spec() const {
    CameraSpec camera = typical_camera(kind);
    camera.binning = binning;
    camera.bit_depth = bit_depth;
    if (saturates) camera.full_well_electrons = 900;
    if (saturates) camera.register_full_well_electrons = 1500;
    camera.offset_dn = 0.3;  // below which read noise leads
    if (change) change(camera);
    return camera;
  }
};

/// Pixels, columns and rows that differ in all that they can differ in.
inline void with_patterns(CameraSpec& camera) {
  camera.dark_current_spread = 0.3;
  camera.hot_pixels = 0.05;
  camera.hot_dark_current_electrons_per_second = 5000;
  camera.dead_pixels = 0.02;
  camera.column_offset_spread_dn = camera.row_offset_spread_dn = 3;
  camera.column_gain_spread = 0.02;
  camera.row_noise_electrons = 4;
}

inline void with_dead_time(CameraSpec& camera) {
  camera.dead_time_ns = 50;
  camera.exposure_seconds = 1e-3;
  camera.afterpulse_probability = 0.03;
  camera.hot_pixels = 0.1;
  camera.hot_dark_current_electrons_per_second = 3e5;
}

/// Which leaves so few counts that the well is never full, however much light there is.
inline void with_dead_time_and_small_well(CameraSpec& camera) {
  camera.dead_time_ns = 100;
  camera.exposure_seconds = 1e-4;
  camera.full_well_electrons = 1000;
}

inline void with_one_bit_frames(CameraSpec& camera) {
  camera.one_bit_frames = 4095;
}

/// Of which the box of a case is a part.
inline constexpr Extent3 kCameraVolume{7, 48, 66};
inline constexpr ExposureKey kCameraKey{0x123456789abcdef, 11, 3};

// clang-format off
constexpr CameraCase kCameraCases[] = {
    {"scmos",             CameraKind::scmos},
    {"scmos_of_8_bits",   CameraKind::scmos, 300, 1, 8},
    {"scmos_binned",      CameraKind::scmos, 1e5, 3},
    {"scmos_saturated",   CameraKind::scmos, 1e4, 1, 12, true},
    {"ccd",               CameraKind::ccd},
    {"ccd_binned",        CameraKind::ccd,   1e5, 2},
    {"emccd",             CameraKind::emccd, 1e4},
    {"emccd_in_the_dark", CameraKind::emccd, 3},
    {"emccd_binned",      CameraKind::emccd, 20, 6},
    {"emccd_saturated",   CameraKind::emccd, 1e4, 1, 16, true},
    {"scmos_patterns",    CameraKind::scmos, 1e4, 1, 16, false, kMiddle, with_patterns},
    {"scmos_patterns_binned", CameraKind::scmos, 1e4, 2, 16, false, kMiddle, with_patterns},
    {"ccd_patterns_binned",   CameraKind::ccd,   1e4, 3, 16, false, kMiddle, with_patterns},
    {"emccd_patterns",    CameraKind::emccd, 100, 1, 16, false, kMiddle, with_patterns},
    {"counting",          CameraKind::counting, 5e4},
    {"counting_binned",   CameraKind::counting, 300, 2, 8},
    {"dead_time",         CameraKind::counting, 1e6, 1, 16, false, kMiddle, with_dead_time},
    {"dead_time_small_well", CameraKind::counting, 1e7, 1, 16, false, kMiddle,
     with_dead_time_and_small_well},
    {"one_bit_frames",    CameraKind::counting, 1e5, 1, 12, false, kMiddle, with_one_bit_frames},
    {"one_pixel",         CameraKind::scmos, 1e3, 1, 16, false, {{6, 47, 65}, {1, 1, 1}}},
    {"one_column",        CameraKind::ccd,   1e3, 1, 16, false, {{0, 0, 17}, {7, 48, 1}}},
};
// clang-format on

/// Photons of the case's box: some below zero, none, and all sizes up to the largest.
inline Volume<float> photons_for(const CameraCase& c) {
  Volume<float> photons{c.box.size};
  const std::size_t count = photons.voxels.size();
  for (std::size_t i = 0; i < count; ++i) {
    const double at = static_cast<double>((i * 7919) % count) / static_cast<double>(count);
    photons.voxels[i] = i % 17 == 3 ? -static_cast<float>(at) * 1e-3F
                        : i % 29 == 5
                            ? 0
                            : static_cast<float>(0.01 * std::pow(c.most_photons / 0.01, at));
  }
  return photons;
}

}  // namespace synthoscope::simulator::test
