// SPDX-License-Identifier: Apache-2.0
#include "core/io/file_kind.h"

#include "core/io/archive_data.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <initializer_list>
#include <optional>
#include <vector>
#include <zlib.h>

namespace remat {

namespace {

using namespace std::string_view_literals;

constexpr std::size_t kHeadBytes = 4096;

struct Format {
    std::string_view prefix;
    FileKind kind;
};

constexpr std::array kFormats{
    Format{"remat-graph/", FileKind::Graph},     Format{"remat-plan/", FileKind::Plan},
    Format{"remat-profile/", FileKind::Profile}, Format{"remat-session/", FileKind::Session},
    Format{"remat-lesson/", FileKind::Lesson},   Format{"remat-puzzle/", FileKind::Puzzle},
    Format{"remat-story/", FileKind::Story},     Format{"remat-certificate/", FileKind::Certificate},
    Format{"remat-report/", FileKind::Report},   Format{"remat-device/", FileKind::Device},
    Format{"remat-", FileKind::OtherOurs},
};

bool has(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

bool hasAny(std::string_view text, std::initializer_list<std::string_view> parts)
{
    return std::any_of(parts.begin(), parts.end(), [text](std::string_view part) { return has(text, part); });
}

std::string_view withoutSpaceBefore(std::string_view text)
{
    if (text.starts_with("\xef\xbb\xbf"sv)) text.remove_prefix(3);
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    return text;
}

/// The text between the quotes that follow the first member `format`, or nothing.
std::string_view formatMember(std::string_view head)
{
    constexpr std::string_view kKey = "\"format\"";
    const std::size_t key = head.find(kKey);
    if (key == std::string_view::npos) return {};
    const std::string_view rest = withoutSpaceBefore(head.substr(key + kKey.size()));
    if (!rest.starts_with(':')) return {};
    const std::string_view value = withoutSpaceBefore(rest.substr(1));
    if (!value.starts_with('"')) return {};
    const std::size_t close = value.find('"', 1);
    return close == std::string_view::npos ? std::string_view() : value.substr(1, close - 1);
}

/// What `remat costs --json` prints has no format; its first member tells, whichever way they are sorted.
bool isPrintedCosts(std::string_view head)
{
    std::string begin(head.substr(0, 64));
    std::erase_if(begin, [](unsigned char c) { return std::isspace(c) != 0; });
    return begin.starts_with("{\"bytes\":{") || begin.starts_with("{\"time_us\":{");
}

FileKind kindOfJson(std::string_view head)
{
    if (head.front() == '[') {
        // A raw timeline is a list of [time, action, bytes, category], and a drawn one of [times, sizes].
        const std::string_view inner = withoutSpaceBefore(head.substr(1));
        if (inner.starts_with('[') && inner.find_first_not_of("[]0123456789-+.eE, \t\r\n") == std::string_view::npos)
            return FileKind::MemoryTimeline;
        return has(head, "\"ph\"") && has(head, "\"ts\"") ? FileKind::ProfilerTrace : FileKind::Json;
    }
    if (const std::string_view format = formatMember(head); !format.empty()) {
        const auto *known = std::find_if(kFormats.begin(), kFormats.end(),
                                         [format](const Format &f) { return format.starts_with(f.prefix); });
        if (known != kFormats.end()) return known->kind;
    }
    if (isPrintedCosts(head)) return FileKind::Profile;
    if (hasAny(head, {"\"traceEvents\"", "\"displayTimeUnit\""})) return FileKind::ProfilerTrace;
    if (has(head, "\"segments\"") && hasAny(head, {"\"segment_type\"", "\"total_size\"", "\"device_traces\""}))
        return FileKind::MemorySnapshot;
    if (has(head, "\"nbformat\"") || (has(head, "\"cells\"") && has(head, "\"cell_type\""))) return FileKind::Notebook;
    if (has(head, "\"weight_map\"")) return FileKind::WeightsIndex;
    if (hasAny(head, {"\"model_type\"", "\"transformers_version\"", "\"peft_type\""})) return FileKind::ModelConfig;
    if (hasAny(head, {"\"zero_optimization\"", "\"train_micro_batch_size_per_gpu\"", "\"train_batch_size\""}))
        return FileKind::Settings;
    if (has(head, "\"multigraph\"") || (has(head, "\"nodes\"") && hasAny(head, {"\"links\"", "\"edges\""})))
        return FileKind::NodeLink;
    return FileKind::Json;
}

FileKind kindOfPickle(std::string_view head)
{
    if (has(head, "segments") && hasAny(head, {"segment_type", "total_size", "device_traces"}))
        return FileKind::MemorySnapshot;
    // The number that torch.save wrote first before it wrote archives.
    if (head.substr(2).starts_with("\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19"sv)) return FileKind::Checkpoint;
    return FileKind::Pickle;
}

/// A message of protobuf that begins with ONNX's fields: the version, then who made it, the operators' sets or a graph.
bool isOnnx(std::string_view head)
{
    return head.size() > 3 && head[0] == '\x08' && head[1] > 0 && head[1] < 20 &&
           has("\x12\x3a\x42\x1a"sv, head.substr(2, 1));
}

bool isSafetensors(std::string_view head)
{
    if (head.size() < 10 || head[8] != '{' || head[9] != '"') return false;
    std::uint64_t bytes = 0;
    for (std::size_t i = 8; i-- > 0;)
        bytes = bytes << 8U | static_cast<unsigned char>(head[i]);
    return bytes < 100'000'000 && hasAny(head, {"\"dtype\"", "\"__metadata__\""});
}

/// An event file is a list of records: their length and its checksum stand before a message that says its version.
bool isTensorBoard(std::string_view head)
{
    return has(head.substr(0, 64), "brain.Event:");
}

/// In the protocol 0 of Python 2 a pickle is text.
bool isTextPickle(std::string_view head)
{
    return head.starts_with("(dp0\n") || head.starts_with("(lp0\n") || head.starts_with("ccopy_reg\n");
}

std::optional<FileKind> kindOfBinary(std::string_view head)
{
    if (isTextPickle(head)) return kindOfPickle(head);
    if (head.size() > 2 && head[0] == '\x80' && head[1] >= 2 && head[1] <= 5) return kindOfPickle(head);
    for (const std::string_view magic : {"\x89PNG"sv, "\xff\xd8\xff"sv, "GIF8"sv})
        if (head.starts_with(magic)) return FileKind::Picture;
    if (head.starts_with("%PDF")) return FileKind::Page;
    if (head.starts_with("\x93NUMPY"sv) || head.starts_with("\x89HDF"sv)) return FileKind::Arrays;
    if (head.starts_with("GGUF")) return FileKind::Weights;
    if (head.starts_with("PAR1") || head.starts_with("ARROW1")) return FileKind::Table;
    for (const std::string_view magic : {"TFL3"sv, "ET12"sv})
        if (head.size() > 8 && head.substr(4, 4) == magic) return FileKind::InferenceModel;
    for (const std::string_view magic : {"\x7f"
                                         "ELF"sv,
                                         "MZ\x90"sv, "\xcf\xfa\xed\xfe"sv})
        if (head.starts_with(magic)) return FileKind::Program;
    for (const std::string_view magic : {"\x28\xb5\x2f\xfd"sv,
                                         "\xfd"
                                         "7zXZ"sv,
                                         "BZh"sv, "7z\xbc\xaf"sv})
        if (head.starts_with(magic)) return FileKind::Packed;
    constexpr std::size_t kTarMagic = 257;
    if (head.size() > kTarMagic && head.substr(kTarMagic).starts_with("ustar")) return FileKind::Packed;
    if (isTensorBoard(head)) return FileKind::TensorBoard;
    if (head.starts_with("SQLite format 3") || head.starts_with("NSYSREP")) return FileKind::NsightReport;
    if (isSafetensors(head)) return FileKind::Safetensors;
    if (isOnnx(head)) return FileKind::Onnx;
    return std::nullopt;
}

/// Lines that hold more than spaces and comments, the first hundred of them.
std::vector<std::string_view> linesOf(std::string_view text)
{
    std::vector<std::string_view> lines;
    while (!text.empty() && lines.size() < 100) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = withoutSpaceBefore(text.substr(0, end));
        if (!line.empty() && line.front() != '#' && !line.starts_with("//")) lines.push_back(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

/// The first lines have the same number of fields, two at least, and the first of them names the columns.
bool isTable(const std::vector<std::string_view> &lines)
{
    if (lines.size() < 2 || has(lines[0], "{") || has(lines[0], "(")) return false;
    const auto count = [](std::string_view line, char c) { return std::count(line.begin(), line.end(), c); };
    for (const char separator : {',', '\t', ';'}) {
        const auto fields = count(lines[0], separator);
        // The last line of a head may be cut.
        const std::size_t most = std::min<std::size_t>(lines.size() - (lines.size() > 2 ? 1 : 0), 8);
        bool same = fields > 0;
        for (std::size_t i = 1; i < most; ++i)
            same = same && count(lines[i], separator) == fields;
        const bool figures = lines[1].find_first_of("0123456789") != std::string_view::npos;
        if (same && figures) return true;
    }
    return false;
}

/// Lines of names with a colon, some with more lines below them.
bool isYaml(const std::vector<std::string_view> &lines)
{
    const auto names = std::count_if(lines.begin(), lines.end(), [](std::string_view line) {
        const std::size_t colon = line.find(':');
        const std::string_view rest = colon == std::string_view::npos ? line : line.substr(colon + 1);
        return line.starts_with("- ") || line == "---" ||
               (colon != std::string_view::npos && colon > 0 && !has(line.substr(0, colon), " ") &&
                (rest.empty() || rest.starts_with(' ')));
    });
    return lines.size() > 1 && 10 * names >= 9 * static_cast<std::ptrdiff_t>(lines.size());
}

FileKind kindOfText(std::string_view head)
{
    if (head.starts_with("#!") && has(head.substr(0, head.find('\n')), "python")) return FileKind::PythonScript;
    if (head.starts_with("<svg")) return FileKind::Picture;
    if (head.starts_with("<!DOCTYPE") || head.starts_with("<!doctype") || head.starts_with("<html"))
        return FileKind::Page;
    if (head.starts_with("<?xml")) return has(head, "<svg") ? FileKind::Picture : FileKind::Page;
    const std::vector<std::string_view> lines = linesOf(head);
    if (lines.empty()) return FileKind::Text;
    for (const std::string_view word : {"digraph"sv, "graph"sv, "strict digraph"sv, "strict graph"sv})
        if (lines.front().starts_with(word) && has(head, "{")) return FileKind::Dot;
    const auto begins = [&lines](std::initializer_list<std::string_view> words) {
        return std::any_of(lines.begin(), lines.end(), [words](std::string_view line) {
            return std::any_of(words.begin(), words.end(), [line](auto word) { return line.starts_with(word); });
        });
    };
    const bool section = lines.front().starts_with('[') && has(lines.front(), "]");
    if ((section || has(lines.front(), " = ")) && begins({"["}) && has(head, "="))
        return begins({"[activation_checkpoint", "[job]", "[parallelism]", "[training]", "[lr_scheduler]"})
                   ? FileKind::TorchtitanSettings
                   : FileKind::Settings;
    if (begins({"import ", "from ", "def ", "class ", "@", "\"\"\""}) && hasAny(head, {"import ", "def ", "class "}))
        return FileKind::PythonScript;
    if (isTable(lines)) return FileKind::Table;
    return isYaml(lines) ? FileKind::Settings : FileKind::Text;
}

/// The first bytes inside of a file of gzip, so far as they are in its head.
std::string unpackedHead(std::string_view head)
{
    std::string packed(head), unpacked(kHeadBytes, '\0');
    z_stream stream{};
    constexpr int kGzipWindow = 15 + 16;
    if (inflateInit2(&stream, kGzipWindow) != Z_OK) return {};
    stream.next_in = reinterpret_cast<Bytef *>(packed.data());
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = reinterpret_cast<Bytef *>(unpacked.data());
    stream.avail_out = static_cast<uInt>(unpacked.size());
    inflate(&stream, Z_SYNC_FLUSH);
    unpacked.resize(unpacked.size() - stream.avail_out);
    inflateEnd(&stream);
    return unpacked;
}

/// By the names in the archive's directory.
FileKind kindOfArchive(const std::filesystem::path &path)
{
    const auto archive = ArchiveData::open(path);
    if (!archive) return FileKind::BrokenArchive;
    bool pickled = false, code = false, arrays = false;
    for (const ArchiveData::Entry &entry : archive->entries()) {
        if (entry.name.starts_with("models/") || entry.name == "serialized_exported_program.json")
            return FileKind::Trace;
        if (entry.name.starts_with("data/aotinductor/")) return FileKind::CompiledModel;
        code = code || entry.name == "constants.pkl" || entry.name.starts_with("code/");
        pickled = pickled || entry.name == "data.pkl";
        arrays = arrays || entry.name.ends_with(".npy");
    }
    if (code) return FileKind::TorchScript;
    if (pickled) return FileKind::Checkpoint;
    return arrays ? FileKind::Arrays : FileKind::Archive;
}

/// By the names in it; a folder of checkpoints has few of its own.
FileKind kindOfFolder(const std::filesystem::path &path)
{
    constexpr int kMostLooked = 1000;
    std::error_code error;
    int looked = 0;
    for (std::filesystem::directory_iterator entry(path, error), end; !error && entry != end && looked < kMostLooked;
         entry.increment(error), ++looked) {
        const std::string name = entry->path().filename().string();
        for (const std::string_view known : {".metadata"sv, "pytorch_model.bin"sv, "trainer_state.json"sv,
                                             "adapter_config.json"sv, "saved_model.pb"sv})
            if (name == known) return FileKind::CheckpointFolder;
        if (name.ends_with(".distcp") || name.ends_with(".safetensors")) return FileKind::CheckpointFolder;
    }
    return FileKind::Folder;
}

/// What stays packed is opened by nobody here but as what it is not: a trace, a graph or a plan.
bool mayStayPacked(FileKind kind)
{
    return isKnownKind(kind) && kind >= FileKind::MemorySnapshot;
}

} // namespace

FileKind kindOfBytes(std::string_view head)
{
    head = head.substr(0, kHeadBytes);
    if (head.empty()) return FileKind::Empty;
    for (const std::string_view magic : {"PK\3\4"sv, "PK\5\6"sv, "PK\7\10"sv})
        if (head.starts_with(magic)) return FileKind::Archive;
    if (head.starts_with("\x1f\x8b"sv)) {
        const std::string unpacked = unpackedHead(head);
        if (unpacked.starts_with("\x1f\x8b"sv)) return FileKind::Packed; // there are files that unpack to themselves
        const FileKind inside = kindOfBytes(unpacked);
        return mayStayPacked(inside) ? inside : FileKind::Packed;
    }
    if (const auto binary = kindOfBinary(head)) return *binary;
    const std::string_view text = withoutSpaceBefore(head);
    if (text.empty()) return FileKind::Empty;
    const FileKind kind = text.front() == '{' || text.front() == '[' ? kindOfJson(text) : FileKind::Text;
    if (kind != FileKind::Text && kind != FileKind::Json) return kind;
    if (kind == FileKind::Json && text.front() == '{') return kind;
    const auto strange = [](char c) { return static_cast<unsigned char>(c) < 32 && !has("\t\r\n\f", {&c, 1}); };
    if (std::any_of(text.begin(), text.end(), strange)) return FileKind::Unknown;
    const FileKind asText = kindOfText(text);
    return asText == FileKind::Text ? kind : asText;
}

FileKind fileKind(const std::filesystem::path &path)
{
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status)) return FileKind::Missing;
    if (std::filesystem::is_directory(status)) return kindOfFolder(path);
    if (!std::filesystem::is_regular_file(status)) return FileKind::Stream;
    std::ifstream file(path, std::ios::binary);
    if (!file) return FileKind::Unknown;
    std::string head(kHeadBytes, '\0');
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
    const FileKind kind = kindOfBytes(head);
    return kind == FileKind::Archive ? kindOfArchive(path) : kind;
}

} // namespace remat
