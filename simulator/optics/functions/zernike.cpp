// SPDX-License-Identifier: MIT
#include "simulator/optics/functions/zernike.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <charconv>
#include <cmath>
#include "core/base/error.hpp"

namespace synthoscope::simulator {
namespace {

double factorial(int n) {
  double product = 1;
  for (int i = 2; i <= n; ++i) product *= i;
  return product;
}

/// Returns R_n^m, a sum of falling powers of rho.
double radial(int n, int m, double rho) {
  double value = 0;
  for (int k = 0; 2 * k <= n - m; ++k) {
    const double coefficient =
        factorial(n - k) / (factorial(k) * factorial((n + m) / 2 - k) * factorial((n - m) / 2 - k));
    value += (k % 2 == 0 ? 1 : -1) * coefficient * std::pow(rho, n - 2 * k);
  }
  return value;
}

[[noreturn]] void refuse(std::string_view text) {
  throw InvalidSpec(fmt::format(
      "is \"{}\"; give Noll's index and waves rms of each term, such as \"5: 0.1, 11: -0.05\"",
      text));
}

template <class T>
T number_at(const char*& at, const char* end, std::string_view text) {
  T value{};
  const auto [next, error] = std::from_chars(at, end, value);
  if (error != std::errc{}) refuse(text);
  at = next;
  return value;
}

}  // namespace

ZernikeTerms parse_zernike(std::string_view text) {
  ZernikeTerms terms;
  const char* at = text.data();
  const char* const end = at + text.size();
  const auto skip = [&](std::string_view characters) {
    while (at != end && characters.find(*at) != std::string_view::npos) ++at;
  };
  for (skip(" "); at != end; skip(" ,")) {
    ZernikeTerm term;
    term.noll = number_at<int>(at, end, text);
    skip(" ");
    if (at == end || *at != ':') refuse(text);
    ++at;
    skip(" ");
    term.waves = number_at<double>(at, end, text);
    if (at != end && *at != ' ' && *at != ',') refuse(text);
    if (term.noll < 1 || term.noll > kMaxNoll)
      throw InvalidSpec(fmt::format("has index {}; give 1 to {}", term.noll, kMaxNoll));
    if (!(std::abs(term.waves) <= kMaxWaves))
      throw InvalidSpec(
          fmt::format("has {} waves; give {} to {}", term.waves, -kMaxWaves, kMaxWaves));
    if (std::any_of(terms.begin(), terms.end(),
                    [&](const ZernikeTerm& other) { return other.noll == term.noll; }))
      throw InvalidSpec(fmt::format("has index {} twice; give each once", term.noll));
    terms.push_back(term);
  }
  return terms;
}

std::string print(const ZernikeTerms& terms) {
  std::string text;
  for (const ZernikeTerm& term : terms)
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", term.noll, term.waves);
  return text;
}

ZernikeOrder order_of(int noll) {
  int degree = 0, first = 1;  // index of the first polynomial of the degree
  while (first + degree < noll) first += ++degree;
  // Numbers of turns grow by two; all but zero occur twice
  const int place = noll - first, odd = degree % 2;
  const int turns = 2 * ((place + 1 - odd) / 2) + odd;
  return {degree, noll % 2 == 0 ? turns : -turns};
}

double zernike_along(int noll, double rho) {
  const auto [n, turns] = order_of(noll);
  const int m = std::abs(turns);
  return std::sqrt((m == 0 ? 1.0 : 2.0) * (n + 1)) * radial(n, m, rho);
}

double zernike(int noll, double rho, double theta) {
  const int turns = order_of(noll).turns;
  return zernike_along(noll, rho) *
         (turns >= 0 ? std::cos(turns * theta) : std::sin(-turns * theta));
}

double wavefront(const ZernikeTerms& terms, double rho, double theta) {
  double sum = 0;
  for (const ZernikeTerm& term : terms) sum += term.waves * zernike(term.noll, rho, theta);
  return sum;
}

}  // namespace synthoscope::simulator
