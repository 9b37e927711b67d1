-- What agents hold by grants, derived from the messages of a space. `position` is the order in which it was given.
CREATE TABLE held_grant (
  space    TEXT NOT NULL,
  position INTEGER NOT NULL,
  agent    TEXT NOT NULL,
  tool     TEXT NOT NULL,
  hand_on  INTEGER NOT NULL,
  given_by TEXT NOT NULL,
  PRIMARY KEY (space, position)
) STRICT;
