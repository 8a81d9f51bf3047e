#include "reporting/hdf5_reader/tree.hpp"

#include <algorithm>
#include <set>

namespace spacedyn::hdf5 {
namespace {

constexpr int kMaxDepth = 16;
constexpr std::size_t kMaxObjects = 65536;
constexpr std::size_t kMaxName = 1024;

struct Entry {
  std::string name;
  H5L_type_t type = H5L_TYPE_ERROR;
  haddr_t address = HADDR_UNDEF;
};

herr_t collect(hid_t /*group*/, const char* name, const H5L_info_t* info, void* data) {
  auto& entries = *static_cast<std::vector<Entry>*>(data);
  if (entries.size() >= kMaxObjects) return -1;
  const bool is_hard = info->type == H5L_TYPE_HARD;
  entries.push_back({name, info->type, is_hard ? info->u.address : HADDR_UNDEF});
  return 0;
}

class Walk {
 public:
  explicit Walk(std::vector<std::string>& paths) : paths_(paths) {}

  void group(hid_t group, const std::string& path, int depth) {
    if (depth > kMaxDepth)
      throw Failure("its groups lie more than 16 deep, unlike those of results");
    std::vector<Entry> entries;
    hsize_t next = 0;
    const herr_t status = H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, &next, &collect, &entries);
    if (entries.size() >= kMaxObjects) throw_too_many();
    check(status);
    for (const Entry& entry : entries) visit(group, path, entry, depth);
  }

 private:
  [[noreturn]] static void throw_too_many() {
    throw Failure("it holds more than 65536 objects, unlike results");
  }

  void visit(hid_t parent, const std::string& path, const Entry& entry, int depth) {
    const std::string whole = path + entry.name;
    if (entry.name.size() > kMaxName) throw Failure("a name in it is longer than 1024 bytes");
    if (entry.type != H5L_TYPE_HARD) {
      throw Failure("'/" + whole + "' is a link to another place or file; results hold none, and " +
                    "such links are not followed");
    }
    if (!seen_.insert(entry.address).second) {
      throw Failure("'/" + whole + "' is linked from more than one place, unlike in results");
    }
    if (seen_.size() > kMaxObjects) throw_too_many();
    const Handle object(H5Oopen(parent, entry.name.c_str(), H5P_DEFAULT), &H5Oclose);
    const H5I_type_t type = H5Iget_type(object);
    if (type == H5I_GROUP) group(object, whole + '/', depth + 1);
    if (type == H5I_DATASET) paths_.push_back(whole);
  }

  std::vector<std::string>& paths_;
  std::set<haddr_t> seen_;
};

void check_filters(hid_t properties, const std::string& path) {
  const int count = check(H5Pget_nfilters(properties));
  for (int i = 0; i < count; ++i) {
    unsigned flags = 0;
    std::size_t values = 0;
    const H5Z_filter_t filter = check(H5Pget_filter2(properties, static_cast<unsigned>(i), &flags,
                                                     &values, nullptr, 0, nullptr, nullptr));
    if (filter == H5Z_FILTER_DEFLATE || filter == H5Z_FILTER_SHUFFLE ||
        filter == H5Z_FILTER_FLETCHER32) {
      continue;
    }
    throw Failure("'/" + path + "' is packed by the filter " + std::to_string(filter) +
                  "; gzip, shuffle and fletcher32 can be read");
  }
}

void check_storage(hid_t dataset, const std::string& path) {
  const Handle properties(H5Dget_create_plist(dataset), &H5Pclose);
  const H5D_layout_t layout = H5Pget_layout(properties);
  if (layout == H5D_VIRTUAL || check(H5Pget_external_count(properties)) > 0) {
    throw Failure("the numbers of '/" + path +
                  "' are said to be in another file, which is not read");
  }
  if (layout != H5D_CHUNKED) return;
  check_filters(properties, path);
}

}  // namespace

std::vector<std::string> dataset_paths(hid_t file) {
  std::vector<std::string> paths;
  const Handle root(H5Gopen2(file, "/", H5P_DEFAULT), &H5Gclose);
  Walk(paths).group(root, "", 0);
  return paths;
}

Handle open_dataset(hid_t file, const std::string& path, std::size_t cache) {
  constexpr std::size_t kSlots = 521;
  const Handle access(H5Pcreate(H5P_DATASET_ACCESS), &H5Pclose);
  check(H5Pset_chunk_cache(access, kSlots, cache, 1.0));
  Handle dataset(H5Dopen2(file, path.c_str(), access), &H5Dclose);
  check_storage(dataset, path);
  return dataset;
}

}  // namespace spacedyn::hdf5
