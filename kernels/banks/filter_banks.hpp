// SPDX-License-Identifier: MIT
// kernels/banks/filter_banks.hpp — sets of filters whose responses describe a texture.
#pragma once
#include <memory>
#include <optional>
#include <string_view>
#include "kernels/body/bank_answer.hpp"
#include "kernels/filters/filter.hpp"

namespace synthoscope::kernels {

/// The first three are filters of planes: 49 x 49 weights with sum 0 and sum of magnitudes 1.
///
/// leung_malik: 48 responses: edges, then bars (first and second derivative of a Gaussian three
///   times as long as wide) at three scales sqrt(2)^1..3 and six orientations each; then at four
///   scales sqrt(2)^1..4 a Gaussian, its Laplacian, and the Laplacian at three times the scale.
///   Leung and Malik, Int. J. Comput. Vis. 43, 29-44 (2001), doi:10.1023/A:1011126920638.
/// schmid: 13 responses: cos(pi tau r / sigma) exp(-r^2 / (2 sigma^2)), with (sigma, tau) = (2, 1),
///   (4, 1), (4, 2), (6, 1..3), (8, 1..3), (10, 1..4).
///   Schmid, CVPR 2001, II-39-45, doi:10.1109/CVPR.2001.990922.
/// mr8: 8 responses: edges at scales 1, 2 and 4, bars at the same scales, each the strongest of six
///   orientations (of an edge the largest magnitude, so that a half turn changes nothing); then a
///   Gaussian and its Laplacian, of scale 10.
///   Varma and Zisserman, Int. J. Comput. Vis. 62, 61-81 (2005), doi:10.1007/s11263-005-4635-4.
/// invariants: quantities that rotating the image does not change, of planes (11 responses) or of
///   volumes (14), from derivatives of Gaussians of scale s = 1, 2 and 4 voxels along x, n-th
///   derivatives times s^n: the image smoothed at s = 1 minus the image smoothed at s = 4, the
///   gradient's magnitude, and the eigenvalues of the Hessian, the largest first; the same at 2;
///   and at 4, without the first. Gaussians end at 4 s; second derivatives are made to have sum 0,
///   so that an offset of the image changes nothing.
///   Koenderink and van Doorn, Biol. Cybern. 55, 367-375 (1987), doi:10.1007/BF00318371;
///   Lindeberg, Int. J. Comput. Vis. 30, 79-116 (1998), doi:10.1023/A:1008045108935.
enum class FilterBank { leung_malik, schmid, mr8, invariants };

std::string_view name_of(FilterBank bank);
std::optional<FilterBank> filter_bank_named(std::string_view name);

struct FieldGroup;

struct FilterBankSpec {
  FilterBank bank = FilterBank::mr8;
  FilterStrategy strategy = FilterStrategy::automatic;
  double tolerance = kFactorTolerance;  ///< of factoring, as in make_filter
  /// Voxel size along z divided by that along x, if the bank reaches along z: scales along z have
  /// fewer voxels, but at least half a voxel.
  double depth_ratio = 1;
  /// Filters that with_fields has already factored; null: they are factored again.
  std::shared_ptr<const std::vector<FieldGroup>> fields = {};
};

/// Returns the spec with the filters of a bank of the literature factored. Factoring takes longer
/// than filtering a small image, and does not depend on the image.
/// @throws InvalidSpec  the tolerance is out of range.
FilterBankSpec with_fields(FilterBankSpec spec);

/// Returns the number of responses to a plane of an image of this extent.
std::int64_t response_count(FilterBank bank, const Extent3& image);

/// A filter of 49 x 49 weights: the weights of `shape` minus `mean`.
struct BankFilter {
  Stencil shape;  ///< for correlation; usually fades towards its faces
  double mean = 0;
};

/// Filters that are answered together: one, or six of kOrientations angles.
struct BankGroup {
  BankAnswer answer = BankAnswer::itself;
  std::vector<BankFilter> filters;
};

/// @param bank  of the literature
std::vector<BankGroup> groups_of(FilterBank bank);

struct ChosenBank {
  std::unique_ptr<Operation> operation;
  double host_seconds = 0;  ///< that a thread needs for a voxel of the image (ChosenFilter)
};

/// Makes the operation for one volume of responses of type `setting.type`: plane p * N + n is
/// response n of N to plane p of the image. Filters are factored as in make_filter. On a device all
/// responses are computed from one window.
/// @throws InvalidSpec  as make_filter; a depth ratio that is not positive.
ChosenBank make_filter_bank(const NeighbourhoodSetting& setting, const FilterBankSpec& spec);

}  // namespace synthoscope::kernels
