"""Random programs of which an oracle says whether they race: of warps, and of lanes of one warp."""
