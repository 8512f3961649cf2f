// SPDX-License-Identifier: MIT
// core/run/memory_budget.hpp — counts memory before it is allocated, against a hard limit.
#pragma once
#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace synthoscope {

class MemoryBudget;

/// Counted bytes, which are subtracted when this object is destroyed.
class Reservation {
 public:
  Reservation() = default;
  Reservation(Reservation&& other) noexcept
      : budget_{std::exchange(other.budget_, nullptr)}, bytes_{std::exchange(other.bytes_, 0)} {}
  Reservation& operator=(Reservation&& other) noexcept {
    std::swap(budget_, other.budget_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~Reservation();
  [[nodiscard]] std::int64_t bytes() const { return bytes_; }

 private:
  friend MemoryBudget;
  Reservation(MemoryBudget* budget, std::int64_t bytes) : budget_{budget}, bytes_{bytes} {}
  MemoryBudget* budget_ = nullptr;
  std::int64_t bytes_ = 0;
};

/// The bytes that a run may hold at once. Thread-safe.
class MemoryBudget {
 public:
  /// @param held    bytes that stay in use; may exceed `bytes`
  /// @param option  the option that raises the budget, for messages
  explicit MemoryBudget(std::int64_t bytes, std::int64_t held = 0,
                        std::string_view option = "--memory")
      : limit_{bytes}, used_{held}, peak_{held}, option_{option} {}
  /// A part of `whole` with a separate limit of `bytes`, for one of several users. `whole` counts
  /// what it reserves, too, and must outlive it.
  MemoryBudget(MemoryBudget& whole, std::int64_t bytes)
      : limit_{bytes}, used_{0}, peak_{0}, option_{whole.option_}, whole_{&whole} {}
  MemoryBudget(const MemoryBudget&) = delete;
  MemoryBudget& operator=(const MemoryBudget&) = delete;

  /// Counts `bytes` for `what` ("plane spectra"). @throws PlanError  the budget is too small.
  [[nodiscard]] Reservation reserve(std::int64_t bytes, std::string_view what);

  [[nodiscard]] std::int64_t limit() const { return limit_; }
  [[nodiscard]] std::int64_t used() const { return used_.load(); }
  [[nodiscard]] std::int64_t peak() const { return peak_.load(); }

 private:
  friend Reservation;
  void count(std::int64_t bytes, std::string_view what);
  void give_back(std::int64_t bytes);
  std::int64_t limit_;
  std::atomic<std::int64_t> used_, peak_;
  std::string option_;
  MemoryBudget* whole_ = nullptr;
};

/// Returns the bytes that this process can still allocate: the smaller of the control group's limit
/// and the free memory.
std::int64_t available_memory_bytes();

/// Returns the bytes of the largest resident set so far (VmHWM).
std::int64_t peak_resident_bytes();

/// Returns the bytes of anonymous memory that is resident now (RssAnon): what the program
/// allocated, without its code and without files.
std::int64_t anonymous_bytes();

/// Reads a size as people write it: "512M", "1.5g" and "2GiB" are multiples of powers of 1024,
/// "4GB" of a power of 1000, "4096" is in bytes. @throws InvalidSpec
std::int64_t parse_bytes(std::string_view text);

/// Returns a short size that parse_bytes reads as `bytes` or at most 1 % more: "681M", "4.36G".
std::string size_of_at_least(std::int64_t bytes);

/// "1.5 GiB"; three significant digits.
std::string print_bytes(std::int64_t bytes);

}  // namespace synthoscope
