// SPDX-License-Identifier: MIT
// fftconv/kernel/kernel.hpp — inspects a kernel once: its sum, centre, border and background, and
// what to warn about.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include "core/run/stop.hpp"
#include "core/stream/stream.hpp"
#include "fftconv/request.hpp"

namespace synthoscope::fftconv {

/// Results of one pass over a kernel, after `background` is subtracted.
struct KernelSummary {
  Extent3 extent;
  double background = 0;        ///< what was taken off each voxel
  double sum = 0, abs_sum = 0;  ///< summed in double, plane by plane
  double peak = 0;              ///< largest voxel
  Index3 peak_index;            ///< its position; the first in z, y, x order among equals
  double centroid_z = 0, centroid_y = 0, centroid_x = 0;  ///< of the positive part
  double border_share = 0;          ///< |voxels| on the outer faces over abs_sum, in [0, 1]
  double lateral_border_share = 0;  ///< likewise, on the faces of y and x alone
  std::int64_t non_finite = 0;
};

// What looks at a kernel reads all of it, window by window: it throws what the source does, and
// Interrupted once `stop` was set.

/// Median of the voxels on the kernel's outer faces: a camera's offset and background. Only axes
/// longer than 1 have faces.
double border_median(Source& kernel, const StopFlag& stop);

/// A camera's offset and background in a measured kernel: the smaller of its border's median and
/// the median of all of it. The first is too high where edge rows are bright or the kernel is cut
/// narrow, the second where light fills most of it; light only ever adds.
/// Of more than 2^17 voxels an even sample is looked at.
double estimate_background(Source& kernel, const StopFlag& stop);

/// One pass over the kernel's planes.
KernelSummary summarize(Source& kernel, const StopFlag& stop, double background = 0);

/// `name` is the kernel's for people, such as its file. @throws InvalidInput  NaN or infinity in
/// the kernel, or nothing but zeros.
void require_usable(const KernelSummary& summary, std::string_view name);

/// Where the kernel's centre lies.
///   scipy     (K-1)/2, and K/2 with correlation: scipy.signal
///   middle    K/2: scipy.ndimage
///   peak      the largest voxel;  centroid  the nearest voxel to the centre of mass
enum class CenterRule { scipy, middle, peak, centroid };

std::optional<CenterRule> center_rule_named(std::string_view name);
Index3 kernel_center(CenterRule rule, const KernelSummary& summary, bool correlate);

/// What the kernel is divided by: 1, its sum, or its peak.
enum class KernelNormalization { none, sum, peak };

std::string_view name_of(KernelNormalization rule);

/// The factor for Kernel::scale. @throws InvalidInput when sum or peak is zero or cancels.
double normalization_scale(KernelNormalization rule, const KernelSummary& summary);

/// True if |sum| < 0.1 abs_sum, so that Problem::remove_mean should be set.
bool nearly_cancels(const KernelSummary& summary);

/// What is taken off a measured kernel before it is used: nothing, what estimate_background finds,
/// or a number.
struct BackgroundRule {
  enum class Kind { none, automatic, given };
  Kind kind = Kind::none;
  double value = 0;  ///< read for `given` alone
  friend bool operator==(const BackgroundRule&, const BackgroundRule&) = default;
};

/// "none", "auto" or a number. @throws InvalidSpec
BackgroundRule parse_background(std::string_view text);

/// The inverse of parse_background.
std::string print(const BackgroundRule& rule);

/// Reads the kernel where it is to be estimated. @throws as estimate_background.
double background_of(const BackgroundRule& rule, Source& kernel, const StopFlag& stop);

/// Which faces of a kernel are its border. Light of a wide-field PSF continues beyond its first and
/// last plane: there only the sides show the background.
enum class BorderFaces { all, lateral };

/// What to say where the border of a kernel carries more than 1 % of its sum: a background that
/// would blur by a box, noise, or edges that cut light off. Reads the kernel where no background
/// was taken off. `summary` was made with what `rule` gave; `name` is the kernel's for people,
/// `remedy` how they ask for an estimate ("--kernel-background auto").
std::optional<std::string> border_warning(std::string_view name, Source& kernel,
                                          const BackgroundRule& rule, const KernelSummary& summary,
                                          BorderFaces faces, std::string_view remedy,
                                          const StopFlag& stop);

}  // namespace synthoscope::fftconv
