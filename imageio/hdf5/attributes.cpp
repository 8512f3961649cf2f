// SPDX-License-Identifier: MIT
#include "imageio/hdf5/attributes.hpp"
#include <hdf5.h>
#include <algorithm>

namespace synthoscope::imageio {
namespace {

Hdf5Handle open_attribute(const Hdf5Handle& data_set, const char* name) {
  if (H5Aexists(data_set.get(), name) <= 0) return {};
  return {H5Aopen(data_set.get(), name, H5P_DEFAULT), H5Aclose};
}

hssize_t values_in(const Hdf5Handle& attribute) {
  const Hdf5Handle space{H5Aget_space(attribute.get()), H5Sclose};
  return H5Sget_simple_extent_npoints(space.get());
}

bool write_array(const Hdf5Handle& data_set, const char* name, hsize_t count, hid_t type,
                 const void* values) {
  const Hdf5Handle space{H5Screate_simple(1, &count, nullptr), H5Sclose};
  const Hdf5Handle attribute{
      H5Acreate2(data_set.get(), name, type, space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose};
  return attribute && H5Awrite(attribute.get(), type, values) >= 0;
}

/// UTF-8 of any length, which h5py gives as str.
Hdf5Handle text_type() {
  Hdf5Handle type{H5Tcopy(H5T_C_S1), H5Tclose};
  H5Tset_size(type.get(), H5T_VARIABLE);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  return type;
}

}  // namespace

std::optional<std::vector<double>> read_numbers_attribute(const Hdf5Handle& data_set,
                                                          const char* name) {
  constexpr hssize_t kMax = 16;
  const Hdf5Handle attribute = open_attribute(data_set, name);
  if (!attribute) return std::nullopt;
  const Hdf5Handle type{H5Aget_type(attribute.get()), H5Tclose};
  const H5T_class_t kind = H5Tget_class(type.get());
  const hssize_t count = values_in(attribute);
  if ((kind != H5T_INTEGER && kind != H5T_FLOAT) || count < 1 || count > kMax) return std::nullopt;
  std::vector<double> values(static_cast<std::size_t>(count));
  if (H5Aread(attribute.get(), H5T_NATIVE_DOUBLE, values.data()) < 0) return std::nullopt;
  return values;
}

std::optional<std::string> read_text_attribute(const Hdf5Handle& data_set, const char* name,
                                               std::int64_t limit) {
  const Hdf5Handle attribute = open_attribute(data_set, name);
  if (!attribute || values_in(attribute) != 1) return std::nullopt;
  const Hdf5Handle type{H5Aget_type(attribute.get()), H5Tclose};
  if (H5Tget_class(type.get()) != H5T_STRING) return std::nullopt;
  if (H5Tis_variable_str(type.get()) > 0) {
    char* text = nullptr;
    if (H5Aread(attribute.get(), type.get(), &text) < 0 || !text) return std::nullopt;
    std::string kept{text};
    H5free_memory(text);
    if (static_cast<std::int64_t>(kept.size()) > limit) return std::nullopt;
    return kept;
  }
  const std::size_t bytes = H5Tget_size(type.get());
  if (static_cast<std::int64_t>(bytes) > limit) return std::nullopt;
  std::string text(bytes, '\0');
  if (H5Aread(attribute.get(), type.get(), text.data()) < 0) return std::nullopt;
  return text.substr(0, text.find('\0'));
}

std::optional<std::vector<std::string>> read_texts_attribute(const Hdf5Handle& data_set,
                                                             const char* name) {
  constexpr hssize_t kMax = 16;
  const Hdf5Handle attribute = open_attribute(data_set, name);
  if (!attribute) return std::nullopt;
  const Hdf5Handle type{H5Aget_type(attribute.get()), H5Tclose};
  const hssize_t count = values_in(attribute);
  if (H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) <= 0 || count < 1 ||
      count > kMax)
    return std::nullopt;
  std::vector<char*> read(static_cast<std::size_t>(count), nullptr);
  if (H5Aread(attribute.get(), type.get(), read.data()) < 0) return std::nullopt;
  std::vector<std::string> texts;
  for (char* text : read) {
    texts.emplace_back(text ? text : "");
    H5free_memory(text);
  }
  return texts;
}

bool write_numbers_attribute(const Hdf5Handle& data_set, const char* name,
                             std::span<const double> values) {
  return write_array(data_set, name, values.size(), H5T_NATIVE_DOUBLE, values.data());
}

bool write_numbers_attribute(const Hdf5Handle& data_set, const char* name,
                             std::span<const std::int64_t> values) {
  return write_array(data_set, name, values.size(), H5T_NATIVE_INT64, values.data());
}

bool write_text_attribute(const Hdf5Handle& data_set, const char* name, const std::string& text) {
  const Hdf5Handle type = text_type(), space{H5Screate(H5S_SCALAR), H5Sclose};
  const Hdf5Handle attribute{
      H5Acreate2(data_set.get(), name, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT),
      H5Aclose};
  const char* bytes = text.c_str();
  return attribute && H5Awrite(attribute.get(), type.get(), &bytes) >= 0;
}

}  // namespace synthoscope::imageio
