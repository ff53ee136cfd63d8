// The C API's handles, matrices and reports, to and from C++, and how C++ errors become codes.
#pragma once
#include <fmt/format.h>

#include <limits>
#include <mutex>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "api/made_together.hpp"
#include "base/scalars.hpp"
#include "cairn/cairn.h"
#include "cairn/cairn.hpp"

namespace cairn::capi {

/// Rows and columns of the rank that was asked about last: programs ask for one after another.
class Listed {
 public:
  /// Global row (column) of a local one; -1 if there is none.
  Int row(const Layout& layout, Int rank, Int local) { return global(layout, rank, local, &Of::rows); }
  Int col(const Layout& layout, Int rank, Int local) { return global(layout, rank, local, &Of::cols); }

 private:
  struct Numbers {
    IndexSet set;
    std::vector<Int> ends;  ///< local numbers after each piece
  };
  struct Of {
    Int rank = -1;
    Numbers rows, cols;
  };
  static Numbers numbers(IndexSet set);
  Int global(const Layout& layout, Int rank, Int local, Numbers Of::*which);

  std::mutex mutex_;
  Of last_;
};

}  // namespace cairn::capi

struct cairn_comm {
  cairn::Comm comm;
};
struct cairn_layout {
  cairn::Layout layout;
  mutable cairn::capi::Listed listed{};
};
struct cairn_plan {
  cairn::Plan plan;
  std::string algorithm, explain, json;
};
struct cairn_multiplication {
  cairn::OfAnyType<cairn::Multiplication> any;
};

namespace cairn::capi {

/// Remember what went wrong and say which kind it was. Call in a catch block.
cairn_status caught() noexcept;

/// Run f; turn what it throws into a status.
template <class F>
cairn_status guarded(F f) {
  try {
    f();
    return CAIRN_OK;
  } catch (...) {
    return caught();
  }
}

/// Handles that a call is to give are NULL if it fails.
template <class... Handle>
void nothing_yet(Handle**... outs) {
  ((outs ? void(*outs = nullptr) : void()), ...);
}

/// A call that gives a handle.
template <class Handle, class F>
cairn_status giving(Handle** out, F f) {
  nothing_yet(out);
  return guarded(f);
}

inline constexpr const char* no_text = nullptr;

/// f(*handle); `nothing` if the handle is null, or if f throws.
template <class Handle, class Result, class F>
Result asked(const Handle* handle, Result nothing, F f) noexcept {
  Result result = nothing;
  if (handle) guarded([&] { result = static_cast<Result>(f(*handle)); });
  return result;
}

/// A text that the handle keeps.
template <class Handle>
const char* kept_text(const Handle* handle, std::string Handle::*text) {
  return asked(handle, no_text, [&](const Handle& h) { return (h.*text).c_str(); });
}

/// Throws ArgumentError if a pointer that the call needs is null.
template <class P>
P* need(P* pointer, std::string_view name) {
  if (!pointer) throw ArgumentError(fmt::format("{}: NULL, expected a pointer", name));
  return pointer;
}

/// The same about a matrix that the call needs.
inline const cairn_matrix* need_matrix(const cairn_matrix* m, const char* name) {
  need(need(m, name)->layout, fmt::format("{}.layout", name));
  return m;
}

/// A whole call: work(T(), communicator, how) on what understand() makes of the arguments, whose `type` is T. What is
/// wrong on one rank must not leave the others waiting: arguments are understood together.
template <class Understand, class Work>
cairn_status on_comm(const cairn_comm* comm, Understand understand, Work work) {
  return guarded([&] {
    const Comm& on = need(comm, "comm")->comm;
    const auto how = made_together(on, understand);
    with_type(how.type, [&]<class T>(T one) { work(one, on, how); });
  });
}

/// Throws ArgumentError unless an array may have so many numbers: of blocks as many as indices tell apart.
inline int64_t most_of(int64_t count, const char* name, int64_t most = std::numeric_limits<int32_t>::max()) {
  if (count < 0 || count > most) throw ArgumentError(fmt::format("{}: {}, expected 0 to {}", name, count, most));
  return count;
}

/// A C enumerator as ours; throws ArgumentError unless it is one of first … last.
template <class Enum>
Enum enumerator(int value, int last, const char* name, int first = 0) {
  if (value < first || value > last)
    throw ArgumentError(fmt::format("{}: {}, expected {}..{}", name, value, first, last));
  return static_cast<Enum>(value);
}

inline Op op_of(cairn_op op, const char* name) { return enumerator<Op>(static_cast<int>(op), 2, name); }
inline Uplo uplo_of(cairn_uplo uplo) { return enumerator<Uplo>(static_cast<int>(uplo), 2, "uplo", 1); }
inline Side side_of(cairn_side side) { return enumerator<Side>(static_cast<int>(side), 1, "side"); }
inline Diag diag_of(cairn_diag diag) { return enumerator<Diag>(static_cast<int>(diag), 1, "diag"); }
inline ScalarType scalar_of(cairn_type type) { return enumerator<ScalarType>(static_cast<int>(type), 3, "type"); }

Options options_of(const cairn_options* options);

/// Calls that give a plan, on this rank alone or on a communicator: handle(the plan) of the problem that understand()
/// makes of the arguments.
template <class Handle, class Understand, class Make>
cairn_status plan_alone(const cairn_options* options, Handle** plan, Understand understand, Make handle) {
  return giving(plan, [&] {
    const auto problem = understand();
    need(plan, "plan");
    *plan = handle(cairn::plan(problem, options_of(options)));
  });
}
template <class Handle, class Understand, class Make>
cairn_status plan_on(const cairn_comm* comm, const cairn_options* options, Handle** plan, Understand understand,
                     Make handle) {
  return giving(plan, [&] {
    const Comm& on = need(comm, "comm")->comm;
    const auto problem = made_together(on, [&] {
      need(plan, "plan");
      return understand();
    });
    *plan = handle(cairn::plan(on, problem, options_of(options)));
  });
}

/// handle(the plan of which `json` tells), which must be one of `what`, such as "a product".
template <class P, class Handle, class Make>
cairn_status plan_of_json(const char* json, Handle** plan, std::string_view what, Make handle) {
  return giving(plan, [&] {
    need(json, "json"), need(plan, "plan");
    const AnyPlan any = plan_from_json(json);
    const P* const wanted = std::get_if<P>(&any);
    if (!wanted) throw ArgumentError(fmt::format("json: a plan of another kind, expected one of {}", what));
    *plan = handle(*wanted);
  });
}

/// Throws ArgumentError unless it is one of the ranks of a plan.
inline Int rank_of(int64_t rank, Int ranks) {
  if (rank < 0 || rank >= ranks) throw ArgumentError(fmt::format("rank: {}, expected 0..{}", rank, ranks - 1));
  return rank;
}

template <class T>
DistMatrix<T> matrix(const cairn_matrix* m, const char* name, int rank) {
  need_matrix(m, name);
  return DistMatrix<T>::borrow(m->layout->layout, rank, static_cast<T*>(m->data), m->words, m->ld);
}

inline void fill(cairn_count* count, const Count& c) {
  *count = {c.received, c.wire_words, c.messages, c.flops, c.peak_words, c.node_words};
}

inline void fill(cairn_report* report, const RunReport& r) {
  if (!report) return;
  *report = {r.seconds,       r.gemm_seconds, r.wait_seconds, r.redistribute_seconds,
             r.other_seconds, r.received,     r.messages,     r.from_other_nodes};
}

inline void fill(cairn_report* report, int64_t* info, const RunReport& r) {
  *info = r.info;
  fill(report, r);
}

inline void fill(cairn_check_result* result, const CheckResult& r) { *result = {r.ratio, r.rounds, r.seconds}; }

}  // namespace cairn::capi
