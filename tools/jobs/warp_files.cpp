// SPDX-License-Identifier: MIT
#include "tools/jobs/warp_files.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cctype>
#include "imageio/input/text_file.hpp"
#include "tools/options/image.hpp"
#include "tools/options/rows.hpp"
#include "tools/terminal/result.hpp"

namespace synthoscope::tools {
namespace {

/// A volume of one channel as float32, counted.
HostBuffer<float> read_channel(const std::filesystem::path& path, imageio::OpenOptions options,
                               std::int64_t channel, const Extent3& extent,
                               const RunContext& context) {
  options.channel = channel;
  options.frame = std::nullopt;
  const CountedImage image = open_counted(path, options, context);
  if (image.info.extent != extent)
    throw InvalidInput(fmt::format(
        "read displacements {}: the field has {} voxels, the result {}; use one of its size, or "
        "--output-size",
        path.string(), image.info.extent, extent));
  HostBuffer<float> field{context.memory, volume(extent), "the displacements"};
  const HostBuffer<std::byte> plane{context.memory, extent.y * extent.x * size_of(image.info.type),
                                    "a plane of displacements"};
  for (std::int64_t z = 0; z < extent.z; ++z) {
    const VoxelView read{plane.data(), image.info.type, {1, extent.y, extent.x}};
    image.source->read({{z, 0, 0}, read.extent()}, read);
    visit_pixel_type(image.info.type, [&](auto zero) {
      using T = decltype(zero);
      const T* const from = read.as<T>().data();
      std::transform(from, from + extent.y * extent.x, field.data() + z * extent.y * extent.x,
                     [](T value) { return static_cast<float>(value); });
    });
  }
  return field;
}

/// Returns whether a line names columns: it begins with a letter, but not with "nan" or "inf",
/// which mean that a point was not found.
bool is_head(std::string_view line) {
  std::string word;
  for (const char c : line.substr(0, line.find(',')))
    word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const bool is_number = word == "nan" || word == "inf" || word == "infinity";
  return !is_number && std::isalpha(static_cast<unsigned char>(line[0])) != 0;
}

/// What spreadsheets put before a text of UTF-8.
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// Numbers between commas, around which there may be blanks.
std::vector<double> numbers_of(std::string_view line) {
  if (line.find(';') != std::string_view::npos)
    throw InvalidSpec("numbers are separated by ';'; separate them by ',' and write 1.5, not 1,5");
  std::vector<double> numbers;
  for (std::string_view part : split_at_commas(line)) {
    constexpr std::string_view kBlanks = " \t";
    part.remove_prefix(std::min(part.find_first_not_of(kBlanks), part.size()));
    part = part.substr(0, part.find_last_not_of(kBlanks) + 1);
    numbers.push_back(parse_real(part));
  }
  return numbers;
}

}  // namespace

std::vector<kernels::Landmark> read_landmarks(const std::filesystem::path& path) {
  std::string text = imageio::read_text(path);
  if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
  std::vector<kernels::Landmark> landmarks;
  std::size_t line_number = 0, columns = 0;
  bool has_head = false;
  for (std::size_t from = 0; from < text.size();) {
    const auto end = std::min(text.find('\n', from), text.size());
    std::string_view line{text.data() + from, end - from};
    from = end + 1;
    ++line_number;
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.empty() || line[0] == '#') continue;
    if (landmarks.empty() && !has_head && is_head(line)) {
      has_head = true;
      continue;
    }
    std::vector<double> v;
    try {
      v = numbers_of(line);
    } catch (const InvalidSpec& wrong) {
      throw InvalidInput(
          fmt::format("read landmarks {}, line {}: {}", path.string(), line_number, wrong.what()));
    }
    if ((v.size() != 4 && v.size() != 6) || (columns != 0 && v.size() != columns))
      throw InvalidInput(fmt::format(
          "read landmarks {}, line {}: it has {} numbers; write y,x in the result and in the "
          "image, or z,y,x in each, the same on all lines",
          path.string(), line_number, v.size()));
    columns = v.size();
    if (columns == 4)
      landmarks.push_back({{0, v[0], v[1]}, {0, v[2], v[3]}});
    else
      landmarks.push_back({{v[0], v[1], v[2]}, {v[3], v[4], v[5]}});
  }
  return landmarks;
}

std::array<HostBuffer<float>, 3> read_displacements(const std::filesystem::path& path,
                                                    const imageio::OpenOptions& options,
                                                    const Extent3& extent,
                                                    const RunContext& context) {
  imageio::OpenOptions any = options;
  any.channel = 0;
  const std::int64_t channels = open_counted(path, any, context).info.channels;
  if (channels != 2 && channels != 3)
    throw InvalidInput(fmt::format(
        "read displacements {}: the file has {} channels; use one with a channel each for y and "
        "x, or z, y and x",
        path.string(), channels));
  std::array<HostBuffer<float>, 3> axes;
  for (std::int64_t channel = 0; channel < channels; ++channel)
    axes[static_cast<std::size_t>(channel + 3 - channels)] =
        read_channel(path, options, channel, extent, context);
  return axes;
}

}  // namespace synthoscope::tools
