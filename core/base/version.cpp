// SPDX-License-Identifier: Apache-2.0
#include "core/base/version.h"

namespace remat {

const std::string &programVersion()
{
    static const std::string version = REMAT_VERSION;
    return version;
}

const std::string &writtenBy()
{
    static const std::string name = "remat-studio " + programVersion();
    return name;
}

} // namespace remat
