// Dense matrices from and to files for the C API.
#include "api/made_together.hpp"
#include "capi/handles.hpp"

using namespace cairn::capi;

namespace {

struct What {
  cairn::ScalarType type;
  std::string path;
};

// A whole call: work(T(), communicator, path), where all ranks have the same type.
template <class Work>
cairn_status with_file(const cairn_comm* comm, cairn_type type, const char* path, const cairn_matrix* m,
                       const char* name, Work work) {
  const auto understand = [&] {
    need(path, "path"), need_matrix(m, name);
    return What{scalar_of(type), path};
  };
  return on_comm(comm, understand, [&]<class T>(T one, const cairn::Comm& on, const What& what) {
    on.agree_same("type", std::string(cairn::name_of(what.type)));
    work(one, on, what.path);
  });
}

}  // namespace

cairn_status cairn_inspect_file(const cairn_comm* comm, const char* path, cairn_file_info* info) {
  return guarded([&] {
    const cairn::Comm& on = need(comm, "comm")->comm;
    cairn::made_together(on, [&] { return need(path, "path") && need(info, "info"); });
    const cairn::FileInfo file = cairn::inspect_file(on, path);
    *info = {file.rows, file.cols, static_cast<cairn_type>(file.type), file.vector};
  });
}

cairn_status cairn_read_matrix(const cairn_comm* comm, cairn_type type, const char* path, const cairn_matrix* b) {
  return with_file(comm, type, path, b, "b", [&]<class T>(T, const cairn::Comm& on, const std::string& file) {
    const cairn::DistMatrix<T> to = matrix<T>(b, "b", on.rank());
    cairn::redistribute(on, cairn::read_matrix<T>(on, file, to.layout()), to);
  });
}

cairn_status cairn_write_npy(const cairn_comm* comm, cairn_type type, const char* path, const cairn_matrix* a) {
  return with_file(comm, type, path, a, "a", [&]<class T>(T, const cairn::Comm& on, const std::string& file) {
    cairn::write_npy<T>(on, file, matrix<T>(a, "a", on.rank()));
  });
}
