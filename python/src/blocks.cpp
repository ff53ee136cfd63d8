// Single blocks of a rank, as NumPy sees them. Arrays that show blocks are in the matrix's memory until blocks are
// stored or dropped; then they keep what was there, and can no longer be written to.
#include <any>

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

template <class T>
std::array<Int, 2> shape_of(const BlockSparse<T>& x, const Block& b) {
  return {x.rows()[static_cast<std::size_t>(b.first)], x.cols()[static_cast<std::size_t>(b.second)]};
}

// Elements are of the matrix's type.
void store(Sparse& x, Int i, Int j, const Values& values, bool adds) {
  std::visit(
      [&]<class T>(BlockSparse<T>& matrix) {
        const Block b = block_of(matrix, i, j);
        const auto [height, width] = shape_of(matrix, b);
        if (static_cast<Int>(values.shape(0)) != height || static_cast<Int>(values.shape(1)) != width)
          throw ArgumentError(fmt::format("block: ({}, {}) of {} x {} elements, expected {} x {}", i, j,
                                          values.shape(0), values.shape(1), height, width));
        if (matrix.here(b.first, b.second) && height * width > 0 && !matrix.find(b.first, b.second).data)
          leave_to_arrays(x);
        const T* const elements = static_cast<const T*>(values.data());
        adds ? matrix.add(b.first, b.second, elements) : matrix.put(b.first, b.second, elements);
      },
      x.matrix);
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
  void keep(std::any blocks) {
    for (const nb::object& a : arrays_)
      if (nb::object array = a.attr("__call__")(); !array.is_none()) array.attr("setflags")(nb::arg("write") = false);
    blocks_ = std::move(blocks);
    matrix_.reset();
  }

 private:
  nb::object matrix_;
  std::any blocks_;
  std::vector<nb::object> arrays_;  // weak references
  std::size_t room_ = 0;
};

void leave_to_arrays(Sparse& x) {
  const std::shared_ptr<Sparse::Shown> shown = x.shown.lock();
  if (!shown) return;
  std::visit(
      [&](auto& matrix) {
        auto copy = matrix.local();
        shown->keep(matrix.take());
        matrix.assign(std::move(copy));
      },
      x.matrix);
  x.shown.reset();
}

namespace {

nb::object view(nb::handle self, Int i, Int j) {
  Sparse& x = nb::cast<Sparse&>(self);
  std::shared_ptr<Sparse::Shown> shown = x.shown.lock();
  if (!shown) shown = std::make_shared<Sparse::Shown>(nb::borrow(self));
  return std::visit(
      [&]<class T>(BlockSparse<T>& matrix) -> nb::object {
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
      },
      x.matrix);
}

void reserve(Sparse& x, const std::vector<std::pair<Int, Int>>& wanted) {
  std::visit(
      [&]<class T>(BlockSparse<T>& matrix) {
        std::vector<Block> blocks;
        for (const auto& [i, j] : wanted) {
          const Block b = blocks.emplace_back(block_of(matrix, i, j));
          matrix.find(b.first, b.second);  // or an error that names the mirror image, which is stored in its place
          if (!matrix.here(b.first, b.second))
            throw ArgumentError(fmt::format("block: ({}, {}) belongs to rank {}, expected one of rank {}", i, j,
                                            matrix.where().owner(b.first, b.second), matrix.comm().rank()));
        }
        leave_to_arrays(x);
        matrix.reserve(blocks);
      },
      x.matrix);
}

nb::object numbers(std::vector<BlockIndex>&& values) { return array_of(std::move(values)); }

// Block rows and block columns of the blocks that are stored here, row by row.
nb::tuple pattern(const Sparse& x) {
  return std::visit(
      [](const auto& matrix) {
        std::vector<BlockIndex> rows, cols;
        for_each(matrix.local(), [&](BlockIndex i, BlockIndex j, Int) { rows.push_back(i), cols.push_back(j); });
        return nb::make_tuple(numbers(std::move(rows)), numbers(std::move(cols)));
      },
      x.matrix);
}

// Of all rows or columns where no range is given.
Sparse cropped(const Sparse& x, const std::optional<BlockRange>& rows, const std::optional<BlockRange>& cols) {
  return std::visit(
      [&](const auto& matrix) {
        const auto all = [](const BlockSizes& sizes) { return BlockRange{0, static_cast<BlockIndex>(sizes.size())}; };
        return Sparse{matrix.cropped(rows.value_or(all(matrix.rows())), cols.value_or(all(matrix.cols())))};
      },
      x.matrix);
}

}  // namespace

void bind_blocks(nb::class_<Sparse>& c) {
  c.def("leave_to_arrays", &leave_to_arrays)
      .def("store", &store, nb::arg("i"), nb::arg("j"), nb::arg("values"), nb::arg("adds"),
           nb::sig("def store(self, i: int, j: int, values: typing.Any, adds: bool) -> None"))
      .def("view", &view, nb::arg("i"), nb::arg("j"),
           nb::sig("def view(self, i: int, j: int) -> numpy.typing.NDArray[typing.Any] | None"))
      .def("reserve", &reserve, nb::arg("blocks"))
      .def("pattern", &pattern,
           nb::sig("def pattern(self) -> tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.int32]]"))
      .def("cropped", &cropped, nb::arg("rows").none(), nb::arg("cols").none())
      .def("where", [](const Sparse& x) { return std::visit([](const auto& a) { return a.where(); }, x.matrix); })
      .def(
          "here",
          [](const Sparse& x, Int i, Int j) {
            return std::visit(
                [&](const auto& a) {
                  const Block b = block_of(a, i, j);
                  return a.here(b.first, b.second);
                },
                x.matrix);
          },
          nb::arg("i"), nb::arg("j"))
      .def("clear", [](Sparse& x) {
        leave_to_arrays(x);
        std::visit([](auto& a) { a.clear(); }, x.matrix);
      });
}

}  // namespace cairn::python
