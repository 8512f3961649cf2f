// SPDX-License-Identifier: MIT
#include "studio/form/set_key.hpp"
#include <fmt/format.h>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "simulator/scene/keys.hpp"
#include "simulator/scene/unknown_key.hpp"
#include "studio/form/table_text.hpp"
#include "studio/form/toml_value.hpp"

namespace synthoscope::studio {
namespace {

FormKey form_key_of(std::string_view full_name, std::optional<std::size_t> channel) {
  if (channel && full_name == "name") return {"", "name", channel};
  const simulator::SceneKey* const key = simulator::find_key(full_name);
  if (!key) simulator::refuse_unknown_name(std::string{full_name}, "the form");
  return {key->table, key->name, channel};
}

std::string edited_text(const TomlText& text, const toml::table& root, const FormKey& key,
                        const Json& value) {
  const TableText table{text, root, key};
  const auto entry = table.entry();
  if (value.is_null()) return entry ? table.without(*entry) : text.text();
  const std::string written = toml_value(value, key.full_name());
  if (entry) return table.with_value(*entry, written);
  return table.is_there() ? table.with_entry(written) : table.with_table(written);
}

void erase_key(toml::table& root, const FormKey& key) {
  toml::table& home = key.channel ? *root["channel"][*key.channel].as_table() : root;
  if (key.table.empty()) {
    home.erase(key.name);
    return;
  }
  toml::table* const table = home[key.table].as_table();
  if (!table) return;
  table->erase(key.name);
  if (table->empty()) home.erase(key.table);
}

/// @param old  what was parsed before the change
/// @throws InvalidSpec  another key than `key` is changed: the text has a form that this file does
///                      not know.
void require_others_stay(toml::table old, const std::string& after, const FormKey& key) {
  toml::table changed = parsed_toml(after, place_of_form());
  erase_key(old, key);
  erase_key(changed, key);
  if (old != changed)
    throw InvalidSpec(fmt::format(
        "set {}: the scene is written in a form in which this key cannot be changed alone; change "
        "it in the text",
        key.full_name()));
}

}  // namespace

std::string set_key(std::string_view toml, std::string_view full_name, const Json& value,
                    std::optional<std::size_t> channel) {
  const FormKey key = form_key_of(full_name, channel);
  const MarkedText marked{toml};
  const TomlText text{std::string{marked.text}};
  const toml::table root = parsed_toml(text.text(), place_of_form());
  const std::string changed = edited_text(text, root, key, value);
  require_others_stay(root, changed, key);
  return marked.with(changed);
}

}  // namespace synthoscope::studio
