-- Which tests each runner of a check ran, by name, so that the next work is held against them; '' where none was seen.
ALTER TABLE verification ADD COLUMN tests TEXT NOT NULL DEFAULT '';
