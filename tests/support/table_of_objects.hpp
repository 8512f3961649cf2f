// SPDX-License-Identifier: MIT
// tests/support/table_of_objects.hpp — objects.csv as far as it does not depend on light.
#pragma once
#include <sstream>
#include <string>

namespace synthoscope::test {

/// The table without its last column, the signal-to-noise ratio.
inline std::string without_snr(const std::string& csv) {
  std::string rest;
  std::istringstream lines{csv};
  for (std::string line; std::getline(lines, line);) rest += line.substr(0, line.rfind(',')) + '\n';
  return rest;
}

}  // namespace synthoscope::test
