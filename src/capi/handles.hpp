// The C API's handles, matrices and reports, to and from C++, and how C++ errors become codes.
#pragma once
#include <fmt/format.h>

#include <string>
#include <variant>

#include "api/made_together.hpp"
#include "base/scalars.hpp"
#include "cairn/cairn.h"
#include "cairn/cairn.hpp"

struct cairn_comm {
  cairn::Comm comm;
};
struct cairn_layout {
  cairn::Layout layout;
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
cairn_status caught();

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

/// Throws ArgumentError if a pointer that the call needs is null.
template <class P>
P* need(P* pointer, const char* name) {
  if (!pointer) throw ArgumentError(std::string(name) + ": NULL, expected a pointer");
  return pointer;
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

/// Throws ArgumentError unless it is one of the ranks of a plan.
inline Int rank_of(int64_t rank, Int ranks) {
  if (rank < 0 || rank >= ranks) throw ArgumentError(fmt::format("rank: {}, expected 0..{}", rank, ranks - 1));
  return rank;
}

template <class T>
DistMatrix<T> matrix(const cairn_matrix* m, const char* name, int rank) {
  need(m, name);
  return DistMatrix<T>::borrow(need(m->layout, name)->layout, rank, static_cast<T*>(m->data), m->words, m->ld);
}

inline const void* layout_in(const cairn_matrix* m) { return m ? m->layout : nullptr; }

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
