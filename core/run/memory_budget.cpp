// SPDX-License-Identifier: MIT
#include "core/run/memory_budget.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <optional>
#include "core/base/error.hpp"
#include "core/system/control_groups.hpp"

namespace synthoscope {
namespace {

constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();

/// A line "VmHWM:   123 kB" of a proc file, in bytes; `missing` where there is none.
std::int64_t proc_kilobytes(const char* path, std::string_view key, std::int64_t missing) {
  std::ifstream file{path};
  for (std::string name; file >> name;) {
    std::int64_t kilobytes = 0;
    if (name == key && file >> kilobytes) return kilobytes * 1024;
    file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return missing;
}

[[noreturn]] void refuse(std::string_view text) {
  throw InvalidSpec(
      fmt::format("read a size: '{}' is not one; write a positive number with K, M, G or T, such "
                  "as 8G or 8GiB (8 x 2^30 bytes) or 8GB (8 x 10^9 bytes)",
                  text));
}

constexpr std::string_view kPrefixes = "KMGT";

/// Returns the bytes of a unit: "M" and "MiB" are 2^20, "MB" is 10^6, in any case. Nothing if there
/// is no such unit.
std::optional<double> factor_of(std::string_view unit) {
  const auto upper = [](char c) {
    return static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  };
  if (unit.empty() || (unit.size() == 1 && upper(unit[0]) == 'B')) return 1;
  const auto at = kPrefixes.find(upper(unit.front()));
  if (at == std::string_view::npos) return std::nullopt;
  const auto power = static_cast<int>(at) + 1;
  std::string rest;
  for (const char c : unit.substr(1)) rest += upper(c);
  if (rest.empty() || rest == "IB") return std::ldexp(1, 10 * power);
  if (rest == "B") return std::pow(1000, power);
  return std::nullopt;
}

}  // namespace

Reservation::~Reservation() {
  if (budget_) budget_->give_back(bytes_);
}

Reservation MemoryBudget::reserve(std::int64_t bytes, std::string_view what) {
  count(bytes, what);
  return {this, bytes};
}

void MemoryBudget::count(std::int64_t bytes, std::string_view what) {
  // Refused bytes are never counted, so that they cannot make another reservation fail
  std::int64_t before = used_.load();
  do {
    if (bytes > 0 && bytes > limit_ - before)
      throw PlanError(
          fmt::format("allocate memory for {}: {} more are needed, {} of {} are in use; raise {} "
                      "or use a smaller request",
                      what, print_bytes(bytes), print_bytes(before), print_bytes(limit_), option_));
  } while (!used_.compare_exchange_weak(before, before + bytes));
  if (whole_) try {
      whole_->count(bytes, what);
    } catch (...) {
      used_ -= bytes;
      throw;
    }
  const std::int64_t now = before + bytes;
  std::int64_t seen = peak_.load();
  while (now > seen && !peak_.compare_exchange_weak(seen, now)) {
  }
}

void MemoryBudget::give_back(std::int64_t bytes) {
  used_ -= bytes;
  if (whole_) whole_->give_back(bytes);
}

std::int64_t available_memory_bytes() {
  return std::min(proc_kilobytes("/proc/meminfo", "MemAvailable:", kUnlimited),
                  group_limits().memory_bytes);
}

std::int64_t peak_resident_bytes() {
  return proc_kilobytes("/proc/self/status", "VmHWM:", 0);
}

std::int64_t anonymous_bytes() {
  return proc_kilobytes("/proc/self/status", "RssAnon:", 0);
}

std::int64_t parse_bytes(std::string_view text) {
  double value = 0;
  const auto [rest, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit{rest, static_cast<std::size_t>(text.data() + text.size() - rest)};
  const auto factor = factor_of(unit);
  if (failure != std::errc{} || !factor || !(value > 0) || value > 0x1p60) refuse(text);
  const double bytes = value * *factor;
  if (bytes >= 0x1p62)
    throw InvalidSpec(fmt::format("read a size: '{}' is more than any machine has", text));
  if (bytes < 1) refuse(text);
  return static_cast<std::int64_t>(bytes);
}

std::string size_of_at_least(std::int64_t bytes) {
  if (bytes < 1024) return std::to_string(bytes);
  auto value = static_cast<double>(bytes);
  std::size_t prefix = 0;
  for (value /= 1024; value >= 1000 && prefix + 1 < kPrefixes.size(); value /= 1024) ++prefix;
  const int decimals = value < 10 ? 2 : value < 100 ? 1 : 0;
  const double scale = std::pow(10, decimals);
  return fmt::format("{:.{}f}{}", std::ceil(value * scale) / scale, decimals, kPrefixes[prefix]);
}

std::string print_bytes(std::int64_t bytes) {
  constexpr std::array kUnits{"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  if (bytes < 1024) return fmt::format("{} bytes", bytes);
  // What would round to 1024 of a unit is one of the next
  while (value >= (unit == 0 ? 1024 : 1023.5) && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f} {}", value, decimals, kUnits[unit]);
}

}  // namespace synthoscope
