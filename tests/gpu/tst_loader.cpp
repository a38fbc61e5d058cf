// SPDX-License-Identifier: Apache-2.0
// Finding LibTorch: what is missing is said, and no program but remat-run ever loads it.
#include "gpu/torch_location.h"
#include "tests/gpu/program_builder.h"
#include "tests/gpu/run_support.h"
#include "tests/support/torch.h"

#include <QtTest>

#include <array>
#include <cstdlib>
#include <dlfcn.h>
#include <fstream>
#include <gnu/libc-version.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace remat;
using namespace remat::test;

namespace {

/// Runs `job` in a child process with a variable of the environment set, since a process asks only once. Returns what
/// the job returned.
template <class Job>
QString with(const char *variable, const char *value, const Job &job)
{
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) return "no pipe";
    const pid_t child = fork();
    if (child == 0) {
        setenv(variable, value, 1);
        const std::string answer = job();
        const bool written = write(ends[1], answer.data(), answer.size()) == static_cast<ssize_t>(answer.size());
        _exit(written ? 0 : 1);
    }
    close(ends[1]);
    std::string answer;
    std::array<char, 4096> buffer{};
    for (ssize_t got = 0; (got = read(ends[0], buffer.data(), buffer.size())) > 0;)
        answer.append(buffer.data(), static_cast<std::size_t>(got));
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? QString::fromStdString(answer) : "crashed";
}

template <class Job>
QString withModule(const char *module, const Job &job)
{
    return with("REMAT_TORCH_MODULE", module, job);
}

Model smallModel()
{
    Builder builder;
    const ValueId x = builder.input("x");
    return builder.model(builder.node("twice", "aten::mul", "Tensor", {{"self", x}, {"other", 2.0}}));
}

std::string sentence()
{
    return runtimeInfo().available ? "available" : runtimeInfo().sentence;
}

bool torchIsLoaded()
{
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);)
        if (line.find("libtorch") != std::string::npos || line.find("libremat_torch") != std::string::npos) return true;
    return false;
}

} // namespace

class TestLoader : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void startUpLoadsNothing() { QVERIFY(!torchIsLoaded()); }

    void missingModule()
    {
        const QString info = withModule("/nonexistent", sentence);
        QVERIFY2(info.contains("/nonexistent") && info.contains("packaging/run") && info.contains("REMAT_TORCH_DIR"),
                 qPrintable(info));
        const QString profile = withModule("/nonexistent", [] {
            const auto result = profileModel(smallModel(), RunDevice::Cpu, {1}, {});
            return result ? std::string() : result.error().message;
        });
        QCOMPARE(profile, info);
        const QString validation = withModule("/nonexistent", [] {
            const Model model = smallModel();
            const auto result =
                validatePlan(model, bareCosts(model.graph), keepAllPlan(model.graph), RunDevice::Cpu, {});
            return result ? std::string() : result.error().message;
        });
        QCOMPARE(validation, info);
    }

    void foreignModule()
    {
        if (builtTorchVersion().empty()) REMAT_NO_TORCH("this build has no LibTorch, which is looked for first");
        // A library, but not ours; and a file that is no library.
        Dl_info library;
        QVERIFY(dladdr(reinterpret_cast<void *>(&gnu_get_libc_version), &library));
        const QString foreign = withModule(library.dli_fname, sentence);
        QVERIFY2(foreign.contains("another build"), qPrintable(foreign));
        const QString text = withModule("/etc/passwd", sentence);
        QVERIFY2(text.contains("could not be loaded"), qPrintable(text));
    }

    void missingHelper()
    {
        // Never a run without it.
        const QString info = with("REMAT_RUN", "/nonexistent", sentence);
        QVERIFY2(info.startsWith("/nonexistent cannot be started"), qPrintable(info));
        const QString profile = with("REMAT_RUN", "/nonexistent", [] {
            const auto result = profileModel(smallModel(), RunDevice::Cpu, {1}, {});
            return result ? std::string("ran") : result.error().message;
        });
        QCOMPARE(profile, info);
    }

    void aFailureIsNotRemembered()
    {
        const QString answer = with("REMAT_RUN", "/nonexistent", [] {
            const RuntimeInfo before = runtimeInfo();
            qunsetenv("REMAT_RUN"); // as after an installation
            const RuntimeInfo after = runtimeInfo();
            return (before.available ? "there|" : "missing|") + after.sentence;
        });
        QVERIFY2(answer.startsWith("missing|") && !answer.contains("/nonexistent"), qPrintable(answer));
    }

    void moduleTellsWhatItIs()
    {
        const QString answer = withModule("", [] {
            const RuntimeInfo info = runtimeInfo();
            if (!info.available) return "skip " + info.sentence;
            return info.torchVersion + (torchIsLoaded() ? " loaded" : " not loaded") + " behind " + info.protection +
                   (info.cuda == info.sentence.empty() ? " consistent" : " inconsistent");
        });
        if (answer.startsWith("skip ")) REMAT_NO_TORCH(qPrintable(answer.mid(5)));
        QVERIFY2(answer.startsWith("2.") && answer.contains(" not loaded behind seccomp") &&
                     answer.endsWith("consistent"),
                 qPrintable(answer));
    }
};

QTEST_GUILESS_MAIN(TestLoader)
#include "tst_loader.moc"
