// SPDX-License-Identifier: Apache-2.0
#include "app/cli/interrupt.h"

#include <csignal>

namespace remat::cli {

namespace {

StopToken &token()
{
    static StopToken instance;
    return instance;
}

StopToken *signalToken = nullptr; // a handler may not run the initialisation of a local static

void onSignal(int signal)
{
    signalToken->requestStop();
    std::signal(signal, SIG_DFL);
}

} // namespace

const StopToken &stopOnInterrupt()
{
    signalToken = &token();
    std::signal(SIGINT, onSignal);
    std::signal(SIGTERM, onSignal);
    return *signalToken;
}

} // namespace remat::cli
