// SPDX-License-Identifier: Apache-2.0
#include "core/exports/exporter.h"

#include <algorithm>

namespace remat {

namespace exporter {
#define REMAT_EXPORTER(name) const ExportFormat &name();
#include "exporter_list.inc"
#undef REMAT_EXPORTER
} // namespace exporter

const std::vector<ExportFormat> &exportFormats()
{
    static const std::vector<ExportFormat> all = [] {
        std::vector<ExportFormat> list = {
#define REMAT_EXPORTER(name) exporter::name(),
#include "exporter_list.inc"
#undef REMAT_EXPORTER
        };
        std::sort(list.begin(), list.end(),
                  [](const ExportFormat &a, const ExportFormat &b) { return a.order < b.order; });
        return list;
    }();
    return all;
}

Expected<const ExportFormat *> findExportFormat(const std::string &name)
{
    std::string names;
    for (const ExportFormat &format : exportFormats()) {
        if (format.name == name) return &format;
        names += (names.empty() ? "" : ", ") + format.name;
    }
    return fail("There is no export \"{}\". There are: {}.", name, names);
}

} // namespace remat
