// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <algorithm>
#include <pugixml.hpp>
#include "core/base/error.hpp"
#include "imageio/input/key_lines.hpp"
#include "imageio/input/length_unit.hpp"
#include "imageio/tiff/planes/ome_xml.hpp"

namespace synthoscope::imageio {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& found) {
  throw InvalidInput(
      fmt::format("open {}: its OME-XML {}; write the file again or remove its "
                  "description",
                  path.string(), found));
}

/// Elements may carry a prefix ("OME:Pixels").
std::string_view local_name(const pugi::xml_node& node) {
  const std::string_view name = node.name();
  const auto colon = name.find(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

pugi::xml_node child(const pugi::xml_node& parent, std::string_view name) {
  return parent.find_child([name](const pugi::xml_node& n) { return local_name(n) == name; });
}

std::optional<std::int64_t> integer(const pugi::xml_node& node, const char* attribute,
                                    const std::filesystem::path& path) {
  const auto found = node.attribute(attribute);
  if (!found) return std::nullopt;
  const auto value = parse_integer(found.value());
  if (!value || *value < 0) refuse(path, fmt::format("says {}=\"{}\"", attribute, found.value()));
  return value;
}

std::int64_t size(const pugi::xml_node& pixels, const char* attribute,
                  const std::filesystem::path& path) {
  const auto value = integer(pixels, attribute, path);
  if (!value || *value < 1) refuse(path, fmt::format("has no positive {}", attribute));
  return *value;
}

/// Micrometres is the schema's default unit.
std::optional<double> physical_size(const pugi::xml_node& pixels, const std::string& attribute) {
  const auto value = parse_positive(pixels.attribute(attribute.c_str()).value());
  const auto unit = pixels.attribute((attribute + "Unit").c_str());
  const auto scale = unit ? micrometres_per(unit.value()) : 1.0;
  if (!value || !scale) return std::nullopt;
  return *value * *scale;
}

std::string plane_order(const pugi::xml_node& pixels, const std::filesystem::path& path) {
  const std::string order = pixels.attribute("DimensionOrder").as_string("XYZCT");
  std::string sorted = order.size() == 5 ? order.substr(2) : "";
  std::sort(sorted.begin(), sorted.end());
  if (!order.starts_with("XY") || sorted != "CTZ")
    refuse(path, fmt::format("says DimensionOrder=\"{}\"", order));
  return order;
}

OmeTiffData tiff_data(const pugi::xml_node& node, const std::filesystem::path& path) {
  OmeTiffData data;
  data.first_page = integer(node, "IFD", path);
  data.count = integer(node, "PlaneCount", path);
  data.c = integer(node, "FirstC", path).value_or(0);
  data.t = integer(node, "FirstT", path).value_or(0);
  data.z = integer(node, "FirstZ", path).value_or(0);
  const auto uuid = child(node, "UUID");
  data.file = uuid.attribute("FileName").value();
  data.uuid = uuid.text().get();
  return data;
}

std::optional<Index3> annotated_kernel_center(const pugi::xml_node& root) {
  for (const auto& annotation : child(root, "StructuredAnnotations").children())
    for (const auto& entry : child(annotation, "Value").children())
      if (std::string_view{entry.attribute("K").value()} == "kernel_center")
        return parse_index(entry.text().get());
  return std::nullopt;
}

/// Nanometres is the schema's default unit of wavelengths.
std::optional<double> wavelength(const pugi::xml_node& channel, const std::string& attribute) {
  constexpr double kNanometresPerMicrometre = 1000;
  const auto value = parse_positive(channel.attribute(attribute.c_str()).value());
  const auto unit = channel.attribute((attribute + "Unit").c_str());
  if (!value || !unit || std::string_view{unit.value()} == "nm") return value;
  const auto um = micrometres_per(unit.value());
  if (!um) return std::nullopt;
  return *value * *um * kNanometresPerMicrometre;
}

ImageChannel channel_of(const pugi::xml_node& node) {
  constexpr std::size_t kMaxName = 256;
  ImageChannel channel;
  channel.name = std::string{node.attribute("Name").value()}.substr(0, kMaxName);
  channel.emission_nm = wavelength(node, "EmissionWavelength");
  channel.excitation_nm = wavelength(node, "ExcitationWavelength");
  // Red, green, blue and opacity, eight bits each, as a signed number
  if (const auto colour = parse_integer(node.attribute("Color").value()))
    channel.rgb = static_cast<std::uint32_t>(*colour) >> 8;
  return channel;
}

/// A channel of several samples is one element.
std::vector<ImageChannel> channels_of(const pugi::xml_node& pixels, std::int64_t count,
                                      const std::filesystem::path& path) {
  std::vector<ImageChannel> channels;
  for (const auto& node : pixels.children()) {
    if (local_name(node) != "Channel") continue;
    const std::int64_t samples = integer(node, "SamplesPerPixel", path).value_or(1);
    for (std::int64_t i = 0; i < samples && std::ssize(channels) < count; ++i)
      channels.push_back(channel_of(node));
  }
  const bool is_silent =
      std::ranges::all_of(channels, [](const ImageChannel& channel) { return channel.is_empty(); });
  if (is_silent || std::ssize(channels) != count) return {};
  return channels;
}

/// "Image:0, Position 1, Z=3, C=1, T=2, Y=64, X=64".
std::string line_of(const pugi::xml_node& image) {
  const auto pixels = child(image, "Pixels");
  const std::string_view name = image.attribute("Name").value();
  const auto size = [&](const char* axis) { return pixels.attribute(axis).as_string("?"); };
  return fmt::format("{}{}{}, Z={}, C={}, T={}, Y={}, X={}", image.attribute("ID").value(),
                     name.empty() ? "" : ", ", name, size("SizeZ"), size("SizeC"), size("SizeT"),
                     size("SizeY"), size("SizeX"));
}

void read_pixels(const pugi::xml_node& pixels, const std::filesystem::path& path, OmeImage& image) {
  image.x = size(pixels, "SizeX", path);
  image.y = size(pixels, "SizeY", path);
  image.z = size(pixels, "SizeZ", path);
  image.c = size(pixels, "SizeC", path);
  image.t = size(pixels, "SizeT", path);
  image.order = plane_order(pixels, path);
  image.z_um = physical_size(pixels, "PhysicalSizeZ");
  image.y_um = physical_size(pixels, "PhysicalSizeY");
  image.x_um = physical_size(pixels, "PhysicalSizeX");
  image.channels = channels_of(pixels, image.c, path);
  for (const auto& node : pixels.children())
    if (local_name(node) == "TiffData") image.data.push_back(tiff_data(node, path));
}

}  // namespace

bool is_ome_xml(std::string_view text) {
  // Skip what may precede the root: a declaration, comments, a document type
  for (auto at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1)) {
    text.remove_prefix(at);
    at = 0;
    if (text.starts_with("<!--")) {
      const auto end = text.find("-->");
      if (end == std::string_view::npos) return false;
      text.remove_prefix(end);
      continue;
    }
    if (text.starts_with("<?") || text.starts_with("<!")) continue;
    std::string_view name = text.substr(1, text.find_first_of(" \t\r\n/>") - 1);
    if (const auto colon = name.find(':'); colon != std::string_view::npos)
      name.remove_prefix(colon + 1);
    return name == "OME";
  }
  return false;
}

OmeImage parse_ome_xml(std::string_view text, const std::filesystem::path& path,
                       std::int64_t image_number) {
  // Entities of one's own need a document type; without it there are none to expand
  if (text.find("<!DOCTYPE") != std::string_view::npos)
    refuse(path, "declares a document type, which is not accepted");
  pugi::xml_document document;
  const auto result = document.load_buffer(text.data(), text.size());
  if (!result) refuse(path, fmt::format("is not well formed ({})", result.description()));

  OmeImage image;
  const auto root = child(document, "OME");
  image.uuid = root.attribute("UUID").value();
  std::vector<pugi::xml_node> images;
  for (const auto& node : root.children())
    if (local_name(node) == "Image") images.push_back(node);
  if (const auto binary = child(root, "BinaryOnly"); images.empty() && binary) {
    image.companion = binary.attribute("MetadataFile").value();
    return image;
  }
  for (const auto& node : images) image.images.push_back(line_of(node));
  const bool is_there = image_number >= 0 && image_number < std::ssize(images);
  const auto chosen = images.empty() ? pugi::xml_node{}
                      : is_there     ? images[static_cast<std::size_t>(image_number)]
                                     : images.front();
  const auto pixels = child(chosen, "Pixels");
  if (!pixels) refuse(path, "holds no Image with Pixels");
  read_pixels(pixels, path, image);
  image.kernel_center = annotated_kernel_center(root);
  return image;
}

}  // namespace synthoscope::imageio
