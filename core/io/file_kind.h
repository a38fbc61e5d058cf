// SPDX-License-Identifier: Apache-2.0
// What a file is, told by its first bytes and never by its name: ours, or one that people have from elsewhere.
#pragma once

#include "core/base/expected.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace remat {

enum class FileKind {
    // What cannot be looked at.
    Missing,
    Folder,
    Empty,
    Stream, ///< a pipe or a device: its bytes can be read once, so nobody looks
    // Ours, by the member `format` of their JSON, and traces by what their archive holds.
    Trace,
    Graph,
    Plan,
    Profile,
    Session,
    Lesson,
    Puzzle,
    Story,
    Certificate,
    Report,
    Device,
    OtherOurs, ///< a format of ours that no command takes by itself
    // From elsewhere.
    MemorySnapshot,
    MemoryTimeline,
    ProfilerTrace,
    NodeLink,
    Dot,
    Onnx,
    TorchtitanSettings,
    Settings,
    Checkpoint,
    TorchScript,
    CompiledModel,
    Safetensors,
    Weights, ///< GGUF
    WeightsIndex,
    CheckpointFolder,
    ModelConfig, ///< the `config.json` that transformers writes
    InferenceModel,
    Pickle,
    Arrays,
    TensorBoard,
    NsightReport,
    PythonScript,
    Notebook,
    Table,
    Program,
    Picture,
    Page,
    Packed,
    BrokenArchive,
    // Told by their outside only; the reader of what was wanted says what it lacks.
    Archive,
    Json,
    Text,
    Unknown,
};

/// Reads at most the first 4 KiB of the file, of what is compressed the first 4 KiB inside, and the directory of an
/// archive or a folder. Nothing of the file is executed, no pickle is loaded. Never fails. Any thread.
FileKind fileKind(const std::filesystem::path &path);

/// The same by the first bytes of a file that is no archive.
FileKind kindOfBytes(std::string_view head);

/// A kind with its article: `a CUDA memory snapshot of PyTorch`.
std::string_view nameOfKind(FileKind kind);

/// The kind was recognised by what makes it one, so that reading the file as another kind is of no use.
bool isKnownKind(FileKind kind);

/// A sentence on a file that is something else than what was wanted: what it is, and what to do with it or instead of
/// it. `wanted` has its article: `a plan`; empty where any file would do.
std::string sentenceOnKind(FileKind kind, const std::string &fileName, const std::string &wanted = {});

/// Fails with that sentence when the file is known to be of another kind; a trace and a graph as JSON serve for each
/// other. What cannot be told is left to the reader.
Expected<void> expectKind(const std::filesystem::path &path, FileKind wanted);

} // namespace remat
