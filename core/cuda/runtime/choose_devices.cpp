// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <algorithm>
#include <charconv>
#include "core/base/error.hpp"
#include "core/cuda/runtime/device.hpp"

namespace synthoscope::cuda {
namespace {

std::string offer_of(const DeviceList& list) {
  if (list.devices.empty()) return "there is none here: " + list.why_none;
  std::string offer = "there are";
  for (const DeviceInfo& device : list.devices)
    offer += fmt::format("{} {} ({}, {})", device.id.index == 0 ? "" : ",", device.id.index,
                         device.name, device.uuid);
  return offer;
}

/// Whether `name` is the device's position, or how its uuid begins.
bool names(std::string_view name, const DeviceInfo& device) {
  int index = -1;
  const auto [rest, failure] = std::from_chars(name.data(), name.data() + name.size(), index);
  const bool number = failure == std::errc{} && rest == name.data() + name.size();
  return number ? device.id.index == index
                : name.starts_with("GPU-") && device.uuid.starts_with(name);
}

}  // namespace

std::vector<DeviceInfo> choose_devices(const DeviceList& list, std::string_view choice) {
  if (choice == "all") return list.devices;
  if (choice == "none") return {};
  const auto refuse = [&](std::string_view name, std::string_view found) {
    throw InvalidSpec(fmt::format(
        "choose GPUs: '{}' {}; give all, none, or numbers or uuids with commas between them; {}",
        name, found, offer_of(list)));
  };
  std::vector<DeviceInfo> chosen;
  for (std::string_view rest = choice;;) {
    const auto comma = rest.find(',');
    const std::string_view name = rest.substr(0, comma);
    const auto fits = [&](const DeviceInfo& device) { return names(name, device); };
    const auto found = std::count_if(list.devices.begin(), list.devices.end(), fits);
    if (found == 0) refuse(name, "matches none of them");
    if (found > 1) refuse(name, "matches several of them");
    const auto& device = *std::find_if(list.devices.begin(), list.devices.end(), fits);
    if (std::find(chosen.begin(), chosen.end(), device) != chosen.end())
      refuse(name, "is named twice");
    chosen.push_back(device);
    if (comma == std::string_view::npos) return chosen;
    rest.remove_prefix(comma + 1);
  }
}

}  // namespace synthoscope::cuda
