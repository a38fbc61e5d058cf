#include "core/io/csv.h"

namespace remat {

std::string csvLine(const std::vector<std::string> &fields)
{
    std::string line;
    for (const std::string &field : fields) {
        if (&field != fields.data()) line += ',';
        if (field.find_first_of(",\"\r\n") == std::string::npos) {
            line += field;
            continue;
        }
        line += '"';
        for (const char c : field) {
            if (c == '"') line += '"';
            line += c;
        }
        line += '"';
    }
    line += '\n';
    return line;
}

} // namespace remat
