// SPDX-License-Identifier: Apache-2.0
// Several test files compiled into one program: each registers its class where it would have had a `main`, and the
// program runs the one whose file it is called by (`core_tst_checker` is a link to it). Included after <QtTest> and
// before the first of them.
#pragma once

namespace remat::test {

/// One test of a batch: the path of its file, and what runs it with the arguments of the program.
struct InBatch {
    InBatch(const char *file, int (*run)(int, char **));
};

/// The exit status of the test that argv[0] names, as FOLDER_tst_NAME; 2 and a sentence where there is none.
int runOneOfBatch(int argc, char **argv);

} // namespace remat::test

#undef QTEST_MAIN_WRAPPER
#define QTEST_MAIN_WRAPPER(TestObject, ...)                                                                            \
    static int run##TestObject(int argc, char **argv)                                                                  \
    {                                                                                                                  \
        QTest::Internal::callInitMain<TestObject>();                                                                   \
        __VA_ARGS__                                                                                                    \
        TestObject tc;                                                                                                 \
        QTEST_SET_MAIN_SOURCE_PATH                                                                                     \
        return QTest::qExec(&tc, argc, argv);                                                                          \
    }                                                                                                                  \
    static const remat::test::InBatch inBatch##TestObject(__FILE__, run##TestObject);
