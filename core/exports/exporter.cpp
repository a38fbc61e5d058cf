#include "core/exports/exporter.h"

#include <algorithm>

namespace remat {

namespace exporter {
#define REMAT_EXPORTER(name) ExportFormat name();
#include "core/exports/exporter_list.inc"
#undef REMAT_EXPORTER
} // namespace exporter

const std::vector<ExportFormat> &exportFormats()
{
    static const std::vector<ExportFormat> kFormats = {
#define REMAT_EXPORTER(name) exporter::name(),
#include "core/exports/exporter_list.inc"
#undef REMAT_EXPORTER
    };
    return kFormats;
}

Expected<const ExportFormat *> findExportFormat(const std::string &name)
{
    const std::vector<ExportFormat> &formats = exportFormats();
    const auto found =
        std::find_if(formats.begin(), formats.end(), [&](const ExportFormat &format) { return format.name == name; });
    if (found != formats.end()) return &*found;
    std::string names;
    for (const ExportFormat &format : formats)
        names += (names.empty() ? "" : ", ") + format.name;
    return fail("There is no export \"" + name + "\". There are: " + names + ".");
}

} // namespace remat
