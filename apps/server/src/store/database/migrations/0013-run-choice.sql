-- The agent and the model that a person chose for this run alone (JSON); null: the project's.
ALTER TABLE execution ADD COLUMN chosen TEXT;
