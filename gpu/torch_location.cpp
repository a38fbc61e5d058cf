// SPDX-License-Identifier: Apache-2.0
#include "gpu/torch_location.h"

#include "core/base/file.h"
#include "core/base/writable.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <fmt/core.h>

namespace remat {
namespace fs = std::filesystem;
namespace {

constexpr std::int64_t kLongestVersionFile = 65'536;

fs::path environment(const char *name)
{
    const char *value = std::getenv(name);
    return value && *value == '/' ? fs::path(value) : fs::path();
}

/// `2.11` of `2.11.0+cu130`. LibTorch promises no binary compatibility between these.
std::string minorOf(const std::string &version)
{
    const std::size_t dot = version.find('.');
    return dot == std::string::npos ? version : version.substr(0, version.find_first_of(".+", dot + 1));
}

/// What `__version__ = '2.11.0+cu130'` says in the wheel's version.py, or the text of build-version, which PyTorch's
/// own archive of LibTorch has instead.
std::string versionIn(const fs::path &folder)
{
    if (const auto text = readFile(folder / "version.py", kLongestVersionFile)) {
        const std::size_t name = text->find("__version__ = '");
        if (name == std::string::npos) return {};
        const std::size_t begin = name + std::string("__version__ = '").size();
        return text->substr(begin, std::min<std::size_t>(text->find('\'', begin) - begin, 40));
    }
    if (const auto text = readFile(folder / "build-version", kLongestVersionFile))
        return text->substr(0, std::min<std::size_t>(text->find_first_of("\r\n"), 40));
    return {};
}

TorchPlace judged(fs::path folder, std::string from, bool chosen)
{
    TorchPlace place{std::move(folder), std::move(from), chosen, {}, {}};
    const std::string wanted = builtTorchVersion();
    for (const char *library : {"lib/libc10.so", "lib/libtorch_cpu.so"}) {
        std::error_code error;
        if (fs::is_regular_file(place.folder / library, error)) continue;
        place.refusal = std::string("has no ") + library;
        return place;
    }
    place.version = versionIn(place.folder);
    if (place.version.empty())
        place.refusal = "does not say its version";
    else if (!wanted.empty() && minorOf(place.version) != minorOf(wanted))
        place.refusal = fmt::format("is {}, and this program is built for {}", place.version, minorOf(wanted));
    else if (!chosen)
        for (const char *part : {".", "lib", "lib/libc10.so", "lib/libtorch_cpu.so"})
            if (othersMayChange(place.folder / part))
                place.refusal = "belongs to another user, or others may write to it";
    return place;
}

class Search
{
public:
    void addFolder(const fs::path &folder, const std::string &from)
    {
        std::error_code error;
        const fs::path real = fs::canonical(folder, error);
        if (error || !fs::is_directory(real, error)) return;
        const auto same = [&real](const TorchPlace &place) { return place.folder == real; };
        if (std::none_of(m_places.begin(), m_places.end(), same)) m_places.push_back(judged(real, from, false));
    }

    /// The torch package of every Python in `prefix`/lib.
    void addPrefix(const fs::path &prefix, const std::string &from)
    {
        if (prefix.empty()) return;
        std::vector<fs::path> pythons;
        std::error_code error;
        for (fs::directory_iterator entry(prefix / "lib", error), end; !error && entry != end; entry.increment(error))
            if (entry->path().filename().string().starts_with("python3")) pythons.push_back(entry->path());
        std::sort(pythons.rbegin(), pythons.rend());
        for (const fs::path &python : pythons)
            for (const char *packages : {"site-packages", "dist-packages"})
                addFolder(python / packages / "torch", from);
    }

    /// LibTorch's own folder, or a virtual environment that has it.
    void addChosen(const fs::path &named)
    {
        Search inside;
        inside.addPrefix(named, "$REMAT_TORCH_DIR");
        const bool isEnvironment = !inside.m_places.empty();
        m_places.push_back(judged(isEnvironment ? inside.m_places.front().folder : named, "$REMAT_TORCH_DIR", true));
    }

    std::vector<TorchPlace> take() { return std::move(m_places); }

private:
    std::vector<TorchPlace> m_places;
};

std::string howToGet()
{
    return "`remat torch --install` gets it, or set REMAT_TORCH_DIR to the folder that holds LibTorch's lib.";
}

} // namespace

std::string builtTorchVersion()
{
    return REMAT_TORCH_VERSION;
}

fs::path ownTorchEnvironment()
{
    fs::path data = environment("XDG_DATA_HOME");
    if (data.empty()) data = environment("HOME") / ".local" / "share";
    return data / "remat-studio" / "torch";
}

std::vector<TorchPlace> torchPlaces()
{
    Search search;
    if (const char *named = std::getenv("REMAT_TORCH_DIR"); named && *named) {
        search.addChosen(named);
        return search.take();
    }
    std::error_code error;
    const fs::path prefix = fs::read_symlink("/proc/self/exe", error).parent_path().parent_path();
    // A build tree links to what it was built against; whoever installs for everybody can do the same.
    search.addFolder(prefix / "lib" / "torch", "the build");
    search.addFolder(prefix / "lib" / "remat-studio" / "torch", "the installation");
    search.addPrefix(environment("VIRTUAL_ENV"), "$VIRTUAL_ENV");
    search.addPrefix(environment("CONDA_PREFIX"), "$CONDA_PREFIX");
    search.addPrefix(ownTorchEnvironment(), "remat torch --install");
    if (const fs::path home = environment("HOME"); !home.empty())
        search.addPrefix(home / ".local", "this user's Python");
    search.addPrefix("/usr/local", "the system's Python");
    search.addPrefix("/usr", "the system's Python");
    return search.take();
}

Expected<TorchPlace> chooseTorch(const std::vector<TorchPlace> &places)
{
    std::string found;
    for (const TorchPlace &place : places) {
        if (place.refusal.empty()) return place;
        found.append(" ").append(place.folder.string()).append(" (").append(place.from).append(") ");
        found.append(place.refusal).append(".");
    }
    return fail("Running graphs needs LibTorch, and {} {}",
                found.empty() ? std::string("there is none on this machine.") : "what is there will not do:" + found,
                howToGet());
}

Expected<TorchPlace> loadTorch()
{
    Expected<TorchPlace> place = chooseTorch(torchPlaces());
    if (!place) return place;
    for (const char *name : {"libc10.so", "libtorch_cpu.so"}) {
        const fs::path library = place->folder / "lib" / name;
        if (dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL)) continue;
        const char *reason = dlerror();
        return fail("{} could not be loaded: {}. {}", library.string(), reason ? reason : "unknown reason", howToGet());
    }
    return place;
}

} // namespace remat
