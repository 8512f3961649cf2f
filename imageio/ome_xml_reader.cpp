// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <algorithm>
#include <pugixml.hpp>
#include "core/error.hpp"
#include "imageio/key_lines.hpp"
#include "imageio/length_unit.hpp"
#include "imageio/ome_xml.hpp"

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

}  // namespace

bool is_ome_xml(std::string_view text) {
  const auto head = text.substr(0, 4096);
  return head.find('<') != std::string_view::npos && text.find("<OME") != std::string_view::npos;
}

OmeImage parse_ome_xml(std::string_view text, const std::filesystem::path& path) {
  // Entities of one's own need a document type; without it there are none to expand
  if (text.find("<!DOCTYPE") != std::string_view::npos)
    refuse(path, "declares a document type, which is not accepted");
  pugi::xml_document document;
  const auto result = document.load_buffer(text.data(), text.size());
  if (!result) refuse(path, fmt::format("is not well formed ({})", result.description()));

  OmeImage image;
  const auto root = child(document, "OME");
  image.uuid = root.attribute("UUID").value();
  for (const auto& node : root.children()) image.images += local_name(node) == "Image" ? 1 : 0;
  if (image.images == 0 && child(root, "BinaryOnly")) return image;
  const auto pixels = child(child(root, "Image"), "Pixels");
  if (!pixels) refuse(path, "holds no Image with Pixels");
  image.x = size(pixels, "SizeX", path);
  image.y = size(pixels, "SizeY", path);
  image.z = size(pixels, "SizeZ", path);
  image.c = size(pixels, "SizeC", path);
  image.t = size(pixels, "SizeT", path);
  image.order = plane_order(pixels, path);
  image.z_um = physical_size(pixels, "PhysicalSizeZ");
  image.y_um = physical_size(pixels, "PhysicalSizeY");
  image.x_um = physical_size(pixels, "PhysicalSizeX");
  image.kernel_center = annotated_kernel_center(root);
  for (const auto& node : pixels.children())
    if (local_name(node) == "TiffData") image.data.push_back(tiff_data(node, path));
  return image;
}

}  // namespace synthoscope::imageio
