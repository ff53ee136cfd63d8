// Single blocks of a rank, as NumPy sees them. Arrays that show blocks are in the matrix's memory until blocks are
// stored or dropped; then they keep what was there, and can no longer be written to.
#include <any>

#include "api/block_arguments.hpp"
#include "base/arithmetic.hpp"
#include "sparse.hpp"

namespace cairn::python {

namespace {

using Values = nb::ndarray<nb::ro, nb::ndim<2>, nb::f_contig, nb::device::cpu>;
using Block = std::pair<BlockIndex, BlockIndex>;

// The block, if the matrix has it.
template <class T>
Block block_of(const BlockSparse<T>& x, Int i, Int j) {
  if (i < 0 || j < 0 || i >= static_cast<Int>(x.rows().size()) || j >= static_cast<Int>(x.cols().size()))
    throw ArgumentError(fmt::format("block: ({}, {}), expected one of {}x{}", i, j, x.rows().size(), x.cols().size()));
  return {static_cast<BlockIndex>(i), static_cast<BlockIndex>(j)};
}

// Whether there is none, so that others move when it is stored.
template <class T>
bool is_new(const BlockSparse<T>& x, Block b) {
  const auto [i, j] = b;
  return x.here(i, j) && x.rows()[place(i)] > 0 && x.cols()[place(j)] > 0 && !x.find(i, j).data;
}

// Elements are of the matrix's type.
void store(Sparse& x, Int i, Int j, const Values& values, bool adds) {
  with_matrix(x, [&]<class T>(BlockSparse<T>& matrix) {
    const Block b = block_of(matrix, i, j);
    const Int height = matrix.rows()[place(b.first)], width = matrix.cols()[place(b.second)];
    if (static_cast<Int>(values.shape(0)) != height || static_cast<Int>(values.shape(1)) != width)
      throw ArgumentError(fmt::format("block: ({}, {}) of {} x {} elements, expected {} x {}", i, j, values.shape(0),
                                      values.shape(1), height, width));
    Leaving leaving(x, is_new(matrix, b));
    const T* const elements = static_cast<const T*>(values.data());
    adds ? matrix.add(b.first, b.second, elements) : matrix.put(b.first, b.second, elements);
    leaving.done();
  });
}

}  // namespace

// What the arrays of one matrix hold on to: first the matrix, then the blocks that it has moved away from.
class Sparse::Shown {
 public:
  explicit Shown(nb::object matrix) : matrix_(std::move(matrix)) {}

  void add(const nb::object& array) {
    constexpr std::size_t some = 64;
    if (arrays_.size() >= room_) {
      std::erase_if(arrays_, [](const nb::object& a) { return a.attr("__call__")().is_none(); });
      room_ = 2 * arrays_.size() + some;
    }
    arrays_.push_back(nb::steal(PyWeakref_NewRef(array.ptr(), nullptr)));
  }
  // Nothing that is written to the arrays would be in the matrix.
  void part() {
    for (const nb::object& a : arrays_)
      if (nb::object array = a.attr("__call__")(); !array.is_none()) array.attr("setflags")(nb::arg("write") = false);
    matrix_.reset();
  }

  std::any blocks;  ///< that the matrix has moved away from

 private:
  nb::object matrix_;
  std::vector<nb::object> arrays_;  // weak references
  std::size_t room_ = 0;
};

Leaving::Leaving(Sparse& x, bool moves) : x_(x), shown_(moves ? x.shown.lock() : nullptr) {
  if (!shown_) return;
  with_matrix(x_, [&](auto& matrix) {
    auto copy = matrix.local();
    shown_->blocks = matrix.take();
    matrix.assign(std::move(copy));
  });
  x_.shown.reset();
}

Leaving::~Leaving() {
  if (!shown_) return;
  if (done_) {
    shown_->part();
    return;
  }
  with_matrix(x_, [&]<class T>(BlockSparse<T>& matrix) {
    matrix.assign(std::any_cast<Blocks<T>&&>(std::move(shown_->blocks)));
  });
  x_.shown = shown_;
}

namespace {

nb::object view(nb::handle self, Int i, Int j) {
  Sparse& x = nb::cast<Sparse&>(self);
  std::shared_ptr<Sparse::Shown> shown = x.shown.lock();
  if (!shown) shown = std::make_shared<Sparse::Shown>(nb::borrow(self));
  return with_matrix(x, [&]<class T>(BlockSparse<T>& matrix) -> nb::object {
    const Block b = block_of(matrix, i, j);
    matrix.local();  // in their rows: nothing that only reads moves them then
    const MatrixView<T> found = matrix.find(b.first, b.second);
    if (!found.data) return nb::none();
    using Kept = std::shared_ptr<Sparse::Shown>;
    const nb::capsule owner(new Kept(shown), [](void* p) noexcept { delete static_cast<Kept*>(p); });
    const std::size_t shape[] = {static_cast<std::size_t>(found.rows), static_cast<std::size_t>(found.cols)};
    const std::int64_t strides[] = {1, found.ld};
    nb::object array = nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<2>>(found.data, 2, shape, owner, strides));
    shown->add(array);
    x.shown = shown;
    return array;
  });
}

void reserve(Sparse& x, const std::vector<std::pair<Int, Int>>& wanted) {
  with_matrix(x, [&]<class T>(BlockSparse<T>& matrix) {
    std::vector<Block> blocks;
    bool moves = false;
    for (const auto& [i, j] : wanted) {
      const Block b = blocks.emplace_back(block_of(matrix, i, j));
      matrix.find(b.first, b.second);  // or an error that names the mirror image, which is stored in its place
      if (!matrix.here(b.first, b.second))
        throw ArgumentError(fmt::format("block: ({}, {}) belongs to rank {}, expected one of rank {}", i, j,
                                        matrix.where().owner(b.first, b.second), matrix.comm().rank()));
      moves = moves || is_new(matrix, b);
    }
    Leaving leaving(x, moves);
    matrix.reserve(blocks);
    leaving.done();
  });
}

// Block rows and block columns of the blocks that are stored here, row by row.
nb::tuple pattern(const Sparse& x) {
  return with_matrix(x, [](const auto& matrix) {
    std::vector<BlockIndex> rows, cols;
    for_each(matrix.local(), [&](BlockIndex i, BlockIndex j, Int) { rows.push_back(i), cols.push_back(j); });
    return nb::make_tuple(array_of(std::move(rows)), array_of(std::move(cols)));
  });
}

// Of all rows or columns where no range is given.
Sparse cropped(const Sparse& x, const std::optional<BlockRange>& rows, const std::optional<BlockRange>& cols) {
  return with_matrix(x, [&](const auto& matrix) {
    return Sparse{matrix.cropped(rows.value_or(all_blocks(matrix.rows())), cols.value_or(all_blocks(matrix.cols())))};
  });
}

}  // namespace

void bind_blocks(nb::class_<Sparse>& c) {
  c.def("store", &store, nb::arg("i"), nb::arg("j"), nb::arg("values"), nb::arg("adds"),
        nb::sig("def store(self, i: int, j: int, values: typing.Any, adds: bool) -> None"))
      .def("view", &view, nb::arg("i"), nb::arg("j"),
           nb::sig("def view(self, i: int, j: int) -> numpy.typing.NDArray[typing.Any] | None"))
      .def("reserve", &reserve, nb::arg("blocks"))
      .def("pattern", &pattern,
           nb::sig("def pattern(self) -> tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.int32]]"))
      .def("cropped", &cropped, nb::arg("rows").none(), nb::arg("cols").none())
      .def("where", on_matrix([](const auto& a) { return a.where(); }))
      .def(
          "here",
          [](const Sparse& x, Int i, Int j) {
            return with_matrix(x, [&](const auto& a) {
              const Block b = block_of(a, i, j);
              return a.here(b.first, b.second);
            });
          },
          nb::arg("i"), nb::arg("j"))
      .def("clear", [](Sparse& x) {
        Leaving leaving(x);
        with_matrix(x, [](auto& a) { a.clear(); });
        leaving.done();
      });
}

}  // namespace cairn::python
