-- What ended a session, in one word, where policy has to know it; null: nothing of the kind, or an older server noted the end.
ALTER TABLE session ADD COLUMN cause TEXT;
