// SPDX-License-Identifier: MIT
// A plan as JSON.
#include <fmt/format.h>
#include <limits>
#include <tuple>
#include <type_traits>
#include "core/base/json.hpp"
#include "fftconv/fft/line_plan.hpp"
#include "fftconv/plan.hpp"
#include "fftconv/plan/cuts/candidates.hpp"
#include "fftconv/plan/cuts/layout.hpp"
#include "fftconv/plan/cuts/machine_record.hpp"
#include "fftconv/plan/cuts/sums.hpp"
#include "fftconv/plan/gpu/run_memory.hpp"
#include "fftconv/plan/gpu/sums.hpp"

namespace synthoscope::fftconv {
namespace {

constexpr int kPlanFormat = 6;

Json triple(std::int64_t z, std::int64_t y, std::int64_t x) {
  return Json::array({z, y, x});
}
Json json_of(const Extent3& e) {
  return triple(e.z, e.y, e.x);
}

[[noreturn]] void refuse(std::string_view reason) {
  throw InvalidInput(fmt::format(
      "read the plan: it is not a plan of this program ({}); write one with --dry-run --json",
      reason));
}

std::int64_t integer_from(const Json& json) {
  if (!json.is_number_integer()) refuse(fmt::format("{} is not a whole number", text_of(json)));
  return whole_of(json);
}

Extent3 extent_from(const Json& json) {
  if (!json.is_array() || json.size() != 3)
    refuse(fmt::format("{} is not a triple of z, y, x", text_of(json)));
  return {integer_from(json[0]), integer_from(json[1]), integer_from(json[2])};
}

/// A name that one of the *_named functions knows.
template <class Lookup>
auto named(const Json& json, const char* key, Lookup lookup) {
  const auto name = json.at(key).get<std::string>();
  const auto value = lookup(name);
  if (!value)
    throw InvalidInput(fmt::format(
        "read the plan: its {} '{}' is unknown to this version; make a new plan", key, name));
  return *value;
}

// Values of fields as JSON, and back. `key` names the field in messages
template <class T>
requires std::is_arithmetic_v<T> || std::is_same_v<T, std::string> Json json_of(const T& value) {
  return value;
}
template <class T>
requires std::is_enum_v<T> Json json_of(T value) {
  return name_of(value);
}
Json json_of(BoxOrder order) {
  return order == BoxOrder::planes_in_order;
}
Json json_of(const Index3& index) {
  return triple(index.z, index.y, index.x);
}
Json json_of(const Box3& box) {
  return Json::array({json_of(box.origin), json_of(box.size)});
}

template <class T>
requires std::is_same_v<T, bool> || std::is_same_v<T, double> || std::is_same_v<T, std::string>
void read(T& value, const Json& json, const char* key) {
  value = json.at(key).get<T>();
}
void read(std::int64_t& value, const Json& json, const char* key) {
  value = integer_from(json.at(key));
}
void read(Extent3& value, const Json& json, const char* key) {
  value = extent_from(json.at(key));
}
void read(Index3& value, const Json& json, const char* key) {
  const auto [z, y, x] = extent_from(json.at(key));
  value = {z, y, x};
}
/// Plans of earlier versions make all of the result.
void read(Box3& value, const Json& json, const char* key) {
  if (!json.contains(key)) return;
  const auto [z, y, x] = extent_from(json.at(key).at(0));
  value = {{z, y, x}, extent_from(json.at(key).at(1))};
}
void read(Boundary& value, const Json& json, const char* key) {
  value = named(json, key, boundary_named);
}
void read(Shape& value, const Json& json, const char* key) {
  value = named(json, key, shape_named);
}
void read(Precision& value, const Json& json, const char* key) {
  value = named(json, key, precision_named);
}
void read(Place& value, const Json& json, const char* key) {
  value = named(json, key, place_named);
}
void read(Strategy& value, const Json& json, const char* key) {
  value = named(json, key, strategy_named);
}
void read(FftLibrary& value, const Json& json, const char* key) {
  value = named(json, key, fft_library_named);
}
void read(BoxOrder& value, const Json& json, const char* key) {
  value = json.at(key).get<bool>() ? BoxOrder::planes_in_order : BoxOrder::any;
}

template <class Whole, class Member>
struct JsonField {
  const char* key;
  Member Whole::*member;
};
template <class Whole, class Member>
JsonField(const char*, Member Whole::*) -> JsonField<Whole, Member>;

template <class Whole>
constexpr auto kFields = std::tuple{};  ///< of a struct, in the order of the file

template <>
constexpr auto kFields<Problem> = std::tuple{
    JsonField{"image", &Problem::image},
    JsonField{"kernel", &Problem::kernel},
    JsonField{"center", &Problem::center},
    JsonField{"boundary", &Problem::boundary},
    JsonField{"shape", &Problem::shape},
    JsonField{"part", &Problem::part},
    JsonField{"correlate", &Problem::correlate},
    JsonField{"precision", &Problem::precision},
    JsonField{"remove_mean", &Problem::remove_mean},
    JsonField{"terms", &Problem::terms},
    JsonField{"may_sum", &Problem::may_sum},
    JsonField{"is_product", &Problem::is_product},
    JsonField{"image_voxel_bytes", &Problem::image_voxel_bytes},
    JsonField{"result_voxel_bytes", &Problem::result_voxel_bytes},
    JsonField{"source_voxel_bytes", &Problem::source_voxel_bytes},
    JsonField{"kernel_voxel_bytes", &Problem::kernel_voxel_bytes},
    JsonField{"sink_voxel_bytes", &Problem::sink_voxel_bytes},
    JsonField{"image_made_on_gpu", &Problem::image_made_on_gpu},
    JsonField{"gpu_beside_bytes", &Problem::gpu_stream_bytes},
    JsonField{"beside_voxel_bytes", &Problem::second_voxel_bytes},
    JsonField{"whole_planes", &Problem::order},
};
template <>
constexpr auto kFields<Cut> = std::tuple{
    JsonField{"result", &Cut::result},
    JsonField{"keep_transfer", &Cut::keep_transfer},
    JsonField{"direct_z", &Cut::direct_z},
    JsonField{"parts", &Cut::parts},
    JsonField{"along_y", &Cut::along_y},
    JsonField{"parts_on_disk", &Cut::parts_on_disk},
    JsonField{"fold_on_device", &Cut::fold_on_device},
    JsonField{"batch_planes", &Cut::batch_planes},
    JsonField{"fft", &Cut::fft},
};
template <>
constexpr auto kFields<Candidate> = std::tuple{
    JsonField{"where", &Candidate::where},
    JsonField{"strategy", &Candidate::strategy},
    JsonField{"transform", &Candidate::transform},
    JsonField{"cut", &Candidate::cut},
    JsonField{"memory_bytes", &Candidate::memory_bytes},
    JsonField{"device_bytes", &Candidate::device_bytes},
    JsonField{"up_bytes", &Candidate::up_bytes},
    JsonField{"down_bytes", &Candidate::down_bytes},
    JsonField{"seconds", &Candidate::seconds},
    JsonField{"read_bytes", &Candidate::read_bytes},
    JsonField{"written_bytes", &Candidate::written_bytes},
    JsonField{"scratch_bytes", &Candidate::scratch_bytes},
    JsonField{"verdict", &Candidate::verdict},
};

template <>
constexpr auto kFields<MemoryItem> = std::tuple{
    JsonField{"what", &MemoryItem::what},
    JsonField{"bytes", &MemoryItem::bytes},
};
template <>
constexpr auto kFields<Machine> = std::tuple{
    JsonField{"host_bytes", &Machine::host_bytes},
    JsonField{"process_bytes", &Machine::process_bytes},
    JsonField{"rates", &Machine::rates},
    JsonField{"gpu", &Machine::gpu},
    JsonField{"gpu_only", &Machine::gpu_only},
    JsonField{"has_fftw", &Machine::has_fftw},
    JsonField{"fft", &Machine::fft},
};
template <>
constexpr auto kFields<Plan> = std::tuple{
    JsonField{"where", &Plan::where},
    JsonField{"strategy", &Plan::strategy},
    JsonField{"transform", &Plan::transform},
    JsonField{"cut", &Plan::cut},
    JsonField{"problem", &Plan::problem},
    JsonField{"work", &Plan::work},
    JsonField{"machine", &Plan::machine},
    JsonField{"memory", &Plan::memory},
    JsonField{"device_memory", &Plan::device_memory},
    JsonField{"candidates", &Plan::candidates},
};

template <class Whole>
concept HasFields = std::tuple_size_v<std::remove_cv_t<decltype(kFields<Whole>)>> >
0;

template <HasFields Whole>
Json json_of(const Whole& whole);
template <HasFields Whole>
Whole whole_from(const Json& json);
template <HasFields Whole>
void read(Whole& whole, const Json& json, const char* key);

Json json_of(const std::optional<Gpu>& gpu) {
  return gpu ? json_of(*gpu) : Json{};
}
Json json_of(const std::optional<FftLibrary>& library) {
  return library ? Json(name_of(*library)) : Json{};
}
template <class Item>
Json json_of(const std::vector<Item>& items) {
  Json json = Json::array();
  for (const Item& item : items) json.push_back(json_of(item));
  return json;
}

void read(MachineRates& rates, const Json& json, const char* key) {
  rates = rates_from(json.at(key));
}
void read(std::optional<Gpu>& gpu, const Json& json, const char* key) {
  if (const Json& found = json.at(key); !found.is_null()) gpu = gpu_from(found);
}
void read(std::optional<FftLibrary>& library, const Json& json, const char* key) {
  if (!json.at(key).is_null()) library = named(json, key, fft_library_named);
}
template <class Item>
void read(std::vector<Item>& items, const Json& json, const char* key) {
  for (const Json& item : json.at(key)) items.push_back(whole_from<Item>(item));
}

template <HasFields Whole>
Json json_of(const Whole& whole) {
  Json json = Json::object();
  const auto add = [&](const auto& field) { json[field.key] = json_of(whole.*field.member); };
  std::apply([&](const auto&... field) { (add(field), ...); }, kFields<Whole>);
  return json;
}
template <HasFields Whole>
Whole whole_from(const Json& json) {
  Whole whole;
  std::apply([&](const auto&... field) { (read(whole.*field.member, json, field.key), ...); },
             kFields<Whole>);
  return whole;
}
template <HasFields Whole>
void read(Whole& whole, const Json& json, const char* key) {
  whole = whole_from<Whole>(json.at(key));
}

/// True if a transform of `length` can be run and can make `results` results of an axis at once.
bool suits(const AxisGeometry& axis, std::int64_t results, std::int64_t length,
           std::int64_t complex_length) {
  if (results < 1 || results > axis.wanted || complex_length < 1) return false;
  const bool is_cyclic = complex_length == length;
  if (results == axis.wanted && is_cyclic && can_close(axis, length)) return can_transform(length);
  const std::int64_t least =
      results == axis.wanted ? axis.min_length : results + axis.kernel_count - 1;
  return length >= least && length <= 4 * least + 2 && can_transform(complex_length);
}

/// The same for the z axis, which may be summed directly or decimated.
bool suits_z(const AxisGeometry& z, const Cut& cut, std::int64_t length) {
  // A device that folds keeps no parts
  if (cut.fold_on_device && (cut.parts == 0 || cut.parts_on_disk)) return false;
  if (cut.direct_z)
    return length == 1 && cut.parts == 0 && !cut.keep_transfer && cut.result.z >= 1 &&
           cut.result.z <= z.wanted && z.kernel_count <= kThinKernel;
  if (cut.parts == 0)
    return !cut.parts_on_disk && !cut.along_y && suits(z, cut.result.z, length, length);
  if (cut.parts < 1 || cut.parts > kMaxParts || cut.keep_transfer) return false;
  const std::int64_t slabs = 2 * cut.parts, least = (z.min_length + slabs - 1) / slabs;
  return cut.result.z == z.wanted && length >= least && length <= 2 * least &&
         can_transform(length);
}

Strategy strategy_of(const Cut& cut, const Extent3& wanted) {
  if (cut.parts > 0) return Strategy::parts;
  if (cut.result.y < wanted.y || cut.result.x < wanted.x) return Strategy::tiles;
  return cut.result.z < wanted.z ? Strategy::ring : Strategy::in_core;
}

/// A plan for a GPU names one that can run it.
void require_place(const Plan& plan) {
  const Cut& cut = plan.cut;
  if (plan.where == Place::host) {
    if (cut.batch_planes != 0 || cut.fold_on_device)
      refuse("nothing is transferred to or from the host");
    if (!runs_on_host(cut.fft)) refuse("cuFFT does not transform on the host");
    return;
  }
  if (!plan.machine.gpu) refuse("it runs on a GPU, but does not name it");
  if (plan.problem.precision != Precision::float32 || cut.keep_transfer || !runs_on_gpu(cut.fft) ||
      (cut.fft == FftLibrary::cufft && cut.parts > 0))
    refuse("what it describes is not done on a GPU");
  // Rows of parts are complex
  const std::int64_t row = cut.parts > 0 ? plan.transform.x : plan.transform.x / 2;
  for (const std::int64_t length : {plan.transform.z, plan.transform.y, row})
    if (!device::is_device_length(length, plan.machine.gpu->limits))
      refuse(fmt::format("its GPU cannot transform {}", plan.transform));
  // A thin kernel's sums are one launch
  if (cut.direct_z && cut.result.z > kMaxBatchPlanes)
    refuse(fmt::format("{} planes cannot be summed at once", cut.result.z));
  if (cut.batch_planes < 1 || cut.batch_planes > kMaxBatchPlanes)
    refuse(fmt::format("{} planes cannot be transferred at once", cut.batch_planes));
}

void require_sums(const Plan& plan) {
  const Problem& p = plan.problem;
  const bool on_gpu = plan.where == Place::gpu;
  if (on_gpu && !plan.machine.gpu) refuse("it runs on a GPU, but does not name it");
  const std::string why_not =
      on_gpu ? device::why_no_gpu_sums(p, plan.strategy) : why_no_sums(p, plan.strategy);
  if (!why_not.empty()) refuse(why_not);
  Cut sums;
  sums.result = plan.cut.result;
  const Extent3 most = output_extent(p), &brick = sums.result;
  const bool is_within =
      is_positive(brick) && brick.z <= most.z && brick.y <= most.y && brick.x <= most.x;
  if (!is_within || !(plan.cut == sums) || !(plan.work == p) ||
      !(plan.transform == Extent3{1, 1, 1}) || p.terms > 1)
    refuse(fmt::format("it cannot be summed in bricks of {}", brick));
  const RunMemory memory = run_memory_of(plan);
  if (plan.memory != memory.host || plan.device_memory != memory.device)
    refuse("its memory does not follow from its bricks");
}

/// An executor trusts a plan's sizes, so sizes from a file are compared with the planner's.
void require_consistent(const Plan& plan) {
  try {
    // Planning again finds sizes that cannot be counted
    (void)plan_convolution(plan.problem, {std::numeric_limits<std::int64_t>::max()});
  } catch (const InvalidSpec& failure) {
    refuse(failure.what());
  }
  if (is_by_sums(plan.strategy)) return require_sums(plan);
  if (!(plan.work == work_problem(plan.problem, plan.cut)))
    refuse("its work does not follow from its problem");
  const Layout least = make_layout(plan.work, {1, 1, 2});
  const Extent3 &t = plan.transform, &r = plan.cut.result;
  if (!suits_z(least.z, plan.cut, t.z) || !suits(least.y, r.y, t.y, t.y) || t.x % 2 != 0 ||
      !suits(least.x, r.x, t.x, t.x / 2))
    refuse(fmt::format("its transform of {} does not suit its problem", t));
  const Strategy strategy = strategy_of(plan.cut, wanted_extent(plan.work));
  const bool cuts_planes =
      strategy == Strategy::parts && (r.y < least.y.wanted || r.x < least.x.wanted);
  if (plan.strategy != strategy || cuts_planes ||
      (strategy != Strategy::in_core && plan.problem.terms > 1))
    refuse(fmt::format("its strategy {} does not follow from its cut", name_of(plan.strategy)));
  require_place(plan);
  const RunMemory memory = run_memory_of(plan);
  if (plan.memory != memory.host || plan.device_memory != memory.device)
    refuse("its memory does not follow from its transform");
}

}  // namespace

std::string to_json(const Plan& plan) {
  Json json{{"format", kPlanFormat}};
  json.update(json_of(plan));
  return text_of(json);
}

Plan plan_from_json(std::string_view text) try {
  const auto json = parse_json(text);
  if (const std::int64_t format = whole_of(json.at("format")); format != kPlanFormat)
    throw InvalidInput(
        fmt::format("read the plan: it has format {}, this version reads {}; make a new plan",
                    format, kPlanFormat));
  const auto plan = whole_from<Plan>(json);
  require_consistent(plan);
  return plan;
} catch (const Json::exception& e) {
  const std::string_view what = e.what();  // "[json.exception.type_error.302] type must be ..."
  refuse(what.substr(what.find("] ") + 2));
}

}  // namespace synthoscope::fftconv
