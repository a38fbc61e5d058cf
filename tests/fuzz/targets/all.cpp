// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/targets/all.h"

#include "core/views/filter.h"
#include "tests/fuzz/exercise.h"

namespace remat::fuzz {

namespace {

/// Every option at its ends and beyond.
std::vector<std::string> settingWords()
{
    std::vector<std::string> words;
    for (const OptionRecord &option : optionRecords()) {
        words.push_back("\n" + option.name + "=");
        for (const double value : {option.minimum, option.maximum, option.defaultNumber, option.maximum + 1})
            words.push_back(option.name + "=" + std::to_string(value));
        for (const std::string &choice : option.choices)
            words.push_back(option.name + "=" + choice);
    }
    return words;
}

std::vector<std::string> pinWords()
{
    std::vector<std::string> words = {"keep ", "recompute ", "never ", "\nkeep ", "\nrecompute ", "\nnever "};
    const Graph &graph = knownModel().graph;
    for (const Op &op : graph.ops)
        words.insert(words.end(), {op.name, op.module});
    for (const Storage &storage : graph.storages)
        words.push_back(storage.name);
    return words;
}

std::vector<std::string> filterWordList()
{
    std::vector<std::string> words = {"phase:backward", "-", "size>=", "time<=", "1ms", "10MiB", "times=2"};
    for (const FilterWord &word : filterWords())
        words.insert(words.end(), {std::string(word.word), std::string(word.example)});
    return words;
}

} // namespace

const std::vector<Target> &targets()
{
    static const std::vector<Target> kTargets = {
        {"amounts",
         Form::Text,
         readAmounts,
         {"60%", "4GiB", "1.5 GB", "90%:20%:-10", "8GiB:2GiB:-1GiB", "-500MiB", "1e9"}},
        {"device", Form::Json, readDeviceFile},
        {"filter", Form::Text, readFilter, filterWordList()},
        {"frames", Form::Bytes, takeFrames},
        {"graph", Form::Json, readGraphFile},
        {"layout-answer", Form::Json, readLayoutAnswer},
        {"layout-request", Form::Json, readLayoutRequest},
        {"lesson", Form::Json, readLessonFile},
        {"pins", Form::Text, readPins, pinWords()},
        {"plan", Form::Json, readPlanFile},
        {"profile", Form::Json, readProfileFile},
        {"puzzle", Form::Json, readPuzzleFile},
        {"run-reply", Form::Bytes, readRunReply, {}, runReplies},
        {"run-request", Form::Bytes, readRunRequest, {}, runRequests},
        {"session", Form::Json, readSession},
        {"story", Form::Json, readStoryFile},
        {"settings", Form::Text, readSettings, settingWords()},
        {"solve-reply", Form::Bytes, readSolveReply},
        {"solve-request", Form::Bytes, readSolveRequest},
        {"table", Form::Text, writeTable, {"|", "\"", ",", "=1+1", "\r\n", "@x", "-1", "+2"}},
        {"texts", Form::Json, readTextsFile},
        {"trace", Form::Zip, readTrace},
    };
    return kTargets;
}

} // namespace remat::fuzz
