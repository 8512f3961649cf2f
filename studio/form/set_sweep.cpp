// SPDX-License-Identifier: MIT
#include "studio/form/set_sweep.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <optional>
#include "core/base/json.hpp"
#include "simulator/scene/file/sweep_file.hpp"
#include "simulator/scene/key_place.hpp"
#include "simulator/scene/unknown_key.hpp"
#include "studio/form/table_text.hpp"
#include "studio/form/toml_value.hpp"

namespace synthoscope::studio {
namespace {

using simulator::entries_in_order;
using simulator::kSweepTable;
using simulator::TomlEntry;

[[noreturn]] void refuse_form_of_sweep(const std::string& name) {
  throw InvalidSpec(fmt::format(
      "sweep {}: [sweep] is written in a form in which this key cannot be changed alone; change it "
      "in the text",
      name));
}

bool is_key_of_sweep(const std::string& name) {
  return name == "repeats" || name == "seed";
}

/// Returns whether [sweep] may name a key by its last part: no other key ends in it.
bool is_short_name(const std::string& part, const std::string& name) {
  if (!name.ends_with("." + part)) return false;
  const auto& keys = simulator::scene_keys();
  return std::ranges::count(keys, part, &simulator::SceneKey::name) == 1;
}

/// Returns the entry of a key in [sweep]: "optics.na" may be a dotted key, a quoted one, a key of
/// [sweep.optics], or, by its last part alone, "na".
std::optional<TomlEntry> entry_in(const toml::table& table, const std::string& before,
                                  const std::string& name) {
  for (const TomlEntry& entry : entries_in_order(table)) {
    const std::string full = before + entry.name();
    if (full == name || (before.empty() && is_short_name(entry.name(), name))) return entry;
    if (entry.node->is_table() && name.starts_with(full + "."))
      if (const auto found = entry_in(*entry.node->as_table(), full + ".", name)) return found;
  }
  return std::nullopt;
}

/// Returns the table [sweep]; null if there is none.
const toml::table* sweep_in(const toml::table& root) {
  const toml::node* const node = root.get(kSweepTable);
  return node ? node->as_table() : nullptr;
}

std::string sweep_value(const std::string& name, const Json& value) {
  if (!value.is_object()) return toml_value(value, "sweep." + name);
  std::string range;
  for (const char* part : {"from", "to", "step", "count"})
    if (value.contains(part))
      range += fmt::format("{}{} = {}", range.empty() ? "" : ", ", part,
                           toml_value(value[part], "sweep." + name));
  return "{" + range + "}";
}

/// Returns whether the text has a line "[sweep]", and not only such as "[sweep.optics]".
bool has_own_head(const TomlText& text, const toml::table& sweep) {
  if (!has_head(text, sweep)) return false;
  const std::string_view line = text.line(text.byte_at(sweep.source().begin));
  return line.substr(0, line.find(']')).find('.') == std::string_view::npos;
}

std::string with_key(const TomlText& text, const toml::table* sweep, const std::string& line) {
  if (sweep && has_own_head(text, *sweep)) return with_line_below_head(text, *sweep, line);
  const std::string_view newline = text.newline();
  const std::string_view before = is_blank(text.text()) ? "" : newline;
  return text.with_line(text.text().size(),
                        fmt::format("{}[{}]{}{}", before, kSweepTable, newline, line));
}

std::string without_lines(const TomlText& text, const toml::source_position& first,
                          const toml::source_position& last) {
  return text.with({text.line_begin(text.byte_at(first)), text.line_end(text.byte_at(last))}, "");
}

/// Returns the text without a head below which nothing stands, and without the blank line above it.
std::string without_head(const TomlText& text, const toml::table& table) {
  TextPart head{text.line_begin(text.byte_at(table.source().begin)), 0};
  head.end = text.line_end(head.begin);
  if (head.begin > 0 && is_blank(text.line(head.begin - 1)))
    head.begin = text.line_begin(head.begin - 1);
  return text.with(head, "");
}

/// Returns a table without entries that begins with a line "[name]": this one, or one within it.
const toml::table* empty_table_in(const TomlText& text, const toml::table& table) {
  for (const TomlEntry& entry : entries_in_order(table))
    if (const toml::table* const inner = entry.node->as_table(); inner && !inner->is_inline())
      if (const toml::table* const found = empty_table_in(text, *inner)) return found;
  return table.empty() && has_head(text, table) ? &table : nullptr;
}

/// Returns the text of a [sweep] without what is left over once a key was removed: heads without
/// keys, and the seeds of one set.
std::string without_rest_of_sweep(std::string changed) {
  for (;;) {
    const TomlText text{changed};
    const toml::table root = parsed_toml(changed, place_of_form());
    const toml::table* const sweep = sweep_in(root);
    if (!sweep) return changed;
    if (const toml::table* const empty = empty_table_in(text, *sweep)) {
      changed = without_head(text, *empty);
    } else if (const auto entries = entries_in_order(*sweep);
               entries.size() == 1 && entries.front().name() == "seed" && !sweep->is_inline()) {
      changed = without_lines(text, entries.front().key->source().begin,
                              entries.front().node->source().end);
    } else {
      return changed;
    }
  }
}

/// Removes a key of [sweep], and tables that are empty then.
void erase_in(toml::table& table, const std::string& before, const std::string& name) {
  for (auto at = table.begin(); at != table.end();) {
    const std::string part{at->first.str()}, full = before + part;
    toml::table* const inner = at->second.as_table();
    const bool is_key = full == name || (before.empty() && is_short_name(part, name));
    if (!is_key && inner && name.starts_with(full + ".")) erase_in(*inner, full + ".", name);
    at = is_key || (inner && inner->empty()) ? table.erase(at) : std::next(at);
  }
}

toml::table without_key(toml::table root, const std::string& name) {
  toml::table* const sweep = root[kSweepTable].as_table();
  if (!sweep) return root;
  erase_in(*sweep, "", name);
  if (sweep->size() == 1 && sweep->contains("seed")) sweep->clear();
  if (sweep->empty()) root.erase(kSweepTable);
  return root;
}

bool is_same_without(const std::string& name, const toml::table& old, const std::string& changed) {
  try {
    return without_key(old, name) == without_key(parsed_toml(changed, place_of_form()), name);
  } catch (const InvalidSpec&) {  // it is no TOML now
    return false;
  }
}

}  // namespace

std::string set_sweep(std::string_view toml, const std::string& name, const Json& value) {
  if (!is_key_of_sweep(name) && !simulator::find_place(name))
    simulator::refuse_unknown_name(name, "the form");
  const MarkedText marked{toml};
  const TomlText text{std::string{marked.text}};
  const toml::table root = parsed_toml(text.text(), place_of_form());
  const toml::table* const sweep = sweep_in(root);
  if (root.contains(kSweepTable) && (!sweep || sweep->is_inline())) refuse_form_of_sweep(name);
  const auto entry = sweep ? entry_in(*sweep, "", name) : std::nullopt;
  std::string changed = text.text();
  if (value.is_null() && entry)
    changed = without_rest_of_sweep(
        without_lines(text, entry->key->source().begin, entry->node->source().end));
  else if (entry)
    changed = text.with(text.part(entry->node->source()), sweep_value(name, value));
  else if (!value.is_null())
    changed = with_key(text, sweep, fmt::format("{} = {}", name, sweep_value(name, value)));
  if (!is_same_without(name, root, changed)) refuse_form_of_sweep(name);
  return marked.with(changed);
}

}  // namespace synthoscope::studio
