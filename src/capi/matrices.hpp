// The C API's matrices and reports, to and from C++.
#pragma once
#include "capi/handles.hpp"

namespace cairn::capi {

template <class T>
DistMatrix<T> matrix(const cairn_matrix* m, const char* name, int rank) {
  need(m, name);
  return DistMatrix<T>::borrow(need(m->layout, name)->layout, rank, static_cast<T*>(m->data), m->words, m->ld);
}

inline const void* layout_in(const cairn_matrix* m) { return m ? m->layout : nullptr; }

inline void fill(cairn_report* report, const RunReport& r) {
  if (!report) return;
  *report = {r.seconds,       r.gemm_seconds, r.wait_seconds, r.redistribute_seconds,
             r.other_seconds, r.received,     r.messages,     r.from_other_nodes};
}

}  // namespace cairn::capi
