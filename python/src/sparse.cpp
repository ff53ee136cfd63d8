// Block-sparse matrices: from and to rows of single elements, as SciPy has them, and what is done with them.
#include "sparse.hpp"

#include "cairn/block_check.hpp"
#include "cairn/block_product_plan.hpp"
#include "cairn/csr.hpp"

namespace cairn::python {

namespace {

using Numbers = nb::ndarray<const Int, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Values = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// As asked for, or as the library deals them.
using Where = std::optional<BlockDistribution>;
BlockDistribution over(const Comm& comm, const BlockSizes& rows, const BlockSizes& cols, const Where& where) {
  return where ? *where : dealt(comm, rows, cols);
}

// Rows from `first_row` on, compressed; `values` has elements of `type`.
Sparse from_rows(int handle, ScalarType type, Int first_row, const Numbers& first, const Numbers& cols,
                 const Values& values, const BlockSizes& row_sizes, const BlockSizes& col_sizes, const Where& where,
                 Symmetry symmetry) {
  const nb::gil_scoped_release released;
  const Comm comm = comm_of(handle);
  return with_type(type, [&]<class T>(T) {
    const CsrView<T> mine{{first_row, first_row + static_cast<Int>(first.size()) - 1},
                          {first.data(), first.size()},
                          {cols.data(), cols.size()},
                          {static_cast<const T*>(values.data()), values.size()}};
    return Sparse{from_csr<T>(comm, mine, row_sizes, col_sizes, over(comm, row_sizes, col_sizes, where))
                      .stored_as(symmetry, "array")};
  });
}

// Pointers, columns and values of rows `lo` to before `hi`.
nb::tuple to_rows(const Sparse& x, Int lo, Int hi) {
  return with_matrix(x, [&]<class T>(const BlockSparse<T>& matrix) {
    CsrRows<T> rows;
    {
      const nb::gil_scoped_release released;
      rows = to_csr<T>(matrix, {lo, hi});
    }
    return nb::make_tuple(array_of(std::move(rows.first)), array_of(std::move(rows.cols)),
                          array_of(std::move(rows.values)));
  });
}

Sparse from_dense(int handle, const Part& dense, const BlockSizes& rows, const BlockSizes& cols, double eps,
                  const Where& where, Symmetry symmetry) {
  const Comm comm = comm_of(handle);
  return with_matrix(dense, [&]<class T>(const DistMatrix<T>& x) {
    return Sparse{
        BlockSparse<T>::from_dense(comm, x, rows, cols, over(comm, rows, cols, where), eps).stored_as(symmetry, "A")};
  });
}

Sparse zeros(int handle, ScalarType type, const BlockSizes& rows, const BlockSizes& cols, const Where& where,
             Symmetry symmetry) {
  const Comm comm = comm_of(handle);
  return with_type(type, [&]<class T>(T) {
    return Sparse{BlockSparse<T>(comm, rows, cols, over(comm, rows, cols, where), symmetry)};
  });
}

// The other matrix of an operation, which Python has found to be of the same type.
template <class T>
const BlockSparse<T>& same(const Sparse& x) {
  return std::get<BlockSparse<T>>(x.matrix);
}

void add(Sparse& to, Scalar factor, const Sparse& x) {
  Leaving leaving(to);
  const nb::gil_scoped_release released;
  with_matrix(to, [&]<class T>(BlockSparse<T>& a) { a.add(element_of<T>(factor), same<T>(x)); });
  leaving.done();
}

Scalar dot(const Sparse& x, const Sparse& y) {
  return with_matrix(x, [&]<class T>(const BlockSparse<T>& a) { return Scalar(a.dot(same<T>(y))); });
}

void scale(Sparse& x, Scalar factor) {
  with_matrix(x, [&]<class T>(BlockSparse<T>& a) { a.scale(element_of<T>(factor)); });
}

void divide(Sparse& x, Scalar by) {
  with_matrix(x, [&]<class T>(BlockSparse<T>& a) { a.divide(element_of<T>(by)); });
}

void shift(Sparse& x, Scalar by) {
  with_matrix(x, [&]<class T>(BlockSparse<T>& a) { a.add_to_diagonal(element_of<T>(by)); });
}

BlockProductReport product(Op op_a, Op op_b, Scalar alpha, const Sparse& a, const Sparse& b, Scalar beta, Sparse& c,
                           const BlockProductOptions& options) {
  Leaving leaving(c);
  const nb::gil_scoped_release released;
  const BlockProductReport report = with_matrix(c, [&]<class T>(BlockSparse<T>& C) {
    return multiply<T>(op_a, op_b, element_of<T>(alpha), same<T>(a), same<T>(b), element_of<T>(beta), C, options);
  });
  leaving.done();
  return report;
}

double check(Op op_a, Op op_b, Scalar alpha, const Sparse& a, const Sparse& b, Scalar beta, const Sparse* before,
             const Sparse& c, double eps) {
  return with_matrix(c, [&]<class T>(const BlockSparse<T>& C) {
    return freivalds<T>(op_a, op_b, element_of<T>(alpha), same<T>(a), same<T>(b), element_of<T>(beta),
                        before ? &same<T>(*before) : nullptr, C, eps)
        .ratio;
  });
}

BlockPlan planned(Op op_a, Op op_b, Scalar alpha, const Sparse& a, const Sparse& b, Scalar beta, const Sparse& c,
                  const BlockProductOptions& options) {
  return with_matrix(c, [&]<class T>(const BlockSparse<T>& C) {
    return plan<T>(op_a, op_b, element_of<T>(alpha), same<T>(a), same<T>(b), element_of<T>(beta), C, options);
  });
}

void bind_options(nb::module_& m) {
  nb::class_<BlockRange>(m, "BlockRange").def(nb::init<BlockIndex, BlockIndex>(), nb::arg("first"), nb::arg("last"));
  using O = BlockProductOptions;
  nb::class_<O>(m, "BlockProductOptions", "include/cairn/block_sparse.hpp")
      .def(nb::init<>())
      .def_rw("filter_eps", &O::filter_eps)
      .def_rw("retain_sparsity", &O::retain_sparsity)
      .def_rw("rows", &O::rows, nb::none())
      .def_rw("cols", &O::cols, nb::none())
      .def_rw("inner", &O::inner, nb::none())
      .def_rw("algorithm", &O::algorithm)
      .def_rw("memory_words", &O::memory_words, nb::none())
      .def_rw("transport", &O::transport)
      .def_rw("threads", &O::threads);
}

void bind_report(nb::module_& m) {
  nb::class_<BlockProductReport> bound(m, "BlockProductReport",
                                       "What one product of block-sparse matrices did on this rank.");
  using R = BlockProductReport;
  pickle_by<&R::algorithm, &R::transport, &R::products, &R::flops, &R::received, &R::received_index, &R::messages,
            &R::redistributed, &R::predicted, &R::seconds, &R::multiply_seconds, &R::wait_seconds>(bound);
  bound.def_ro("algorithm", &BlockProductReport::algorithm, "Spelling of the schedule, in one line.")
      .def_ro("transport", &BlockProductReport::transport, "Transport by which panels of A and B travelled.")
      .def_ro("products", &BlockProductReport::products, "Products of blocks.")
      .def_ro("flops", &BlockProductReport::flops, "Operations, 2 for each product of two elements.")
      .def_ro("received", &BlockProductReport::received, "Words of values that arrived.")
      .def_ro("received_index", &BlockProductReport::received_index,
              "Numbers of 32 bits that said which blocks these are, or which are needed.")
      .def_ro("messages", &BlockProductReport::messages, "Panels that arrived.")
      .def_ro("redistributed", &BlockProductReport::redistributed,
              "Words that arrived before the product, to bring A and B to where C is.")
      .def_ro("predicted", &BlockProductReport::predicted, "Words that should arrive; for C these are expected words.")
      .def_ro("seconds", &BlockProductReport::seconds, "Time of the whole product.")
      .def_ro("multiply_seconds", &BlockProductReport::multiply_seconds, "Time of local products.")
      .def_ro("wait_seconds", &BlockProductReport::wait_seconds, "Time of waiting for panels.");
}

void bind_facts(nb::class_<Sparse>& c) {
  const nb::call_guard<nb::gil_scoped_release> released;
  const auto ask = [&](const char* name, auto what) { c.def(name, on_matrix(what), released); };
  ask("blocks", [](const auto& x) { return x.blocks(); });
  ask("words", [](const auto& x) { return x.words(); });
  ask("occupancy", [](const auto& x) { return x.occupancy(); });
  ask("trace", [](const auto& x) { return Scalar(x.trace()); });
  ask("local_blocks", [](const auto& x) { return x.local().blocks(); });
  ask("symmetry", [](const auto& x) { return x.symmetry(); });
  ask("gershgorin", [](const auto& x) { return x.gershgorin(); });
  ask("to_dense", [](const auto& x) { return Part{x.to_dense()}; });
  ask("copy", [](const auto& x) { return Sparse{x}; });
  c.def("norm", on_matrix<Norm>([](const auto& x, Norm which) { return x.norm(which); }), nb::arg("which"), released);
  c.def(
      "filter",
      [](Sparse& x, double eps) {
        Leaving leaving(x);
        with_matrix(x, [&](auto& a) {
          const Int before = a.local().blocks();
          a.filter(eps);
          if (a.local().blocks() < before) leaving.done();
        });
      },
      nb::arg("eps"));
  c.def("dot", &dot, nb::arg("other"), released);
  c.def("redistributed", on_matrix<const BlockDistribution&>([](const auto& x, const auto& where) {
          return Sparse{x.redistributed(where)};
        }),
        nb::arg("where"), released);
  c.def("transposed", on_matrix<Op>([](const auto& x, Op op) { return Sparse{x.transposed(op)}; }), nb::arg("op"),
        released);
  c.def("stored_as",
        on_matrix<Symmetry>([](const auto& x, Symmetry symmetry) { return Sparse{x.stored_as(symmetry)}; }),
        nb::arg("symmetry"), released);
}

}  // namespace

void bind_sparse(nb::module_& m) {
  const nb::call_guard<nb::gil_scoped_release> released;
  nb::enum_<Norm>(m, "Norm")
      .value("frobenius", Norm::frobenius)
      .value("max", Norm::max)
      .value("gershgorin", Norm::gershgorin);
  bind_options(m), bind_report(m);
  nb::class_<Sparse> sparse(m, "Sparse", "A block-sparse matrix of any element type.");
  bind_facts(sparse), bind_blocks(sparse), bind_sparse_files(m), bind_distribution_costs(m);
  m.def(
      "sparse_from_rows", &from_rows, nb::arg("comm"), nb::arg("type"), nb::arg("first_row"), nb::arg("first"),
      nb::arg("cols"), nb::arg("values"), nb::arg("row_sizes"), nb::arg("col_sizes"), nb::arg("where").none(),
      nb::arg("symmetry"),
      nb::sig("def sparse_from_rows(comm: int, type: cairn._core.ScalarType, first_row: int, first: typing.Any, cols: "
              "typing.Any, values: typing.Any, row_sizes: list[int], col_sizes: list[int], where: "
              "cairn._core.BlockDistribution | None, symmetry: cairn._core.Symmetry) -> Sparse"));
  m.def("sparse_to_rows", &to_rows, nb::arg("x"), nb::arg("lo"), nb::arg("hi"),
        nb::sig("def sparse_to_rows(x: Sparse, lo: int, hi: int) -> tuple[typing.Any, typing.Any, typing.Any]"));
  m.def("sparse_from_dense", &from_dense, nb::arg("comm"), nb::arg("dense"), nb::arg("row_sizes"), nb::arg("col_sizes"),
        nb::arg("eps"), nb::arg("where").none(), nb::arg("symmetry"), released);
  m.def("sparse_zeros", &zeros, nb::arg("comm"), nb::arg("type"), nb::arg("row_sizes"), nb::arg("col_sizes"),
        nb::arg("where").none(), nb::arg("symmetry"), released);
  m.def("sparse_add", &add, nb::arg("to"), nb::arg("factor"), nb::arg("x"));
  m.def("sparse_scale", &scale, nb::arg("x"), nb::arg("factor"), released);
  m.def("sparse_divide", &divide, nb::arg("x"), nb::arg("divisor"), released);
  m.def("sparse_shift", &shift, nb::arg("x"), nb::arg("by"), released);
  m.def("sparse_multiply", &product, nb::arg("op_a"), nb::arg("op_b"), nb::arg("alpha"), nb::arg("a"), nb::arg("b"),
        nb::arg("beta"), nb::arg("c"), nb::arg("options"));
  m.def("sparse_check", &check, nb::arg("op_a"), nb::arg("op_b"), nb::arg("alpha"), nb::arg("a"), nb::arg("b"),
        nb::arg("beta"), nb::arg("before").none(), nb::arg("c"), nb::arg("eps"), released);
  m.def("sparse_plan", &planned, nb::arg("op_a"), nb::arg("op_b"), nb::arg("alpha"), nb::arg("a"), nb::arg("b"),
        nb::arg("beta"), nb::arg("c"), nb::arg("options"), released);
}

}  // namespace cairn::python
