"""Programs over the forms of mbarrier: sequences on objects of one thread each, rings of many."""
