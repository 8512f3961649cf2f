// SPDX-License-Identifier: MIT
// kernels/filter_banks.hpp — sets of filters whose responses describe a texture.
#pragma once
#include <memory>
#include <optional>
#include <string_view>
#include "kernels/filter.hpp"

namespace synthoscope::kernels {

/// All filters have 49 x 49 weights of sum 0, their magnitudes' sum 1.
///
/// leung_malik: 48 responses: edges, then bars (first and second derivative of a Gaussian three
///   times as long as wide) at three scales sqrt(2)^1..3 and six orientations each; then at four
///   scales sqrt(2)^1..4 a Gaussian, its Laplacian, and the Laplacian at three times the scale.
///   Leung and Malik, Int. J. Comput. Vis. 43, 29-44 (2001), doi:10.1023/A:1011126920638.
/// schmid: 13 responses: cos(pi tau r / sigma) exp(-r^2 / (2 sigma^2)), whose (sigma, tau) are (2,
///   1), (4, 1), (4, 2), (6, 1..3), (8, 1..3), (10, 1..4).
///   Schmid, CVPR 2001, II-39-45, doi:10.1109/CVPR.2001.990922.
/// mr8: 8 responses: edges at scales 1, 2 and 4, bars at these, each the strongest of six
///   orientations (of an edge the largest magnitude, so that a half turn changes nothing); then a
///   Gaussian and its Laplacian, of scale 10.
///   Varma and Zisserman, Int. J. Comput. Vis. 62, 61-81 (2005), doi:10.1007/s11263-005-4635-4.
enum class FilterBank { leung_malik, schmid, mr8 };

std::string_view name_of(FilterBank bank);
std::optional<FilterBank> filter_bank_named(std::string_view name);

/// A response: the filter's, or the strongest of several filters'.
struct BankResponse {
  std::vector<Stencil> filters;   ///< for convolution, as make_filter takes them
  bool takes_magnitudes = false;  ///< where there are several
};
std::vector<BankResponse> responses_of(FilterBank bank);

struct ChosenBank {
  std::unique_ptr<Operation> operation;
  double host_seconds = 0;  ///< that a thread takes for a voxel of the image (ChosenFilter)
};

/// One volume of responses, `setting.type` each: plane p * N + n is response n of N to plane p of
/// the image. Filters are taken apart as make_filter does. On a device all responses are made of
/// one window.
/// @throws InvalidSpec  as make_filter.
ChosenBank make_filter_bank(const NeighbourhoodSetting& setting, FilterBank bank,
                            FilterStrategy strategy = FilterStrategy::automatic,
                            double tolerance = kFactorTolerance);

}  // namespace synthoscope::kernels
