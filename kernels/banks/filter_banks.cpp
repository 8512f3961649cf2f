// SPDX-License-Identifier: MIT
#include "kernels/banks/filter_banks.hpp"
#include <cmath>
#include <numbers>
#include <numeric>
#include "core/base/names.hpp"

namespace synthoscope::kernels {
namespace {

constexpr NameTable<FilterBank, 4> kFilterBankNames{{{FilterBank::leung_malik, "lm"},
                                                     {FilterBank::schmid, "schmid"},
                                                     {FilterBank::mr8, "mr8"},
                                                     {FilterBank::invariants, "invariants"}}};

constexpr int kBankRadius = 24;
constexpr int kOrientations = 6;
constexpr double kElongation = 3;

/// Makes a filter of values at (y, x), y upwards, with sum 0 and sum of magnitudes 1.
template <class Value>
BankFilter bank_filter(Value&& value) {
  std::vector<double> weights;
  for (int y = kBankRadius; y >= -kBankRadius; --y)
    for (int x = -kBankRadius; x <= kBankRadius; ++x) weights.push_back(value(y, x));
  const double mean =
      std::accumulate(weights.begin(), weights.end(), 0.0) / static_cast<double>(weights.size());
  double magnitudes = 0;
  for (const double weight : weights) magnitudes += std::abs(weight - mean);
  for (double& weight : weights) weight /= magnitudes;
  constexpr int kSize = 2 * kBankRadius + 1;
  return {convolution_stencil({1, kSize, kSize}, std::move(weights)), mean / magnitudes};
}

/// Makes a derivative of a Gaussian across a line at an angle, 1 for an edge and 2 for a bar;
/// bank_filter normalizes it.
BankFilter oriented(double sigma, int derivative, int orientation) {
  const double angle = std::numbers::pi * orientation / kOrientations;
  const double cosine = std::cos(angle), sine = std::sin(angle);
  return bank_filter([&](int y, int x) {
    const double along = (cosine * x - sine * y) / (kElongation * sigma);
    const double across = (sine * x + cosine * y) / sigma;
    const double factor = derivative == 1 ? -across : across * across - 1;
    return factor * std::exp(-(along * along + across * across) / 2);
  });
}

BankGroup all_orientations(BankAnswer answer, double sigma, int derivative) {
  BankGroup group{answer, {}};
  for (int i = 0; i < kOrientations; ++i) group.filters.push_back(oriented(sigma, derivative, i));
  return group;
}

BankGroup round_gaussian(double sigma) {
  return {BankAnswer::itself, {bank_filter([&](int y, int x) {
            return std::exp(-(x * x + y * y) / (2 * sigma * sigma));
          })}};
}

BankGroup round_laplacian(double sigma) {
  return {BankAnswer::itself, {bank_filter([&](int y, int x) {
            const double square = (x * x + y * y) / (sigma * sigma);
            return (square - 2) * std::exp(-square / 2);
          })}};
}

std::vector<BankGroup> leung_malik() {
  std::vector<BankGroup> groups;
  for (const int derivative : {1, 2})
    for (const int octave_halves : {1, 2, 3})
      groups.push_back(
          all_orientations(BankAnswer::orientations, std::pow(2, 0.5 * octave_halves), derivative));
  for (const int octave_halves : {1, 2, 3, 4}) {
    const double sigma = std::pow(2, 0.5 * octave_halves);
    groups.push_back(round_gaussian(sigma));
    groups.push_back(round_laplacian(sigma));
    groups.push_back(round_laplacian(3 * sigma));
  }
  return groups;
}

std::vector<BankGroup> schmid() {
  std::vector<BankGroup> groups;
  const auto add = [&](double sigma, int most_waves) {
    for (int tau = 1; tau <= most_waves; ++tau)
      groups.push_back({BankAnswer::itself, {bank_filter([&](int y, int x) {
                          const double r = std::hypot(x, y);
                          return std::cos(std::numbers::pi * tau * r / sigma) *
                                 std::exp(-r * r / (2 * sigma * sigma));
                        })}});
  };
  add(2, 1);
  add(4, 2);
  add(6, 3);
  add(8, 3);
  add(10, 4);
  return groups;
}

std::vector<BankGroup> mr8() {
  std::vector<BankGroup> groups;
  for (const int derivative : {1, 2})
    for (const double sigma : {1.0, 2.0, 4.0})
      groups.push_back(all_orientations(
          derivative == 1 ? BankAnswer::strongest_magnitude : BankAnswer::strongest, sigma,
          derivative));
  groups.push_back(round_gaussian(10));
  groups.push_back(round_laplacian(10));
  return groups;
}

}  // namespace

std::string_view name_of(FilterBank bank) {
  return name_in(kFilterBankNames, bank);
}

std::optional<FilterBank> filter_bank_named(std::string_view name) {
  return named_in(kFilterBankNames, name);
}

std::int64_t response_count(FilterBank bank, const Extent3& image) {
  switch (bank) {
    case FilterBank::leung_malik:
      return 48;
    case FilterBank::schmid:
      return 13;
    case FilterBank::mr8:
      return 8;
    case FilterBank::invariants:
      break;
  }
  return image.z > 1 ? 14 : 11;
}

std::vector<BankGroup> groups_of(FilterBank bank) {
  SYNTHOSCOPE_ASSERT(bank != FilterBank::invariants, ==, true);
  if (bank == FilterBank::leung_malik) return leung_malik();
  return bank == FilterBank::schmid ? schmid() : mr8();
}

}  // namespace synthoscope::kernels
