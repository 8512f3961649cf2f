// SPDX-License-Identifier: MIT
// tests/support/table_of_objects.hpp — objects.csv and other tables of a data set.
#pragma once
#include <cstdlib>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace synthoscope::test {

/// The rows of a table, each by the names of its columns; what is no number is 0.
inline std::vector<std::map<std::string, double>> table_of(const std::string& csv) {
  std::istringstream lines{csv};
  std::string line, cell;
  std::vector<std::string> names;
  std::getline(lines, line);
  for (std::istringstream head{line}; std::getline(head, cell, ',');) names.push_back(cell);
  std::vector<std::map<std::string, double>> rows;
  while (std::getline(lines, line)) {
    std::istringstream cells{line};
    auto& row = rows.emplace_back();
    for (const std::string& name : names) {
      cell.clear();
      std::getline(cells, cell, ',');
      row[name] = std::strtod(cell.c_str(), nullptr);
    }
  }
  return rows;
}

/// The table of objects without its last column, the signal-to-noise ratio.
inline std::string without_snr(const std::string& csv) {
  std::string rest;
  std::istringstream lines{csv};
  for (std::string line; std::getline(lines, line);) rest += line.substr(0, line.rfind(',')) + '\n';
  return rest;
}

}  // namespace synthoscope::test
