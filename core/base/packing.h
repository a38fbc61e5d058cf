// SPDX-License-Identifier: Apache-2.0
// Plain structs to bytes and back, for two programs of one build on one machine. The reader believes nothing: it ends
// at the first byte that is not there.
#pragma once

#include "core/base/field_list.h"
#include "core/base/ids.h"

#include <concepts>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace remat {

template <class T>
concept PlainNumber = (std::is_arithmetic_v<T> && !std::same_as<T, bool>) || std::is_enum_v<T>;

/// Writes whatever it is given: numbers, texts, containers of them, and structs with a function `fields(io, struct)`.
class Packer
{
public:
    template <class... Ts>
    void operator()(const Ts &...values)
    {
        (put(values), ...);
    }
    std::string take() { return std::move(m_bytes); }

private:
    void raw(const void *data, std::size_t size) { m_bytes.append(static_cast<const char *>(data), size); }
    void size(std::size_t count) { put(static_cast<std::uint64_t>(count)); }

    template <PlainNumber T>
    void put(T value)
    {
        raw(&value, sizeof value);
    }
    void put(bool value) { put(static_cast<std::uint8_t>(value)); }
    void put(const std::string &text)
    {
        size(text.size());
        raw(text.data(), text.size());
    }
    void put(const std::filesystem::path &path) { put(path.string()); }
    template <class Tag>
    void put(Id<Tag> id)
    {
        put(id.value);
    }
    template <class T>
    void put(const std::vector<T> &items)
    {
        size(items.size());
        if constexpr (PlainNumber<T>)
            raw(items.data(), items.size() * sizeof(T));
        else
            for (const auto &item : items)
                put(static_cast<const T &>(item));
    }
    template <class A, class B>
    void put(const std::pair<A, B> &both)
    {
        put(both.first);
        put(both.second);
    }
    template <class K, class V>
    void put(const std::map<K, V> &map)
    {
        size(map.size());
        for (const auto &entry : map)
            put(entry);
    }
    template <class T>
    void put(const std::optional<T> &value)
    {
        put(value.has_value());
        if (value) put(*value);
    }
    template <class... Ts>
    void put(const std::variant<Ts...> &value)
    {
        put(static_cast<std::uint8_t>(value.index()));
        std::visit([this](const auto &one) { this->put(one); }, value);
    }
    template <class T>
    requires std::is_class_v<T>
    void put(const T &record) { fields(*this, record); }

    std::string m_bytes;
};

/// Reads what a Packer wrote. After the first thing that does not fit, everything stays as it was.
class Unpacker
{
public:
    explicit Unpacker(std::string_view bytes) : m_bytes(bytes) {}

    template <class... Ts>
    void operator()(Ts &...values)
    {
        (get(values), ...);
    }
    /// Everything was there, and nothing is left over.
    bool whole() const { return m_whole && m_bytes.empty(); }

private:
    bool raw(void *target, std::size_t size)
    {
        m_whole = m_whole && size <= m_bytes.size();
        if (!m_whole || size == 0) return m_whole;
        std::memcpy(target, m_bytes.data(), size);
        m_bytes.remove_prefix(size);
        return true;
    }
    /// Counts things that take so many bytes at least.
    std::size_t count(std::size_t bytes = 1)
    {
        std::uint64_t number = 0;
        get(number);
        m_whole = m_whole && number <= m_bytes.size() / bytes;
        return m_whole ? static_cast<std::size_t>(number) : 0;
    }

    template <PlainNumber T>
    void get(T &value)
    {
        T read{};
        if (raw(&read, sizeof read)) value = read;
    }
    void get(bool &value)
    {
        std::uint8_t byte = value ? 1 : 0;
        get(byte);
        value = byte != 0;
    }
    void get(std::string &text)
    {
        text.assign(count(), '\0');
        raw(text.data(), text.size());
    }
    void get(std::filesystem::path &path)
    {
        std::string text;
        get(text);
        path = std::move(text);
    }
    template <class Tag>
    void get(Id<Tag> &id)
    {
        get(id.value);
    }
    template <class T>
    void get(std::vector<T> &items)
    {
        items.clear();
        if constexpr (PlainNumber<T>) {
            items.resize(count(sizeof(T)));
            raw(items.data(), items.size() * sizeof(T));
            return;
        }
        // One by one: a count that lies takes no more memory than the bytes that came.
        for (std::size_t left = count(); left > 0 && m_whole; --left) {
            T item{};
            get(item);
            items.push_back(std::move(item));
        }
    }
    template <class A, class B>
    void get(std::pair<A, B> &both)
    {
        get(both.first);
        get(both.second);
    }
    template <class K, class V>
    void get(std::map<K, V> &map)
    {
        map.clear();
        for (std::size_t left = count(); left > 0 && m_whole; --left) {
            std::pair<K, V> entry;
            get(entry);
            map.insert(std::move(entry));
        }
    }
    template <class T>
    void get(std::optional<T> &value)
    {
        bool there = false;
        get(there);
        value.reset();
        if (there && m_whole) get(value.emplace());
    }
    template <class... Ts>
    void get(std::variant<Ts...> &value)
    {
        std::uint8_t index = 0;
        get(index);
        m_whole = m_whole && index < sizeof...(Ts);
        if (!m_whole) return;
        using Maker = void (*)(std::variant<Ts...> &);
        static constexpr Maker kMakers[] = {[](std::variant<Ts...> &made) { made = Ts{}; }...};
        kMakers[index](value);
        std::visit([this](auto &one) { this->get(one); }, value);
    }
    template <class T>
    requires std::is_class_v<T>
    void get(T &record) { fields(*this, record); }

    std::string_view m_bytes;
    bool m_whole = true;
};

} // namespace remat
