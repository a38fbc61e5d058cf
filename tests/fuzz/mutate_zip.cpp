// SPDX-License-Identifier: Apache-2.0
// Archives taken apart and put together again: entries as they are packed, with headers that may lie.
#include "tests/fuzz/mutate.h"

#include <array>
#include <cstring>

namespace remat::fuzz {

namespace {

struct Entry {
    std::string name, data;
    std::uint16_t method = 0; ///< 0: stored, 8: deflated
    std::uint32_t crc = 0, size = 0, packedSize = 0;
};

constexpr std::size_t kLocalHeader = 30, kDirectoryHeader = 46, kEnd = 22;

template <class T>
T at(const std::string &bytes, std::size_t place)
{
    T value = 0;
    std::memcpy(&value, bytes.data() + place, sizeof value);
    return value;
}

template <class T>
void put(std::string &bytes, T value)
{
    bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
}

std::uint32_t checksum(const std::string &bytes)
{
    std::uint32_t sum = ~0U;
    for (const char c : bytes) {
        sum ^= static_cast<unsigned char>(c);
        for (int bit = 0; bit < 8; ++bit)
            sum = (sum >> 1U) ^ ((sum & 1U) != 0 ? 0xedb88320U : 0U);
    }
    return ~sum;
}

/// By the directory at its end; nothing when a header is not where it must be.
std::optional<std::vector<Entry>> unzipped(const std::string &bytes)
{
    if (bytes.size() < kEnd) return std::nullopt;
    const std::size_t end = bytes.rfind("PK\x05\x06");
    if (end == std::string::npos || end + kEnd > bytes.size()) return std::nullopt;
    std::vector<Entry> entries;
    std::size_t place = at<std::uint32_t>(bytes, end + 16);
    for (int count = at<std::uint16_t>(bytes, end + 10); count > 0; --count) {
        if (place + kDirectoryHeader > bytes.size()) return std::nullopt;
        Entry entry;
        entry.method = at<std::uint16_t>(bytes, place + 10);
        entry.crc = at<std::uint32_t>(bytes, place + 16);
        entry.packedSize = at<std::uint32_t>(bytes, place + 20);
        entry.size = at<std::uint32_t>(bytes, place + 24);
        const std::size_t nameSize = at<std::uint16_t>(bytes, place + 28);
        const std::size_t local = at<std::uint32_t>(bytes, place + 42);
        if (place + kDirectoryHeader + nameSize > bytes.size() || local + kLocalHeader > bytes.size())
            return std::nullopt;
        entry.name = bytes.substr(place + kDirectoryHeader, nameSize);
        const std::size_t data =
            local + kLocalHeader + at<std::uint16_t>(bytes, local + 26) + at<std::uint16_t>(bytes, local + 28);
        if (data > bytes.size()) return std::nullopt;
        entry.data = bytes.substr(data, entry.packedSize);
        entries.push_back(std::move(entry));
        place +=
            kDirectoryHeader + nameSize + at<std::uint16_t>(bytes, place + 30) + at<std::uint16_t>(bytes, place + 32);
    }
    return entries;
}

std::string zipped(const std::vector<Entry> &entries)
{
    std::string file, directory;
    for (const Entry &entry : entries) {
        std::string facts;
        put<std::uint16_t>(facts, 20);
        put<std::uint16_t>(facts, 0);
        put(facts, entry.method);
        put<std::uint32_t>(facts, 0x21U << 16U); // 1980-01-01
        put(facts, entry.crc);
        put(facts, entry.packedSize);
        put(facts, entry.size);
        put(facts, static_cast<std::uint16_t>(entry.name.size()));
        put<std::uint16_t>(facts, 0);
        put<std::uint32_t>(directory, 0x02014b50);
        put<std::uint16_t>(directory, 20);
        directory += facts;
        directory.append(8, '\0');
        put<std::uint16_t>(directory, 0);
        put(directory, static_cast<std::uint32_t>(file.size()));
        directory += entry.name;
        put<std::uint32_t>(file, 0x04034b50);
        file += facts + entry.name + entry.data;
    }
    const auto start = static_cast<std::uint32_t>(file.size());
    file += directory;
    put<std::uint32_t>(file, 0x06054b50);
    put<std::uint32_t>(file, 0);
    put(file, static_cast<std::uint16_t>(entries.size()));
    put(file, static_cast<std::uint16_t>(entries.size()));
    put(file, static_cast<std::uint32_t>(directory.size()));
    put(file, start);
    put<std::uint16_t>(file, 0);
    return file;
}

/// The content changes and the header says so.
void changeContent(Entry &entry, const std::string &other, test::Random &random)
{
    if (entry.method != 0) {
        mutateBytes(entry.data, other, random); // what is packed is then damaged
    } else {
        if (!entry.name.ends_with(".json") || !mutateJson(entry.data, other, random))
            mutateBytes(entry.data, other, random);
        entry.crc = checksum(entry.data);
        entry.size = static_cast<std::uint32_t>(entry.data.size());
    }
    entry.packedSize = static_cast<std::uint32_t>(entry.data.size());
}

} // namespace

bool mutateZip(std::string &bytes, const std::string &other, test::Random &random)
{
    auto entries = unzipped(bytes);
    if (!entries || entries->empty()) return false;
    const auto others = unzipped(other);
    Entry &entry = (*entries)[static_cast<std::size_t>(random.below(static_cast<int>(entries->size())))];
    static const std::array<std::uint32_t, 6> kSizes = {0, 1, 0xffffU, 0x7fffffffU, 0xfffffffeU, 0xffffffffU};
    switch (random.below(14)) {
    case 0:
        entries->erase(entries->begin() + (&entry - entries->data()));
        break;
    case 1:
        entries->push_back(Entry(entry));
        break;
    case 2:
        mutateBytes(entry.name, "models/model.json", random);
        entry.name.resize(std::min<std::size_t>(entry.name.size(), 60000));
        break;
    case 3:
        std::swap(entry.name, random.percent(50) ? entries->front().name : entries->back().name);
        break;
    case 4:
        entry.crc ^= 1U;
        break;
    case 5:
        entry.size = random.pick(kSizes);
        break;
    case 6:
        entry.packedSize = random.pick(kSizes);
        break;
    case 7:
        entry.method = random.pick(std::array<std::uint16_t, 4>{0, 8, 12, 99});
        break;
    default: { // mostly the text that means something
        Entry *chosen = &entry;
        for (Entry &each : *entries)
            if (each.name.ends_with(".json") && random.percent(60)) chosen = &each;
        std::string from;
        if (others)
            for (const Entry &each : *others)
                if (each.name.ends_with(chosen->name.substr(chosen->name.rfind('/') + 1))) from = each.data;
        changeContent(*chosen, from, random);
    }
    }
    bytes = zipped(*entries);
    return true;
}

} // namespace remat::fuzz
