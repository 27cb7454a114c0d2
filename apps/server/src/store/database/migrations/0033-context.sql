-- How full the context of a session's agent was at its last call, of what its model takes, and at its fullest; null: not
-- known. And how often the agent has shortened its conversation.
ALTER TABLE session ADD COLUMN context_tokens INTEGER;
ALTER TABLE session ADD COLUMN context_window INTEGER;
ALTER TABLE session ADD COLUMN context_peak INTEGER;
ALTER TABLE session ADD COLUMN compactions INTEGER NOT NULL DEFAULT 0;
