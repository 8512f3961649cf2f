// SPDX-License-Identifier: MIT
// fftconv/kernel/background.hpp — what is taken off a measured kernel before it is used, and what
// its border says about it.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include "fftconv/kernel/kernel.hpp"

namespace synthoscope::fftconv {

/// Nothing, what estimate_background finds, or a number.
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
