// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <pugixml.hpp>
#include <sstream>
#include "imageio/bdv/xml.hpp"

namespace synthoscope::imageio {
namespace {

pugi::xml_node add_text(pugi::xml_node parent, const char* name, const std::string& text) {
  auto node = parent.append_child(name);
  node.text().set(text.c_str());
  return node;
}

/// Micrometres where all axes are known, else voxels.
void add_setup(pugi::xml_node setups, const ImageSpec& spec) {
  const Extent3& e = spec.extent;
  const bool is_known = spec.x_um && spec.y_um && spec.z_um;
  const std::string channel =
      spec.channel && !spec.channel->name.empty() ? spec.channel->name : "0";
  auto setup = setups.append_child("ViewSetup");
  add_text(setup, "id", "0");
  add_text(setup, "name", channel);
  add_text(setup, "size", fmt::format("{} {} {}", e.x, e.y, e.z));
  auto voxel = setup.append_child("voxelSize");
  add_text(voxel, "unit", is_known ? "um" : "pixel");
  add_text(voxel, "size",
           is_known ? fmt::format("{} {} {}", *spec.x_um, *spec.y_um, *spec.z_um) : "1 1 1");
  auto attributes = setup.append_child("attributes");
  for (const char* name : {"illumination", "channel", "tile", "angle"})
    add_text(attributes, name, "0");
  const std::pair<const char*, const char*> kinds[] = {{"illumination", "Illumination"},
                                                       {"channel", "Channel"},
                                                       {"tile", "Tile"},
                                                       {"angle", "Angle"}};
  for (const auto& [name, element] : kinds) {
    auto listed = setups.append_child("Attributes");
    listed.append_attribute("name").set_value(name);
    auto one = listed.append_child(element);
    add_text(one, "id", "0");
    add_text(one, "name", std::string_view{name} == "channel" ? channel : "0");
  }
}

/// From voxels to what the viewer shows, x first.
void add_registration(pugi::xml_node root, const ImageSpec& spec) {
  const bool is_known = spec.x_um && spec.y_um && spec.z_um;
  auto view = root.append_child("ViewRegistrations").append_child("ViewRegistration");
  view.append_attribute("timepoint").set_value("0");
  view.append_attribute("setup").set_value("0");
  auto transform = view.append_child("ViewTransform");
  transform.append_attribute("type").set_value("affine");
  add_text(transform, "Name", "calibration");
  add_text(transform, "affine",
           fmt::format("{} 0 0 0 0 {} 0 0 0 0 {} 0", is_known ? *spec.x_um : 1.0,
                       is_known ? *spec.y_um : 1.0, is_known ? *spec.z_um : 1.0));
}

}  // namespace

std::string print_bdv_xml(const ImageSpec& spec, const std::filesystem::path& images) {
  pugi::xml_document document;
  auto root = document.append_child("SpimData");
  root.append_attribute("version").set_value("0.2");
  add_text(root, "BasePath", ".").append_attribute("type").set_value("relative");
  auto sequence = root.append_child("SequenceDescription");
  auto loader = sequence.append_child("ImageLoader");
  loader.append_attribute("format").set_value("bdv.hdf5");
  add_text(loader, "hdf5", images.string()).append_attribute("type").set_value("relative");
  add_setup(sequence.append_child("ViewSetups"), spec);
  auto times = sequence.append_child("Timepoints");
  times.append_attribute("type").set_value("range");
  add_text(times, "first", "0");
  add_text(times, "last", "0");
  add_registration(root, spec);
  std::ostringstream text;
  document.save(text, "  ", pugi::format_indent, pugi::encoding_utf8);
  return text.str();
}

}  // namespace synthoscope::imageio
