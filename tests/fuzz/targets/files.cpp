// SPDX-License-Identifier: Apache-2.0
// Devices, sessions and stories of planners.
#include "tests/fuzz/targets/all.h"

#include "core/io/session_json.h"
#include "core/plan/simulator.h"
#include "core/teaching/stories/story.h"
#include "tests/fuzz/exercise.h"

namespace remat::fuzz {

bool readDeviceFile(std::string_view input)
{
    const auto device = readDevice(fileOf(input));
    if (!device) return refusedWith(device.error().message);
    const Model &model = knownModel();
    exercisePlan(model, rooflineCosts(model, *device), keepAllPlan(model.graph));
    return true;
}

bool readSession(std::string_view input)
{
    const auto session = parseSession(input, "session.remat");
    if (!session) return refusedWith(session.error().message);
    const std::string text = sessionText(*session);
    const auto again = parseSession(text, "again");
    require(again.has_value(), "a session does not read back: " + (again ? "" : again.error().message));
    require(sessionText(*again) == text, "a session reads back as another");
    return true;
}

bool readStoryFile(std::string_view input)
{
    const auto story = parseStory(input, "story.json");
    if (!story) return refusedWith(story.error().message);
    const std::string text = storyText(*story);
    const auto again = parseStory(text, "again");
    require(again.has_value(), "a story does not read back: " + (again ? "" : again.error().message));
    require(storyText(*again) == text, "a story reads back as another");
    return true;
}

} // namespace remat::fuzz
