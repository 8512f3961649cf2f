// SPDX-License-Identifier: MIT
// textures/patches/statistic_table.hpp — the names of the statistics of a patch, and what more or
// less of each means.
#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace synthoscope::textures {

struct PatchStatistic {
  std::string_view name;
  std::string_view more, less;      ///< what larger and smaller values mean
  bool is_logarithm;                ///< to base 10, so that differences are ratios
  double finest = 0, coarsest = 0;  ///< lengths that it looks at, pixels; 0: none, or no limit
};

/// All statistics, in the order of the result of patch_statistics(). Levels are relative to the
/// level of the objects of an image.
inline constexpr std::array kPatchStatistics{
    PatchStatistic{"mean", "brighter", "darker", false},
    PatchStatistic{"log_sd", "more contrast", "less contrast", true},
    PatchStatistic{"skewness", "a tail of bright values", "a tail of dark values", false},
    PatchStatistic{"kurtosis", "longer tails of the histogram",
                   "shorter tails of the histogram: flat, or two modes", false},
    PatchStatistic{"p05", "dark parts less deep", "dark parts deeper", false},
    PatchStatistic{"p95", "bright parts higher", "bright parts less high", false},
    PatchStatistic{"log_gradient_1", "steeper slopes", "flatter slopes", true, 2},
    PatchStatistic{"log_gradient_3", "steeper slopes", "flatter slopes", true, 6},
    PatchStatistic{"concentration_1", "few sharp borders in a smooth rest",
                   "slopes alike everywhere", false, 2},
    PatchStatistic{"concentration_3", "few sharp borders in a smooth rest",
                   "slopes alike everywhere", false, 6},
    PatchStatistic{"log_power_corner", "more power in the finest waves, mostly noise",
                   "less power in the finest waves, mostly noise", true, 1.4, 2},
    PatchStatistic{"log_power_0", "more power in waves", "less power in waves", true, 2, 2.8},
    PatchStatistic{"log_power_1", "more power in waves", "less power in waves", true, 2.8, 4},
    PatchStatistic{"log_power_2", "more power in waves", "less power in waves", true, 4, 5.7},
    PatchStatistic{"log_power_3", "more power in waves", "less power in waves", true, 5.7, 8},
    PatchStatistic{"log_power_4", "more power in waves", "less power in waves", true, 8, 11.3},
    PatchStatistic{"log_power_5", "more power in waves", "less power in waves", true, 11.3, 16},
    PatchStatistic{"log_power_6", "more power in waves", "less power in waves", true, 16},
    PatchStatistic{"coherence", "more slopes in one direction", "fewer slopes in one direction",
                   false, 2},
    PatchStatistic{"rows_columns", "rougher along rows than along columns",
                   "rougher along columns than along rows", true},
    PatchStatistic{"log_local_sd_5", "more local contrast", "less local contrast", true, 5},
    PatchStatistic{"log_local_sd_9", "more local contrast", "less local contrast", true, 9},
    PatchStatistic{"local_sd_cv_5", "local contrast differs more from place to place",
                   "local contrast more alike everywhere", false, 5},
    PatchStatistic{"local_sd_cv_9", "local contrast differs more from place to place",
                   "local contrast more alike everywhere", false, 9},
    PatchStatistic{"correlation_1", "neighbours more alike: smoother, or less noise",
                   "neighbours less alike: rougher, or more noise", false, 1},
    PatchStatistic{"correlation_2", "pixels at a distance more alike",
                   "pixels at a distance less alike", false, 2},
    PatchStatistic{"correlation_length", "coarser structures", "finer structures", false},
    PatchStatistic{"dark_2", "deeper dark spots", "shallower dark spots", false, 6},
    PatchStatistic{"bright_2", "brighter bright spots", "weaker bright spots", false, 6},
    PatchStatistic{"dark_4", "deeper dark spots", "shallower dark spots", false, 12},
    PatchStatistic{"bright_4", "brighter bright spots", "weaker bright spots", false, 12},
    PatchStatistic{"count_dark", "more dark spots", "fewer dark spots", false, 6},
    PatchStatistic{"count_bright", "more bright spots", "fewer bright spots", false, 6},
    PatchStatistic{"log_noise", "more noise", "less noise", true, 1},
    PatchStatistic{"noise_kurtosis", "noise with outliers", "noise without outliers", false, 1},
    PatchStatistic{"noise_with_light", "noise that grows more with light",
                   "noise that grows less with light", true, 1},
    PatchStatistic{"equal_neighbours", "more equal neighbours: few grey levels, or clipping",
                   "fewer equal neighbours: more grey levels, or less clipping", false},
};

inline constexpr std::size_t kPatchStatisticCount = kPatchStatistics.size();
using PatchStatistics = std::array<double, kPatchStatisticCount>;

/// Returns what a difference of a statistic means, with its lengths: "more power in waves of 0.26
/// to 0.36 um".
/// @param pixel_um  lengths are in pixels where it is not known
std::string words_of(const PatchStatistic& statistic, bool is_more, std::optional<double> pixel_um);

}  // namespace synthoscope::textures
