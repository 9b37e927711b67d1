-- What a proposal of the project remembers in a space. The space is empty for what it remembers of the whole project.
CREATE TABLE own_proposal_state (
  space TEXT NOT NULL,
  proposal TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (space, proposal)
) STRICT, WITHOUT ROWID;
