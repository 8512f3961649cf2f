// SPDX-License-Identifier: MIT
// simulator/scene/value.hpp — the kinds of a scene's members, and their conversions to values in
// files and back.
#pragma once
#include <fmt/format.h>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <type_traits>
#include "core/base/error.hpp"
#include "simulator/scene/scene.hpp"

namespace synthoscope::simulator {

inline const auto& names_of(MaskKind) {
  return kMaskKindNames;
}
inline const auto& names_of(Orientation) {
  return kOrientationNames;
}
inline const auto& names_of(SpotPlace) {
  return kSpotPlaceNames;
}
inline const auto& names_of(BorderRule) {
  return kBorderRuleNames;
}
inline const auto& names_of(Arrangement) {
  return kArrangementNames;
}
inline const auto& names_of(AdherentArrangement) {
  return kAdherentArrangementNames;
}
inline const auto& names_of(NucleiKind) {
  return kNucleiKindNames;
}
inline const auto& names_of(TextureKind) {
  return kTextureKindNames;
}
inline const auto& names_of(TargetKind) {
  return kTargetKindNames;
}
inline const auto& names_of(PsfModel) {
  return kPsfModelNames;
}
inline const auto& names_of(Diffraction) {
  return kDiffractionNames;
}
inline const auto& names_of(CoverGlass) {
  return kCoverGlassNames;
}
inline const auto& names_of(SheetAlong) {
  return kSheetAlongNames;
}
inline const auto& names_of(PsfNormalization) {
  return kPsfNormalizationNames;
}
inline const auto& names_of(Collection) {
  return kCollectionNames;
}
inline const auto& names_of(FileCenter) {
  return kFileCenterNames;
}
inline const auto& names_of(PatternKind) {
  return kPatternKindNames;
}
inline const auto& names_of(ExcitationAlong) {
  return kExcitationAlongNames;
}
inline const auto& names_of(LightUnit) {
  return kLightUnitNames;
}
inline const auto& names_of(CameraPreset) {
  return kCameraPresetNames;
}
inline const auto& names_of(CameraKind) {
  return kCameraKindNames;
}

/// Returns `"flat" or "random"`.
template <class Enum>
std::string choices_of(Enum value) {
  std::string text;
  const auto& names = names_of(value);
  for (std::size_t i = 0; i < names.size(); ++i)
    text += fmt::format("{}\"{}\"",
                        i == 0                  ? ""
                        : i + 1 == names.size() ? " or "
                                                : ", ",
                        names[i].second);
  return text;
}

/// The kind of a member and its conversions. `set` requires a value of that kind.
template <class T>
struct Held {
  static_assert(std::is_enum_v<T>, "a type of member that scene files do not know");
  static constexpr ValueKind kKind = ValueKind::choice;
  static SceneValue get(const T& member) { return std::string{name_in(names_of(member), member)}; }
  static void set(T& member, const SceneValue& value) {
    const auto& text = std::get<std::string>(value);
    const auto named = named_in(names_of(member), text);
    if (!named) throw InvalidSpec(fmt::format("is \"{}\"; give {}", text, choices_of(member)));
    member = *named;
  }
};

template <class T, class Stored, ValueKind Kind>
struct HeldAs {
  static constexpr ValueKind kKind = Kind;
  static SceneValue get(const T& member) { return static_cast<Stored>(member); }
  static void set(T& member, const SceneValue& value) {
    member = static_cast<T>(std::get<Stored>(value));
  }
};
template <>
struct Held<double> : HeldAs<double, double, ValueKind::number> {};
template <>
struct Held<bool> : HeldAs<bool, bool, ValueKind::flag> {};
template <>
struct Held<std::int64_t> : HeldAs<std::int64_t, std::int64_t, ValueKind::integer> {};
template <>
struct Held<int> : HeldAs<int, std::int64_t, ValueKind::integer> {};

template <class T>
struct Held<std::optional<T>> {
  static constexpr ValueKind kKind = Held<T>::kKind;
  static SceneValue get(const std::optional<T>& member) {
    return member ? Held<T>::get(*member) : SceneValue{};
  }
  static void set(std::optional<T>& member, const SceneValue& value) {
    Held<T>::set(member.emplace(), value);
  }
};

template <>
struct Held<std::filesystem::path> {
  static constexpr ValueKind kKind = ValueKind::text;
  static SceneValue get(const std::filesystem::path& member) { return member.string(); }
  static void set(std::filesystem::path& member, const SceneValue& value) {
    member = std::get<std::string>(value);
  }
};

template <>
struct Held<ZernikeTerms> {
  static constexpr ValueKind kKind = ValueKind::terms;
  static SceneValue get(const ZernikeTerms& terms) { return print(terms); }
  static void set(ZernikeTerms& terms, const SceneValue& value) {
    terms = parse_zernike(std::get<std::string>(value));
  }
};

template <>
struct Held<Extent3> {
  static constexpr ValueKind kKind = ValueKind::three_integers;
  static SceneValue get(const Extent3& e) { return ThreeIntegers{e.z, e.y, e.x}; }
  static void set(Extent3& e, const SceneValue& value) {
    const auto [z, y, x] = std::get<ThreeIntegers>(value);
    e = {z, y, x};
  }
};

template <>
struct Held<Point3> {
  static constexpr ValueKind kKind = ValueKind::three_numbers;
  static SceneValue get(const Point3& p) { return ThreeNumbers{p.z_um, p.y_um, p.x_um}; }
  static void set(Point3& p, const SceneValue& value) {
    const auto [z, y, x] = std::get<ThreeNumbers>(value);
    p = {z, y, x};
  }
};

/// A pitch or a shift, which is in nanometres in files. It is divided by 1000, not multiplied by
/// its inexact inverse, and printed to 12 digits, so that 130 nm is read and printed as 130 nm.
template <class T>
struct HeldInNanometres {
  static constexpr ValueKind kKind = ValueKind::three_numbers;
  static SceneValue get(const T& v) {
    const auto nm = [](double um) { return std::stod(fmt::format("{:.12g}", um * 1000)); };
    return ThreeNumbers{nm(v.z_um), nm(v.y_um), nm(v.x_um)};
  }
  static void set(T& v, const SceneValue& value) {
    const auto [z, y, x] = std::get<ThreeNumbers>(value);
    v = {z / 1000, y / 1000, x / 1000};
  }
};
template <>
struct Held<VoxelSize> : HeldInNanometres<VoxelSize> {};
template <>
struct Held<ImageShift> : HeldInNanometres<ImageShift> {};

template <>
struct Held<AxialOrigin> {
  static constexpr ValueKind kKind = ValueKind::text_or_number;
  static constexpr std::string_view kChoices = "\"focus\", \"nominal\" or a number";
  static constexpr std::array<std::string_view, 2> kWords{"focus", "nominal"};
  static SceneValue get(const AxialOrigin& origin) {
    if (origin.rule == AxialOrigin::Rule::fixed) return origin.um;
    return print(origin);
  }
  static void set(AxialOrigin& origin, const SceneValue& value) {
    if (const auto* um = std::get_if<double>(&value)) {
      origin = {AxialOrigin::Rule::fixed, *um};
      return;
    }
    const auto& text = std::get<std::string>(value);
    if (text != "nominal" && text != "focus")
      throw InvalidSpec(fmt::format("is \"{}\"; give {}", text, kChoices));
    origin = parse_axial_origin(text);
  }
};

template <>
struct Held<fftconv::BackgroundRule> {
  static constexpr ValueKind kKind = ValueKind::text_or_number;
  static constexpr std::string_view kChoices = "\"none\", \"auto\" or a number";
  static constexpr std::array<std::string_view, 2> kWords{"none", "auto"};
  static SceneValue get(const fftconv::BackgroundRule& rule) {
    if (rule.kind == fftconv::BackgroundRule::Kind::given) return rule.value;
    return print(rule);
  }
  static void set(fftconv::BackgroundRule& rule, const SceneValue& value) {
    if (const auto* number = std::get_if<double>(&value)) {
      rule = {fftconv::BackgroundRule::Kind::given, *number};
      return;
    }
    const auto& text = std::get<std::string>(value);
    if (text != "none" && text != "auto")
      throw InvalidSpec(fmt::format("is \"{}\"; give {}", text, kChoices));
    rule = fftconv::parse_background(text);
  }
};

}  // namespace synthoscope::simulator
