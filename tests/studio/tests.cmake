if(TARGET studio_tst_killed)
    add_dependencies(studio_tst_killed remat-studio)
endif()
