#include "api/made_together.hpp"
#include "capi/handles.hpp"

using namespace cairn::capi;
using cairn::made_together;

// What is wrong on one rank must not leave the others waiting: arguments are understood together.

cairn_status cairn_cholesky(const cairn_comm* comm, cairn_type type, cairn_uplo uplo, const cairn_matrix* a,
                            const cairn_options* options, int64_t* info, cairn_report* report) {
  return guarded([&] {
    const cairn::Comm& on = need(comm, "comm")->comm;
    const auto [scalar, triangle] = made_together(on, [&] {
      need(layout_in(a), "a"), need(info, "info");
      return std::pair(scalar_of(type), uplo_of(uplo));
    });
    with_type(scalar, [&, triangle = triangle]<class T>(T) {
      const auto r = cairn::cholesky<T>(on, triangle, matrix<T>(a, "a", on.rank()), options_of(options));
      *info = r.info;
      fill(report, r);
    });
  });
}

cairn_status cairn_solve_triangular(const cairn_comm* comm, cairn_type type, cairn_side side, cairn_uplo uplo,
                                    cairn_op op, cairn_diag diag, const void* alpha, const cairn_matrix* a,
                                    const cairn_matrix* b, const cairn_options* options, int64_t* info,
                                    cairn_report* report) {
  struct How {
    cairn::ScalarType type;
    cairn::Side side;
    cairn::Uplo triangle;
    cairn::Op op;
    cairn::Diag diag;
  };
  return guarded([&] {
    const cairn::Comm& on = need(comm, "comm")->comm;
    const How how = made_together(on, [&] {
      need(alpha, "alpha"), need(layout_in(a), "a"), need(layout_in(b), "b"), need(info, "info");
      return How{scalar_of(type), side_of(side), uplo_of(uplo), op_of(op, "op"), diag_of(diag)};
    });
    with_type(how.type, [&]<class T>(T) {
      const auto r =
          cairn::solve_triangular<T>(on, how.side, how.triangle, how.op, how.diag, *static_cast<const T*>(alpha),
                                     matrix<T>(a, "a", on.rank()), matrix<T>(b, "b", on.rank()), options_of(options));
      *info = r.info;
      fill(report, r);
    });
  });
}

cairn_status cairn_solve_spd(const cairn_comm* comm, cairn_type type, cairn_uplo uplo, const cairn_matrix* a,
                             const cairn_matrix* b, const cairn_options* options, int64_t* info, cairn_report* report) {
  return guarded([&] {
    const cairn::Comm& on = need(comm, "comm")->comm;
    const auto [scalar, triangle] = made_together(on, [&] {
      need(layout_in(a), "a"), need(layout_in(b), "b"), need(info, "info");
      return std::pair(scalar_of(type), uplo_of(uplo));
    });
    with_type(scalar, [&, triangle = triangle]<class T>(T) {
      const auto r = cairn::solve_spd<T>(on, triangle, matrix<T>(a, "a", on.rank()), matrix<T>(b, "b", on.rank()),
                                         options_of(options));
      *info = r.info;
      fill(report, r);
    });
  });
}
