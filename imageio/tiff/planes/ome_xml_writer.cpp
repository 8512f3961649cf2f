// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <pugixml.hpp>
#include <sstream>
#include "core/base/json.hpp"
#include "core/base/names.hpp"
#include "core/base/version.hpp"
#include "imageio/input/key_lines.hpp"
#include "imageio/tiff/planes/ome_xml.hpp"

namespace synthoscope::imageio {
namespace {

constexpr const char* kSchema = "http://www.openmicroscopy.org/Schemas/OME/2016-06";
constexpr const char* kMicrometres = "\xC2\xB5m";

/// OME's names of pixel types, where they are not numpy's.
std::string ome_type(PixelType type) {
  if (type == PixelType::float32) return "float";
  if (type == PixelType::float64) return "double";
  return std::string{name_of(type)};
}

void set(pugi::xml_node node, const char* attribute, const std::string& value) {
  node.append_attribute(attribute).set_value(value.c_str());
}

void set_physical_size(pugi::xml_node pixels, const std::string& axis, std::optional<double> um) {
  if (!um) return;
  set(pixels, ("PhysicalSize" + axis).c_str(), fmt::format("{}", *um));
  set(pixels, ("PhysicalSize" + axis + "Unit").c_str(), kMicrometres);
}

void set_wavelength(pugi::xml_node channel, const std::string& name, std::optional<double> nm) {
  if (!nm) return;
  set(channel, name.c_str(), fmt::format("{}", *nm));
  set(channel, (name + "Unit").c_str(), "nm");
}

void describe_channel(pugi::xml_node channel, const ImageChannel& shown) {
  if (!shown.name.empty()) set(channel, "Name", shown.name);
  set_wavelength(channel, "ExcitationWavelength", shown.excitation_nm);
  set_wavelength(channel, "EmissionWavelength", shown.emission_nm);
  // Red, green, blue and opacity, eight bits each, read as a signed number
  if (shown.rgb)
    set(channel, "Color", fmt::format("{}", static_cast<std::int32_t>(*shown.rgb << 8 | 0xFFu)));
}

/// What channel `i` shows; an empty one if that is not known.
ImageChannel channel_of(const ImageSpec& spec, std::int64_t i) {
  if (spec.channels == 1) return spec.channel.value_or(ImageChannel{});
  return spec.channel_names.empty() ? ImageChannel{}
                                    : spec.channel_names.at(static_cast<std::size_t>(i));
}

void add_channel(pugi::xml_node pixels, const ImageSpec& spec, std::int64_t i) {
  auto channel = pixels.append_child("Channel");
  set(channel, "ID", fmt::format("Channel:0:{}", i));
  describe_channel(channel, channel_of(spec, i));
  set(channel, "SamplesPerPixel", "1");
}

void add_pixels(pugi::xml_node image, const ImageSpec& spec) {
  auto pixels = image.append_child("Pixels");
  set(pixels, "ID", "Pixels:0");
  set(pixels, "DimensionOrder", "XYZCT");
  set(pixels, "Type", ome_type(spec.type));
  set(pixels, "SignificantBits", fmt::format("{}", 8 * size_of(spec.type)));
  set(pixels, "SizeX", fmt::format("{}", spec.extent.x));
  set(pixels, "SizeY", fmt::format("{}", spec.extent.y));
  set(pixels, "SizeZ", fmt::format("{}", spec.planes_of_stack()));
  set(pixels, "SizeC", fmt::format("{}", spec.channels));
  set(pixels, "SizeT", fmt::format("{}", spec.frames));
  set_physical_size(pixels, "X", spec.x_um);
  set_physical_size(pixels, "Y", spec.y_um);
  set_physical_size(pixels, "Z", spec.z_um);

  for (std::int64_t i = 0; i < spec.channels; ++i) add_channel(pixels, spec, i);
  auto data = pixels.append_child("TiffData");
  set(data, "IFD", "0");
  set(data, "PlaneCount", fmt::format("{}", spec.extent.z));
}

/// Top-level keys of a JSON object: strings unquoted, all other values as JSON. A text that is no
/// JSON object is one value.
std::vector<std::pair<std::string, std::string>> map_entries(const ImageSpec& spec) {
  std::vector<std::pair<std::string, std::string>> entries;
  if (spec.kernel_center) entries.emplace_back("kernel_center", print_index(*spec.kernel_center));
  const auto json = try_parse_json(spec.provenance);
  if (json && json->is_object())
    for (const auto& [key, value] : json->items())
      entries.emplace_back(key, value.is_string() ? value.get<std::string>() : text_of(value));
  else if (!spec.provenance.empty())
    entries.emplace_back("provenance", spec.provenance);
  return entries;
}

void add_annotation(pugi::xml_node root, pugi::xml_node image, const ImageSpec& spec) {
  const auto entries = map_entries(spec);
  if (entries.empty()) return;
  set(image.append_child("AnnotationRef"), "ID", "Annotation:0");
  auto annotation = root.append_child("StructuredAnnotations").append_child("MapAnnotation");
  set(annotation, "ID", "Annotation:0");
  set(annotation, "Namespace", "synthoscope/provenance");
  auto map = annotation.append_child("Value");
  for (const auto& [key, value] : entries) {
    auto entry = map.append_child("M");
    set(entry, "K", key);
    entry.text().set(value.c_str());
  }
}

std::string printed(const pugi::xml_document& document) {
  std::ostringstream text;
  document.save(text, "", pugi::format_raw, pugi::encoding_utf8);
  return text.str();
}

}  // namespace

std::string print_ome_xml(const ImageSpec& spec, std::string_view name) {
  pugi::xml_document document;
  auto declaration = document.append_child(pugi::node_declaration);
  set(declaration, "version", "1.0");
  set(declaration, "encoding", "UTF-8");
  auto root = document.append_child("OME");
  set(root, "xmlns", kSchema);
  set(root, "xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance");
  set(root, "xsi:schemaLocation", fmt::format("{0} {0}/ome.xsd", kSchema));
  set(root, "Creator", fmt::format("synthoscope {}", kVersion));
  auto image = root.append_child("Image");
  set(image, "ID", "Image:0");
  add_pixels(image, spec);
  add_annotation(root, image, spec);

  // The identity follows from all of the above, and from the name where nothing says what made it
  std::string identity = printed(document) + fmt::format("|{}", static_cast<int>(spec.compression));
  if (spec.provenance.empty()) identity += fmt::format("|{}", name);
  const auto uuid = boost::uuids::name_generator_sha1{boost::uuids::ns::url()}(identity);
  set(root, "UUID", "urn:uuid:" + boost::uuids::to_string(uuid));
  return printed(document);
}

}  // namespace synthoscope::imageio
