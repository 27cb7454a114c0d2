-- A notice that its receiver refuses while it takes others: how often, why, and when it is tried again; 0 where it has its
-- place in the order. The others go past it.
ALTER TABLE webhook_queue ADD COLUMN refused INTEGER NOT NULL DEFAULT 0;
ALTER TABLE webhook_queue ADD COLUMN due_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE webhook_queue ADD COLUMN problem TEXT NOT NULL DEFAULT '';
